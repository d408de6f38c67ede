"""A day of the shops: visits, new products, changes and failures.

Changes are stored with their shops, so those of a day are read shop by shop: from shops that were
crawled or scraped since the day began, for nothing can have changed in any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import reduce
from itertools import islice
from operator import add
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Span, Zone, day_span
from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.changes import log_bad_change
from gotgan.domains.shops.models import (
    STAGES,
    Change,
    ChangeKind,
    Postponed,
    Shop,
    Stage,
    last_times,
    postponement,
    sort_key_of,
    state_of,
)
from gotgan.domains.shops.stages import Stuck, stuck_claim
from gotgan.errors import BadItem, StoreUnreachable
from gotgan.lifecycle.states import NEVER, State
from gotgan.store import BatchGetResult, Page, Store

MAX_SUMMARY_SHOPS: Final = 20
"""Up to this number, all shops are read whole."""
MAX_SHOPS: Final = 100
"""Shops that are looked at, those done soonest after the day began first."""
MAX_CHANGES: Final = 1_000
"""Changes that are read: the newest of each shop, shared evenly."""
MAX_CHANGES_SHOWN: Final = 100

_MAX_READ_UNITS: Final = 64.0
"""Read units for finding unreachable shops, per country."""
_SECOND: Final = timedelta(seconds=1)


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
class ShopsDay:
    """The shops of a day.

    Only the last crawl and the last scrape of a shop are stored: a shop that was visited again
    since counts for the later day. Changes are kept.
    """

    shown: ClassVar = {
        "countries": "countries",
        "crawled": "crawled",
        "scraped": "scraped",
        "changes": "changes",
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
    def new_products(self) -> tuple[Change, ...]:
        """The changes of products that are new."""
        return tuple(change for change in self.changes if change.kind == "new")

    @property
    def changed(self) -> tuple[Change, ...]:
        """The changes of products that were known."""
        return tuple(change for change in self.changes if change.kind != "new")


def all_shops_if_few(store: Store, countries: Sequence[str]) -> Sequence[Shop] | None:
    """All shops of these countries, whole; None if there are many, or an unreadable one.

    Even a query that finds nothing costs half a read unit, as a shop does. So if there are few,
    they are read with fewer calls than it takes to find those of a day.
    """
    if not countries:
        return ()
    try:
        listed = store.query(reduce(add, map(keys.shops_of, countries)), limit=MAX_SUMMARY_SHOPS)
        return None if listed.cursor else _shops(store, [shop.domain for shop in listed]).items
    except BadItem:
        return None


def stuck_among(shops: Iterable[Shop], began: datetime, now: datetime) -> list[Stuck]:
    """Claims that began by a moment and have expired, in the order of the indexes."""
    claims = [
        (STAGES.index(stage), shop.shop_country or "", claim.since or began, claim)
        for shop in shops
        for stage in STAGES
        if state_of(shop, stage) == "PROGRESS" and (claim := stuck_claim(shop, stage, now))
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
    """Summarize a span for the shops of these countries; ``every`` has all of them."""
    if every is None:
        shops, others, has_more = _find_shops(store, span.first, countries)
    else:
        shops = [shop for shop in every if _is_touched(shop, span.first)]
        others = [shop for shop in every if not _is_touched(shop, span.first)]
        has_more = False
    pages = _read_changes(store, span, [shop.domain for shop in shops], MAX_CHANGES)
    changes = sorted(
        (change for page in pages for change in page),
        key=lambda change: (change.seen_at, change.domain, change.url),
        reverse=True,
    )
    waiting = (postponement(shop, stage) for shop in (*shops, *others) for stage in STAGES)
    known = ((each.tried_at, each) for each in waiting if each and each.tried_at)
    tried = [pair for pair in known if pair[0] in span]
    tried.sort(key=lambda pair: pair[0], reverse=True)
    return ShopsDay(
        countries=tuple(countries),
        crawled=_visits(shops, "crawl", span),
        scraped=_visits(shops, "scrape", span),
        changes=tuple(changes[:MAX_CHANGES_SHOWN]),
        counts=dict(Counter(change.kind for change in changes).most_common()),
        read=len(changes),
        is_cut=has_more or any(page.cursor is not None for page in pages),
        stuck=tuple(stuck),
        unreached=tuple(each for _, each in tried),
    )


def _is_touched(shop: Shop, since: datetime) -> bool:
    """Whether something can have changed since a moment in a shop that was read whole."""
    ended = State.DONE.sort_key(since)
    return any(
        key.startswith(State.PROGRESS.sort_key()) or ended <= key < NEVER
        for key in (sort_key_of(shop, stage) for stage in STAGES)
    )


def _find_shops(
    store: Store, since: datetime, countries: Sequence[str]
) -> tuple[list[Shop], list[Shop], bool]:
    """Shops in which something can have changed, others that were tried, and if there are more."""
    domains = list(islice(_touched_since(store, since, countries), MAX_SHOPS + 1))
    touched = domains[:MAX_SHOPS]
    pages = [
        store.query(pattern(country, since), limit=MAX_SHOPS, units=_MAX_READ_UNITS)
        for country in countries
        for pattern in (keys.crawls_unfinished_since, keys.scrapes_unfinished_since)
    ]
    unfinished = dict.fromkeys(shop.domain for page in pages for shop in page)
    found = _shops(store, [*touched, *unfinished])
    shops = [shop for shop in found if shop.domain in touched]
    others = [shop for shop in found if shop.domain not in touched]
    has_more = any(page.cursor is not None for page in pages)
    return shops, others, has_more or len(domains) > MAX_SHOPS


def _touched_since(store: Store, since: datetime, countries: Sequence[str]) -> Iterator[str]:
    """Domains of shops in which something can have changed since a moment, each once."""
    seen: set[str] = set()
    for country in countries:
        for pattern in (keys.shops_scraped_since, keys.shops_crawled_since):
            for shop in store.iterate(pattern(country, since), at_most=MAX_SHOPS + 1):
                if shop.domain not in seen:
                    seen.add(shop.domain)
                    yield shop.domain


def _shops(store: Store, domains: Iterable[str]) -> BatchGetResult[Shop]:
    shops = store.get_all([keys.shop(domain) for domain in domains])
    if shops.unread:
        raise StoreUnreachable(messages.STORE_BUSY())
    return shops


def _visits(shops: Iterable[Shop], stage: Stage, span: Span) -> tuple[ShopVisit, ...]:
    """The last visits of shops that ended within a span, latest first."""
    visits: list[ShopVisit] = []
    for shop in shops:
        began, ended = last_times(shop, stage)
        if ended is None or ended not in span:
            continue
        if stage == "crawl":
            outcome, reason, pages = shop.crawl_outcome, shop.crawl_reason, shop.crawl_pages
        else:
            outcome, reason, pages = shop.scrape_outcome, shop.scrape_reason, None
        known = None if began is None or began > ended else began
        visits.append(ShopVisit(shop.domain, stage, outcome, reason, known, ended, pages))
    return tuple(sorted(visits, key=lambda visit: visit.ended_at, reverse=True))


def _read_changes(
    store: Store, span: Span, domains: Sequence[str], most: int, *only: str
) -> list[Page[Change]]:
    """The newest changes of each shop; in parallel if the database is remote."""
    limit = most // max(1, len(domains))
    last = span.last - _SECOND  # times are whole seconds, and a range includes both ends

    def read(domain: str) -> Page[Change]:
        query = keys.changes_within(domain, span.first, last)
        return store.query(query.only(*only) if only else query, limit=limit, on_bad=log_bad_change)

    if store.is_in_process:
        return [read(domain) for domain in domains]
    return store.calls.side_by_side(read, domains)


MAX_COUNTED: Final = 10_000


def changes_by_day(
    store: Store, countries: Sequence[str], days: Sequence[date], zone: Zone
) -> dict[date, int]:
    """How many changes each of some consecutive days had."""
    place = ZoneInfo(ZONES[zone])
    span = Span(day_span(days[0], zone).first, day_span(days[-1], zone).last)
    domains = list(islice(_touched_since(store, span.first, countries), MAX_SHOPS))
    pages = _read_changes(store, span, domains, MAX_COUNTED, "seen_at")
    counts = Counter(change.seen_at.astimezone(place).date() for page in pages for change in page)
    return {day: counts[day] for day in days}
