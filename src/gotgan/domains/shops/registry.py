"""The registry of shops: which there are, which are due, and which are stuck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, islice
from typing import Final, get_args

from gotgan.domains.shops import patterns
from gotgan.domains.shops.adoption import (
    ADOPT_EVERY,
    ADOPT_ITEMS,
    Adopted,
    OnAdoptStep,
    adopt,
    is_needed,
    silently,
)
from gotgan.domains.shops.countries import country_of
from gotgan.domains.shops.due import Span, is_due
from gotgan.domains.shops.lanes import Lane, lanes_of
from gotgan.domains.shops.models import Change, Shop, ShopPage
from gotgan.domains.shops.reading import PageType
from gotgan.domains.shops.registering import Registered, register
from gotgan.domains.shops.registrations import Registration, shop_of, shops_of
from gotgan.domains.shops.sites import domain_of, twin_of
from gotgan.domains.shops.stages import (
    STAGES,
    Stage,
    Stuck,
    claim_of,
    holder_of,
    is_free,
    is_ready,
    lifecycle_of,
    may_wait,
    stage_of,
    stuck_in,
)
from gotgan.errors import BadItem, Conflict, NotFound, UsageError
from gotgan.events import emit
from gotgan.lifecycle import Claim
from gotgan.store import Cost, Page, Store

__all__ = ["PAGE", "STUCK_AFTER", "Registry", "Scanned"]

_TYPES: Final[tuple[str, ...]] = get_args(PageType)
PAGE: Final = 100
"""How many addresses a page has."""
STUCK_AFTER: Final = timedelta(hours=2)
"""How long ago a claim began that counts as stuck, unless somebody says otherwise."""
_BATCH: Final = 100
"""How many shops are looked up together; DynamoDB takes no more keys in one BatchGetItem."""
_UNITS: Final = 16.0
"""How many read units finding the first few that are due may take, for each country."""


@dataclass(frozen=True)
class Scanned:
    """Shops without a country, found by reading the whole table."""

    due: tuple[Shop, ...]
    """In the order of their domains."""
    stuck: tuple[Stuck, ...]
    """In either stage."""
    under_way: int
    """How many claims there are, in either stage, stuck or not."""
    cost: Cost


class Registry:
    """The shops of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # Registering

    def add(
        self, domain: str, *, country: str | None = None, name: str | None = None
    ) -> Registered:
        """Register a shop; one that is there gets what it lacks: index keys, and a country."""
        report = self._registered([shop_of(Registration(domain, country, name))])
        for failed in report.failed:
            raise failed.error
        return report

    def add_all(self, entries: Iterable[Registration]) -> Registered:
        """Register what is new of many shops; all of them are right, or none is stored."""
        return self._registered(shops_of(entries))

    def adopt(self, *, max_items: int = ADOPT_ITEMS, on_step: OnAdoptStep = silently) -> Adopted:
        """Adopt shops and pages that other tools wrote: add missing index keys and countries.

        A shop without a state gets one from its timestamps: ``DONE#`` with the time of its last
        end, otherwise ``NEVER#``. What is there is not changed. A run reads up to ``max_items``
        items of the table; the next one continues from there, and starts over after the end.
        """
        if max_items < 1:
            raise UsageError(f"max_items is {max_items}; use a number of items, 1 or more")
        return adopt(self._store, at_most=max_items, on_step=on_step)

    def is_adoption_due(self) -> bool:
        """Whether ``adopt`` has not read the whole table within the last 20 hours."""
        place = self._store.get(patterns.adoption())
        if place is None or place.behind is not None or place.finished_at is None:
            return True
        return self._store.clock.now() - place.finished_at >= ADOPT_EVERY

    def needs_adoption(self) -> bool:
        """Whether shops of other tools are there that no index has; one page is looked at."""
        return is_needed(self._store)

    def _registered(self, shops: list[Shop]) -> Registered:
        report = register(self._store, shops)
        emit(
            "shops.added",
            given=report.given,
            new=len(report.new),
            placed=len(report.placed),
            adopted=len(report.adopted),
            failed=len(report.failed),
        )
        return report

    # Reading

    def get(self, domain: str, *, consistent: bool = False) -> Shop:
        """One shop, whether it was registered with ``www.`` or without."""
        host = domain_of(domain)
        for each in (host, twin_of(host)):
            shop = self._store.get(patterns.shop(each), consistent=consistent)
            if shop is not None:
                return shop
        raise NotFound(f"there is no shop {host}; register it first: gotgan shops add {host}")

    def countries(self) -> list[str]:
        """The countries that shops were registered with, by the alphabet."""
        return [found.country for found in self._store.iterate(patterns.countries(), at_most=None)]

    def related(self, domain: str) -> list[str]:
        """Other domains with the same core name, by the alphabet."""
        shop = self.get(domain)
        query = patterns.related_shops(shop.core_domain_name)
        found = [other.domain for other in self._store.iterate(query, at_most=None)]
        return [other for other in found if other != shop.domain]

    def urls(
        self,
        domain: str,
        page_type: str | None = None,
        *,
        limit: int = PAGE,
        cursor: str | None = None,
    ) -> Page[ShopPage]:
        """A page of a shop's addresses: of one type, or all in the order of the alphabet."""
        if page_type and page_type not in _TYPES:
            raise UsageError(f"{page_type!r} is no type of page; use one of {', '.join(_TYPES)}")
        host = self.get(domain).domain
        query = patterns.pages_of_type(host, page_type) if page_type else patterns.pages_of(host)
        return self._store.query(query, limit=limit, cursor=cursor)

    def changes(
        self,
        domain: str,
        *,
        since: datetime | None = None,
        limit: int = PAGE,
        cursor: str | None = None,
    ) -> Page[Change]:
        """A page of what changed in a shop, newest first; from a moment on where one is given."""
        host = self.get(domain).domain
        query = patterns.changes_of(host)
        if since is not None:
            query = patterns.changes_since(host, since).newest_first()
        return self._store.query(query, limit=limit, cursor=cursor)

    # What is to be done

    def due(
        self,
        stage: str,
        *,
        country: str | None = None,
        before: datetime | None = None,
        after: datetime | None = None,
    ) -> Iterator[Shop]:
        """Shops to be crawled or scraped, as the index of the stage has them.

        Those that never were come first, then those that were last done up to ``before``; with
        ``after`` only those that were done, from then on. Without a country all countries are
        walked, one after the other. A shop that could not be reached is left out until its next
        attempt.
        """
        chosen = stage_of(stage)
        span = Span.of(chosen, self._store.clock.now(), before, after)
        queries = (span.query(chosen, each) for each in self.asked(country))
        found = chain.from_iterable(
            self._store.iterate(query, at_most=None, on_bad=_pass_over) for query in queries
        )
        return self._ready(chosen, found)

    def first_due(
        self, stage: str, limit: int, *, country: str | None = None
    ) -> tuple[list[Shop], bool]:
        """The first shops that are due, and whether there may be more.

        Not all are looked at where many wait for something else: a page of the console is no reason
        to read them.
        """
        chosen = stage_of(stage)
        span = Span.of(chosen, self._store.clock.now(), None, None)
        pages = [
            self._store.query(span.query(chosen, each), limit=limit, units=_UNITS)
            for each in self.asked(country)
        ]
        found = list(self._ready(chosen, (shop for page in pages for shop in page)))
        return found[:limit], len(found) > limit or any(page.cursor for page in pages)

    def without_country(
        self, stage: str, *, before: datetime | None = None, after: datetime | None = None
    ) -> Scanned:
        """Shops that no index of work has, because they have no country: a scan of the table."""
        chosen, now = stage_of(stage), self._store.clock.now()
        span = Span.of(chosen, now, before, after)
        with self._store.metered("without_country") as measured:
            shops = self._countryless()
        claims = [claim for shop in shops for claim in _claims(shop, STAGES, now)]
        ready = [shop for shop in shops if is_free(shop, chosen) and is_ready(shop, chosen, now)]
        due = [shop for shop in ready if is_due(shop, chosen, span)]
        under_way = sum(not is_free(shop, each) for shop in shops for each in STAGES)
        return Scanned(tuple(due), tuple(claims), under_way, measured.cost)

    def stuck(
        self, *, older_than: timedelta = STUCK_AFTER, country: str | None = None
    ) -> list[Stuck]:
        """Crawls and scrapes that began so long ago, and whose claim is past its lease.

        One whose worker still renews its lease is alive, however long it takes.
        """
        return self._stuck_in(self.asked(country), older_than)

    def under_way(self, *stages: Stage, country: str | None = None) -> int:
        """How many crawls or scrapes somebody has begun, stuck or not; of shops with a country."""
        countries = self.asked(country)
        queries = [lifecycle_of(stage).in_progress(each) for stage in stages for each in countries]
        return sum(int(self._store.count(query)) for query in queries)

    def is_empty(self) -> bool:
        """Whether no shop was ever registered, with a country or without."""
        return (
            not self.countries()
            and next(iter(self._store.scan(Shop, on_bad=_pass_over)), None) is None
        )

    def release(self, domain: str, stage: str | None = None, *, force: bool = False) -> list[Stuck]:
        """Give back a shop that is stuck, in one stage or in both: it stands where it stood.

        With ``force`` one whose lease is not over as well: its worker, should it be alive, loses
        what it did since it last wrote something down.
        """
        chosen = STAGES if stage is None else (stage_of(stage),)
        shop, now = self.get(domain, consistent=True), self._store.clock.now()
        claims = _all_claims(shop, chosen) if force else _claims(shop, chosen, now)
        if not claims:
            raise Conflict(_not_stuck(shop, chosen))
        for claim in claims:
            lifecycle = lifecycle_of(claim.stage)
            held = Claim(shop, lifecycle.position(shop)) if force else shop
            lifecycle.release(self._store, held)
            emit("shops.released", domain=shop.domain, stage=claim.stage, owner=claim.owner)
        return claims

    def lanes(self, stage: Stage, *, country: str | None = None) -> tuple[Lane, ...]:
        """How many shops never were crawled or scraped, are under way or done, and the first."""
        return lanes_of(self._store, stage, self.asked(country))

    def asked(self, country: str | None) -> list[str]:
        """The country that is asked about, or all that there are."""
        return self.countries() if country is None else [country_of(country)]

    def _ready(self, stage: Stage, shops: Iterable[Shop]) -> Iterator[Shop]:
        """Of shops as the index of a stage has them, those that are not postponed.

        The index does not say which are. Only those that were begun since they were last done can
        be, so no others are looked up in the table.
        """
        coming, now = iter(shops), self._store.clock.now()
        while batch := list(islice(coming, _BATCH)):
            asked = [patterns.shop(shop.domain) for shop in batch if may_wait(shop, stage)]
            found = self._store.get_all(asked) if asked else ()
            waiting = {shop.domain for shop in found if not is_ready(shop, stage, now)}
            yield from (shop for shop in batch if shop.domain not in waiting)

    def _stuck_in(self, countries: Sequence[str], older_than: timedelta) -> list[Stuck]:
        began = self._store.clock.now() - older_than
        return [
            claim
            for stage in STAGES
            for each in countries
            for claim in self._stuck_of(stage, each)
            if claim.began_by(began)
        ]

    def _stuck_of(self, stage: Stage, country: str) -> Iterator[Stuck]:
        now = self._store.clock.now()
        found = lifecycle_of(stage).stuck(self._store, country)
        return (claim for shop in found for claim in _claims(shop, [stage], now))

    def _countryless(self) -> list[Shop]:
        found = [
            shop for shop in self._store.scan(Shop, on_bad=_pass_over) if shop.shop_country is None
        ]
        return sorted(found, key=lambda shop: shop.domain)


def _pass_over(misfit: BadItem) -> None:
    """Leave out a shop that another tool wrote and that cannot be read; the others are found."""
    emit("shops.shop.unfit", level="warning", reason=misfit.message)


def _claims(shop: Shop, stages: Iterable[Stage], now: datetime) -> list[Stuck]:
    """The claims on a shop that nobody holds any more."""
    return [claim for stage in stages if (claim := stuck_in(shop, stage, now))]


def _all_claims(shop: Shop, stages: Iterable[Stage]) -> list[Stuck]:
    """The claims on a shop, whoever holds them."""
    return [claim for stage in stages if (claim := claim_of(shop, stage))]


def _not_stuck(shop: Shop, stages: Iterable[Stage]) -> str:
    held = [sentence for stage in stages if (sentence := holder_of(shop, stage))]
    if not held:
        return f"nobody works on {shop.domain}; there is nothing to release"
    over = "once that is over it can be released, or the next run takes it over"
    return f"{'; '.join(held)}; {over}. Where that worker is dead, force gives it back at once"
