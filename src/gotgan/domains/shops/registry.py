"""The registry of shops: which there are, which are due, and which are stuck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import reduce
from itertools import chain, islice
from operator import add
from typing import TYPE_CHECKING, ClassVar, Final

from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.models import STAGES, Shop, ShopPage, Stage, lifecycle_of
from gotgan.domains.shops.params import (
    AddEntries,
    AddFile,
    AddName,
    After,
    Before,
    Country,
    Domain,
    Domains,
    DueStage,
    Force,
    MaxItems,
    NoCountry,
    OlderThan,
    OnlyStage,
    UrlType,
)
from gotgan.domains.shops.registration import (
    Registration,
    new_shops,
    parse_country,
    parse_registrations,
)
from gotgan.domains.shops.reports import (
    DueShops,
    Hint,
    Registered,
    RelatedShops,
    Released,
    Scanned,
    ShopFailure,
    ShopsAdopted,
    StuckShops,
)
from gotgan.domains.shops.sites import parse_domain, www_twin
from gotgan.domains.shops.stages import (
    DueSpan,
    Stuck,
    current_claim,
    holder,
    is_due,
    is_free,
    is_ready,
    may_be_postponed,
    parse_stage,
    stuck_claim,
)
from gotgan.errors import BadItem, ConditionFailed, Conflict, NotFound, UsageError
from gotgan.events import emit
from gotgan.lifecycle import Claim
from gotgan.params import Cursor, Limit
from gotgan.store import Cost, Page
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.store import Store


STUCK_AFTER: Final = timedelta(hours=2)
DEFAULT_ADOPT_ITEMS: Final = 100_000
ADOPT_INTERVAL: Final = timedelta(hours=20)
"""After this time the schedule starts the next pass: once a day, at any hour."""
_BATCH_GET_SIZE: Final = 100
"""The limit of BatchGetItem in DynamoDB."""
_MAX_READ_UNITS: Final = 16.0
"""Read units for finding the first due shops, per country."""


class Registry:
    """The shops of a store."""

    domain: ClassVar = "shops"

    def __init__(self, store: Store) -> None:
        self._store = store

    # Registering

    @verb(role="editor", kind="write", path="shops")
    def add(
        self,
        domains: Domains = (),
        *,
        country: Country | None = None,
        name: AddName | None = None,
        entries: AddEntries = (),
        file: AddFile | None = None,
    ) -> Registered:
        """Register shops by domain.

        You can give any URL of a shop; with or without www., it is the same shop. All shops are
        checked before any is stored. A registered shop is not changed, except that a missing
        country and missing index keys are added. Shops without a country are not scheduled.
        """
        from gotgan.domains.shops.adoption import register  # noqa: PLC0415 - help needs none

        named = [domains] if isinstance(domains, str) else list(domains)
        if name is not None and len(named) != 1:
            raise UsageError(messages.NAME_FOR_ONE())
        usual = [Registration(domain, country, name) for domain in named]
        listed = [] if file is None else parse_registrations(file, country=country)
        shops = new_shops([*usual, *entries, *listed])
        if not shops:
            raise UsageError(messages.NONE_GIVEN())
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

    @verb(role="editor", kind="run")
    def adopt(
        self, *, max_items: MaxItems = DEFAULT_ADOPT_ITEMS, progress: Progress = silent
    ) -> ShopsAdopted:
        """Import shops and pages written by other tools.

        Adds missing index keys and countries, so that these shops are crawled, scraped and listed.
        A shop without a state gets one from its timestamps: done when its last crawl or scrape
        ended, otherwise never. Nothing else is changed, and you can run it again at any time.
        """
        from gotgan.domains.shops.adoption import adopt  # noqa: PLC0415 - as above

        return adopt(self._store, at_most=max_items, progress=progress, on_shops=self._adopted)

    def _adopted(self, domains: Iterable[str]) -> None:
        """Called for shops of which something was completed, and for those without a country."""

    def is_adoption_due(self) -> bool:
        """Whether ``adopt`` has not read the whole table within the last 20 hours."""
        place = self._store.get(keys.adoption())
        if place is None or place.behind is not None or place.finished_at is None:
            return True
        return self._store.clock.now() - place.finished_at >= ADOPT_INTERVAL

    # Reading

    def page_of_shops(
        self, *, country: str | None = None, limit: int = 100, cursor: str | None = None
    ) -> Page[Shop]:
        """Shops of a country, or of all countries, as the index has them."""
        queries = [keys.shops_of(each) for each in self.countries_or(country)]
        if not queries:
            return Page((), None, Cost(), 0)
        return self._store.query(reduce(add, queries), limit=limit, cursor=cursor)

    @verb()
    def get(self, domain: Domain) -> Shop:
        """Show a shop: its state and how its last crawl and scrape ended."""
        return self._get(domain)

    def _get(self, domain: str, *, consistent: bool = False) -> Shop:
        """A shop, registered with ``www.`` or without."""
        host = parse_domain(domain)
        for each in (host, www_twin(host)):
            shop = self._store.get(keys.shop(each), consistent=consistent)
            if shop is not None:
                return shop
        raise NotFound(messages.NO_SHOP(domain=host))

    def countries(self) -> Sequence[str]:
        """The countries that shops were registered with, in alphabetical order."""
        return [found.country for found in self._store.iterate(keys.countries(), at_most=None)]

    @verb(path="shops/{domain}/related")
    def related(self, domain: Domain) -> RelatedShops:
        """List domains with the same core name.

        For example.de these are example.com and www.example.co.uk. They may be unrelated.
        """
        with self._store.metered("related") as measured:
            shop = self.get(domain)
            query = keys.related_shops(shop.core_domain_name)
            found = [other.domain for other in self._store.iterate(query, at_most=None)]
        return RelatedShops(tuple(other for other in found if other != shop.domain), measured.cost)

    @verb(path="shops/{domain}/urls")
    def urls(
        self,
        domain: Domain,
        *,
        type: UrlType | None = None,  # noqa: A002 - the attribute is named so
        limit: Limit = 100,
        cursor: Cursor | None = None,
    ) -> Page[ShopPage]:
        """List pages of a shop: of one type, or all in alphabetical order."""
        host = self.get(domain).domain
        query = keys.pages_of_type(host, type) if type else keys.pages_of(host)
        return self._store.query(query, limit=limit, cursor=cursor)

    # What is to be done

    @verb()
    def due(
        self,
        *,
        stage: DueStage = "crawl",
        country: Country | None = None,
        no_country: NoCountry = False,
        before: Before | None = None,
        after: After | None = None,
        limit: Limit = 100,
    ) -> DueShops:
        """List shops that are due for a crawl or a scrape.

        A crawl is due for shops that were never crawled, or not for two days; a scrape for shops
        that were crawled since their last scrape. Shops that a worker is processing are not due.
        """
        if no_country and country is not None:
            raise UsageError(messages.COUNTRY_CONFLICT())
        with self._store.metered("due") as measured:
            if no_country:
                found = iter(self.without_country(stage, before=before, after=after).due)
            else:
                found = self.iter_due(stage, country=country, before=before, after=after)
            shops = tuple(islice(found, limit + 1))
            hint = self._hint(is_empty=not shops)
        return DueShops(stage, shops[:limit], len(shops) > limit, hint, measured.cost)

    def iter_due(
        self,
        stage: str,
        *,
        country: str | None = None,
        before: datetime | None = None,
        after: datetime | None = None,
    ) -> Iterator[Shop]:
        """All shops to be crawled or scraped, as the index of the stage has them.

        Shops that were never done come first, then those last done up to ``before``; with ``after``
        only those done since then. Without a country, all countries are read one after the other.
        Postponed shops are left out.
        """
        chosen = parse_stage(stage)
        span = DueSpan.of(chosen, self._store.clock.now(), before, after)
        queries = (span.query(chosen, each) for each in self.countries_or(country))
        found = chain.from_iterable(
            self._store.iterate(query, at_most=None, on_bad=_log_unfit) for query in queries
        )
        return self._ready(chosen, found)

    def first_due(
        self, stage: str, limit: int, *, country: str | None = None
    ) -> tuple[Sequence[Shop], bool]:
        """The first shops that are due, and whether there may be more.

        The search is bounded: a page of the console must not read all postponed shops.
        """
        chosen = parse_stage(stage)
        span = DueSpan.of(chosen, self._store.clock.now(), None, None)
        pages = [
            self._store.query(span.query(chosen, each), limit=limit, units=_MAX_READ_UNITS)
            for each in self.countries_or(country)
        ]
        found = tuple(self._ready(chosen, (shop for page in pages for shop in page)))
        return found[:limit], len(found) > limit or any(page.cursor for page in pages)

    def without_country(
        self, stage: str, *, before: datetime | None = None, after: datetime | None = None
    ) -> Scanned:
        """Shops without a country, which no index has: a scan of the table."""
        chosen, now = parse_stage(stage), self._store.clock.now()
        span = DueSpan.of(chosen, now, before, after)
        with self._store.metered("without_country") as measured:
            every = self._store.scan(Shop, on_bad=_log_unfit)
            shops = [shop for shop in every if shop.shop_country is None]
        shops.sort(key=lambda shop: shop.domain)
        claims = [claim for shop in shops for claim in _expired_claims(shop, STAGES, now)]
        ready = [shop for shop in shops if is_free(shop, chosen) and is_ready(shop, chosen, now)]
        due = [shop for shop in ready if is_due(shop, chosen, span)]
        under_way = sum(not is_free(shop, each) for shop in shops for each in STAGES)
        return Scanned(tuple(due), tuple(claims), under_way, measured.cost)

    @verb()
    def stuck(
        self,
        *,
        older_than: OlderThan = STUCK_AFTER,
        country: Country | None = None,
        no_country: NoCountry = False,
    ) -> StuckShops:
        """List shops whose worker died.

        Their claim is at least this old and past its lease. The next run takes them over; release
        frees them. A worker that still renews its lease is alive, however long it takes.
        """
        if no_country and country is not None:
            raise UsageError(messages.COUNTRY_CONFLICT())
        with self._store.metered("stuck") as measured:
            if no_country:
                started = self._store.clock.now() - older_than
                scanned = self.without_country("crawl")
                found = [each for each in scanned.stuck if each.began_by(started)]
                claims = scanned.under_way
            else:
                found = [*self.iter_stuck(older_than=older_than, country=country)]
                claims = self.under_way(*STAGES, country=country)
            hint = self._hint(is_empty=not claims)
        return StuckShops(tuple(found), max(claims - len(found), 0), hint, measured.cost)

    def iter_stuck(
        self, *, older_than: timedelta = STUCK_AFTER, country: str | None = None
    ) -> Sequence[Stuck]:
        """All crawls and scrapes whose claim is this old and has expired."""
        return self._stuck_in(self.countries_or(country), older_than)

    def under_way(self, *stages: Stage, country: str | None = None) -> int:
        """How many crawls or scrapes of shops with a country are claimed, stuck or not."""
        countries = self.countries_or(country)
        queries = [lifecycle_of(stage).in_progress(each) for stage in stages for each in countries]
        return sum(int(self._store.count(query)) for query in queries)

    @verb(role="editor", kind="write")
    def release(
        self, domains: Domains, *, stage: OnlyStage | None = None, force: Force = False
    ) -> Released:
        """Release shops whose worker died.

        Each returns to its previous state. A live worker keeps its shop unless you force it.
        """
        named = [domains] if isinstance(domains, str) else domains
        hosts = dict.fromkeys(
            map(parse_domain, named)
        )  # all are checked before the first is released
        released: list[Stuck] = []
        refused: list[ShopFailure] = []
        with self._store.metered("release") as measured:
            for domain in hosts:
                try:
                    released += self._release(domain, stage, force=force)
                except (BadItem, ConditionFailed, Conflict, NotFound) as error:
                    refused.append(ShopFailure(domain, error))
        return Released(tuple(released), tuple(refused), measured.cost)

    def _release(self, domain: str, stage: Stage | None, *, force: bool) -> Sequence[Stuck]:
        chosen = STAGES if stage is None else (stage,)
        shop, now = self._get(domain, consistent=True), self._store.clock.now()
        if force:
            claims = [claim for each in chosen if (claim := current_claim(shop, each))]
        else:
            claims = _expired_claims(shop, chosen, now)
        if not claims:
            holders = [*filter(None, (holder(shop, each) for each in chosen))]
            if not holders:
                raise Conflict(messages.NOT_CLAIMED(domain=shop.domain))
            raise Conflict(messages.STILL_CLAIMED(holders=holders))
        for claim in claims:
            lifecycle = lifecycle_of(claim.stage)
            held = Claim(shop, lifecycle.position(shop)) if force else shop
            lifecycle.release(self._store, held)
            emit("shops.released", domain=shop.domain, stage=claim.stage, owner=claim.owner)
        return claims

    def _hint(self, *, is_empty: bool) -> Hint | None:
        """What to do if nothing was found; at most one page of the table is read."""
        from gotgan.domains.shops.adoption import is_adoption_needed  # noqa: PLC0415 - as above

        if not is_empty:
            return None
        scan = self._store.scan(Shop, on_bad=_log_unfit)
        if not self.countries() and next(iter(scan), None) is None:
            return "add_shops"
        return "adopt_shops" if is_adoption_needed(self._store) else None

    def countries_or(self, country: str | None) -> Sequence[str]:
        """The given country, or all countries."""
        return self.countries() if country is None else [parse_country(country)]

    def _ready(self, stage: Stage, shops: Iterable[Shop]) -> Iterator[Shop]:
        """Shops of the index of a stage without those that are postponed.

        The index does not have that. Only shops that were started since they were last done can be
        postponed, so no others are looked up in the table.
        """
        coming, now = iter(shops), self._store.clock.now()
        while batch := tuple(islice(coming, _BATCH_GET_SIZE)):
            asked = [keys.shop(shop.domain) for shop in batch if may_be_postponed(shop, stage)]
            found = self._store.get_all(asked) if asked else ()
            waiting = {shop.domain for shop in found if not is_ready(shop, stage, now)}
            yield from (shop for shop in batch if shop.domain not in waiting)

    def _stuck_in(self, countries: Sequence[str], older_than: timedelta) -> Sequence[Stuck]:
        now = self._store.clock.now()
        return [
            claim
            for stage in STAGES
            for country in countries
            for shop in lifecycle_of(stage).stuck(self._store, country)
            if (claim := stuck_claim(shop, stage, now)) and claim.began_by(now - older_than)
        ]


def _log_unfit(misfit: BadItem) -> None:
    """Leave out an unreadable shop of another tool."""
    emit("shops.shop.unfit", level="warning", reason=misfit.message)


def _expired_claims(shop: Shop, stages: Iterable[Stage], now: datetime) -> list[Stuck]:
    return [claim for stage in stages if (claim := stuck_claim(shop, stage, now))]
