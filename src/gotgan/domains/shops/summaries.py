"""What a day brought in shops: who was looked at, what is new, what changed and what failed.

Changes lie with their shops, so whoever wants those of a day asks shop by shop: those that were
crawled or scraped since the day began, for in no other can anything have changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from itertools import islice
from operator import add
from typing import ClassVar, Final, Literal, TypeVar

from gotgan.clock import Span
from gotgan.domains.shops import patterns
from gotgan.domains.shops.models import (
    STAGES,
    Change,
    Offer,
    Postponed,
    Shop,
    Stage,
    postponed_in,
    sort_key_of,
    state_of,
)
from gotgan.domains.shops.reading import Status
from gotgan.domains.shops.stages import Stuck, stuck_in
from gotgan.errors import BadItem, StoreUnreachable
from gotgan.events import emit
from gotgan.lifecycle.states import NEVER, State
from gotgan.store import Found, Page, Store

__all__ = [
    "CHANGES",
    "FEW_SHOPS",
    "MOST_CHANGES",
    "MOST_SHOPS",
    "ChangeKind",
    "DayChange",
    "ShopVisit",
    "ShopsDay",
    "few_shops",
    "kind_of",
    "pass_over",
    "read_each",
    "shops_day",
    "stuck_among",
    "touched_since",
]

FEW_SHOPS: Final = 20
"""Below this number all shops are read, whole."""
MOST_SHOPS: Final = 100
"""How many shops are looked at, those first that were done soonest after the day began."""
MOST_CHANGES: Final = 1_000
"""How many changes are read, the newest of each shop, and of each shop as many."""
CHANGES: Final = 100
"""How many of them are shown, the newest."""

_UNITS: Final = 64.0
"""How many read units finding the shops that could not be reached may take, for each country."""
_SECOND: Final = timedelta(seconds=1)

T = TypeVar("T")
ChangeKind = Literal["new", "removed", "sold", "price_up", "price_down", "other"]
"""What happened to a thing; the first that fits. Other is, say, one to be had again."""


@dataclass(frozen=True)
class ShopVisit:
    """A crawl or a scrape of a shop that ended on the day."""

    shown: ClassVar = (
        "domain",
        "stage",
        "outcome",
        "reason",
        "began_at",
        "ended_at",
        "seconds",
        "pages",
    )

    domain: str
    stage: Stage
    outcome: str | None
    reason: str | None
    """Why the outcome is not `ok`."""
    began_at: datetime | None
    ended_at: datetime
    pages: int | None = None
    """Pages that a crawl saw."""

    @property
    def seconds(self) -> float | None:
        """How long it took."""
        return None if self.began_at is None else (self.ended_at - self.began_at).total_seconds()


@dataclass(frozen=True)
class DayChange:
    """A change, and its kind."""

    shown: ClassVar = {**{name: f"change.{name}" for name in Change.shown}, "kind": "kind"}

    change: Change
    kind: ChangeKind


@dataclass(frozen=True)
class ShopsDay:
    """The shops of a day.

    Only the last crawl and the last scrape of a shop are stored: a shop that was visited again
    since counts for the later day. Changes are kept.
    """

    shown: ClassVar = {
        "countries": "countries",
        "crawled": "crawled",
        "scraped": "scraped",
        "changes": "kinds",
        "counts": "counts",
        "read": "read",
        "isCut": "is_cut",
        "stuck": "stuck",
        "unreached": "unreached",
    }

    countries: tuple[str, ...]
    """Countries that have shops."""
    crawled: tuple[ShopVisit, ...]
    """Shops whose last crawl ended on the day, latest first."""
    scraped: tuple[ShopVisit, ...]
    """Shops whose last scrape ended on the day, latest first."""
    changes: tuple[Change, ...]
    """The newest, at most 100."""
    counts: Mapping[ChangeKind, int]
    """All changes that were read, by kind."""
    read: int
    """How many changes were read."""
    is_cut: bool
    """Whether there are more shops or changes than were read."""
    stuck: tuple[Stuck, ...]
    """Shops whose worker stopped responding, now."""
    unreached: tuple[Postponed, ...] = ()
    """Shops that the last attempt, on the day, could not reach; latest first."""

    @property
    def kinds(self) -> tuple[DayChange, ...]:
        """The newest changes with their kinds, at most 100."""
        return tuple(DayChange(change, kind_of(change)) for change in self.changes)

    @property
    def new_products(self) -> tuple[Change, ...]:
        """Those of the changes that tell of a thing seen for the first time."""
        return tuple(change for change in self.changes if kind_of(change) == "new")

    @property
    def changed(self) -> tuple[Change, ...]:
        """Those that tell of a thing that was known."""
        return tuple(change for change in self.changes if kind_of(change) != "new")


def few_shops(store: Store, countries: Sequence[str]) -> Sequence[Shop] | None:
    """All shops of these countries, whole; None if there are many, or one that cannot be read.

    Even a query that finds nothing costs half a read unit, as a shop does. So where there are few,
    they are read with fewer calls than finding those that a day is about would take.
    """
    if not countries:
        return ()
    try:
        listed = store.query(reduce(add, map(patterns.shops_of, countries)), limit=FEW_SHOPS)
        return None if listed.cursor else _shops(store, [shop.domain for shop in listed]).items
    except BadItem:
        return None


def stuck_among(shops: Iterable[Shop], began: datetime, now: datetime) -> list[Stuck]:
    """The claims that began by a moment and are past their lease, in the order of the indexes."""
    claims = [
        (STAGES.index(stage), shop.shop_country or "", claim.since or began, claim)
        for shop in shops
        for stage in STAGES
        if state_of(shop, stage) == "PROGRESS" and (claim := stuck_in(shop, stage, now))
    ]
    claims.sort(key=lambda each: each[:3])
    return [claim for *_, claim in claims if claim.began_by(began)]


def shops_day(
    store: Store,
    span: Span,
    countries: Sequence[str],
    stuck: Iterable[Stuck],
    every: Sequence[Shop] | None = None,
) -> ShopsDay:
    """What happened within a span to the shops of these countries; ``every`` has all of them."""
    if every is None:
        shops, others, has_more = _looked_up(store, span.first, countries)
    else:
        shops = [shop for shop in every if _is_touched(shop, span.first)]
        others = [shop for shop in every if not _is_touched(shop, span.first)]
        has_more = False
    changes, is_cut = _changes(store, span, [shop.domain for shop in shops])
    return ShopsDay(
        countries=tuple(countries),
        crawled=_visits(shops, "crawl", span),
        scraped=_visits(shops, "scrape", span),
        changes=tuple(changes[:CHANGES]),
        counts=dict(Counter(map(kind_of, changes)).most_common()),
        read=len(changes),
        is_cut=is_cut or has_more,
        stuck=tuple(stuck),
        unreached=_unreached([*shops, *others], span),
    )


def kind_of(change: Change) -> ChangeKind:
    """What a change is about."""
    before, after = change.before, change.after
    if before is None:
        return "new"
    if after.status == Status.REMOVED:
        return "removed"
    if after.status == Status.SOLD and before.status != Status.SOLD:
        return "sold"
    return _price_move(before, after)


def _price_move(before: Offer, after: Offer) -> ChangeKind:
    if before.price is None or after.price is None or before.currency != after.currency:
        return "other"
    if before.price == after.price:
        return "other"
    return "price_up" if after.price > before.price else "price_down"


def _is_touched(shop: Shop, since: datetime) -> bool:
    """Whether something can have changed since a moment in a shop that was read whole."""
    ended = State.DONE.sort_key(since)
    return any(
        key.startswith(State.PROGRESS.sort_key()) or ended <= key < NEVER
        for key in (sort_key_of(shop, stage) for stage in STAGES)
    )


def _looked_up(
    store: Store, since: datetime, countries: Sequence[str]
) -> tuple[list[Shop], list[Shop], bool]:
    """Shops in which something can have changed, others that were tried, and whether more are."""
    domains = list(islice(touched_since(store, since, countries), MOST_SHOPS + 1))
    touched = domains[:MOST_SHOPS]
    unfinished, has_more = _unfinished(store, since, countries)
    found = _shops(store, [*touched, *unfinished])
    shops = [shop for shop in found if shop.domain in touched]
    others = [shop for shop in found if shop.domain not in touched]
    return shops, others, has_more or len(domains) > MOST_SHOPS


def touched_since(store: Store, since: datetime, countries: Sequence[str]) -> Iterator[str]:
    """The shops in which something can have changed since a moment; each of them once."""
    seen: set[str] = set()
    for country in countries:
        for pattern in (patterns.shops_scraped_since, patterns.shops_crawled_since):
            for shop in store.iterate(pattern(country, since), at_most=MOST_SHOPS + 1):
                if shop.domain not in seen:
                    seen.add(shop.domain)
                    yield shop.domain


def _shops(store: Store, domains: Iterable[str]) -> Found[Shop]:
    shops = store.get_all([patterns.shop(domain) for domain in domains])
    if shops.unread:
        raise StoreUnreachable("the database is too busy to read all shops; try again")
    return shops


def _unfinished(store: Store, since: datetime, countries: Sequence[str]) -> tuple[list[str], bool]:
    """Shops that were begun since a moment and given back, and whether there may be more."""
    pages = [
        store.query(pattern(country, since), limit=MOST_SHOPS, units=_UNITS)
        for country in countries
        for pattern in (patterns.crawls_unfinished_since, patterns.scrapes_unfinished_since)
    ]
    domains = dict.fromkeys(shop.domain for page in pages for shop in page)
    return list(domains), any(page.cursor is not None for page in pages)


def _unreached(shops: Iterable[Shop], span: Span) -> tuple[Postponed, ...]:
    found = [each for shop in shops for stage in STAGES if (each := postponed_in(shop, stage))]
    tried = [(each.tried_at, each) for each in found if each.tried_at and each.tried_at in span]
    return tuple(each for _, each in sorted(tried, key=lambda pair: pair[0], reverse=True))


def _visits(shops: Iterable[Shop], stage: Stage, span: Span) -> tuple[ShopVisit, ...]:
    found = (_visit(shop, stage) for shop in shops)
    within = [visit for visit in found if visit is not None and visit.ended_at in span]
    return tuple(sorted(within, key=lambda visit: visit.ended_at, reverse=True))


def _visit(shop: Shop, stage: Stage) -> ShopVisit | None:
    """The last time that a shop was done; a visit that is under way is none yet."""
    if stage == "crawl":
        began, ended = shop.last_crawled_start, shop.last_crawled_end
        told = (shop.crawl_outcome, shop.crawl_reason)
    else:
        began, ended = shop.last_scraped_start, shop.last_scraped_end
        told = (shop.scrape_outcome, shop.scrape_reason)
    if ended is None:
        return None
    known = None if began is None or began > ended else began
    pages = shop.crawl_pages if stage == "crawl" else None
    return ShopVisit(shop.domain, stage, *told, known, ended, pages)


def _changes(store: Store, span: Span, domains: Sequence[str]) -> tuple[list[Change], bool]:
    """The changes of a span, newest first, and whether there are more."""
    most = MOST_CHANGES // max(1, len(domains))
    ends = span.last - _SECOND  # moments have whole seconds, and a range has both its ends

    def read(domain: str) -> Page[Change]:
        query = patterns.changes_within(domain, span.first, ends)
        return store.query(query, limit=most, on_bad=pass_over)

    pages = read_each(store, read, domains)
    changes = sorted(
        (change for page in pages for change in page),
        key=lambda change: (change.seen_at, change.domain, change.url),
        reverse=True,
    )
    return changes, any(page.cursor is not None for page in pages)


def read_each(store: Store, read: Callable[[str], T], domains: Sequence[str]) -> list[T]:
    """Read something of each shop: side by side where a read waits for somebody."""
    if store.is_in_process:
        return [read(domain) for domain in domains]
    return store.calls.side_by_side(read, domains)


def pass_over(misfit: BadItem) -> None:
    """Tell of a change that cannot be read, and go on."""
    emit("shops.change.bad", level="warning", reason=misfit.message)
