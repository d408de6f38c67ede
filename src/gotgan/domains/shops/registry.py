"""The registry of shops: which there are, which are due, and which are stuck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import reduce
from itertools import chain, islice
from operator import add
from typing import TYPE_CHECKING, ClassVar, Final

from gotgan.domains.shops import patterns
from gotgan.domains.shops.countries import country_of
from gotgan.domains.shops.due import DueSpan, is_due
from gotgan.domains.shops.lanes import Lane, lanes_of
from gotgan.domains.shops.models import STAGES, Change, Shop, ShopPage, Stage, lifecycle_of
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
    Since,
    UrlType,
)
from gotgan.domains.shops.registrations import Registration, registrations_from, shops_of
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
from gotgan.domains.shops.sites import domain_of, twin_of
from gotgan.domains.shops.stages import (
    Stuck,
    claim_of,
    holder_of,
    is_free,
    is_ready,
    may_wait,
    stage_of,
    stuck_in,
)
from gotgan.errors import BadItem, ConditionFailed, Conflict, NotFound, UsageError
from gotgan.events import emit
from gotgan.lifecycle import Claim
from gotgan.params import Cursor, Limit
from gotgan.store import Cost, Page
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.store import Store

__all__ = ["STUCK_AFTER", "Registry"]

STUCK_AFTER: Final = timedelta(hours=2)
"""How old a claim is that counts as stuck."""
ADOPT_ITEMS: Final = 100_000
"""How many items one run reads, unless the caller says otherwise."""
ADOPT_EVERY: Final = timedelta(hours=20)
"""How old the last complete pass is when the schedule starts the next: once a day, at any hour."""
_BATCH: Final = 100
"""How many shops are looked up together; DynamoDB takes no more keys in one BatchGetItem."""
_UNITS: Final = 16.0
"""How many read units finding the first few that are due may take, for each country."""


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

        Any URL of a shop will do; with www. or without, it is one shop. All shops are checked
        before the first is stored. A registered shop stays as it is, but gets a country if it has
        none, and index keys that are missing if another tool wrote it. Shops without a country are
        not scheduled.
        """
        from gotgan.domains.shops.registering import register  # noqa: PLC0415 - help needs none

        named = [domains] if isinstance(domains, str) else list(domains)
        if name is not None and len(named) != 1:
            raise UsageError("A name is for one domain. A file or entries can name each shop.")
        usual = [Registration(domain, country, name) for domain in named]
        listed = [] if file is None else registrations_from(file, country=country)
        shops = shops_of([*usual, *entries, *listed])
        if not shops:
            raise UsageError("No shops given. Name domains, or a file of them.")
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
        self, *, max_items: MaxItems = ADOPT_ITEMS, progress: Progress = silent
    ) -> ShopsAdopted:
        """Import shops and pages written by other tools.

        Adds missing index keys and countries, so that these shops are crawled, scraped and listed.
        A shop without a state gets one from its timestamps: done when its last crawl or scrape
        ended, otherwise never. Nothing else is changed, and you can run it again at any time.
        """
        from gotgan.domains.shops.adoption import adopt  # noqa: PLC0415 - as above

        return adopt(
            self._store,
            at_most=max_items,
            on_step=lambda read, completed: progress(read, 0, "", completed=completed),
        )

    def is_adoption_due(self) -> bool:
        """Whether ``adopt`` has not read the whole table within the last 20 hours."""
        place = self._store.get(patterns.adoption())
        if place is None or place.behind is not None or place.finished_at is None:
            return True
        return self._store.clock.now() - place.finished_at >= ADOPT_EVERY

    # Reading

    @verb()
    def list(
        self, *, country: Country | None = None, limit: Limit = 100, cursor: Cursor | None = None
    ) -> Page[Shop]:
        """List shops of a country, or of all countries."""
        queries = [patterns.shops_of(each) for each in self.asked(country)]
        if not queries:
            return Page((), None, Cost(), 0)
        return self._store.query(reduce(add, queries), limit=limit, cursor=cursor)

    @verb()
    def get(self, domain: Domain) -> Shop:
        """Show a shop: its state and how its last crawl and scrape ended."""
        return self._get(domain)

    def _get(self, domain: str, *, consistent: bool = False) -> Shop:
        """One shop, whether it was registered with ``www.`` or without."""
        host = domain_of(domain)
        for each in (host, twin_of(host)):
            shop = self._store.get(patterns.shop(each), consistent=consistent)
            if shop is not None:
                return shop
        raise NotFound(f"There is no shop {host}. Register it first: gotgan shops add {host}")

    def countries(self) -> Sequence[str]:
        """The countries that shops were registered with, by the alphabet."""
        return [found.country for found in self._store.iterate(patterns.countries(), at_most=None)]

    @verb(path="shops/{domain}/related")
    def related(self, domain: Domain) -> RelatedShops:
        """List domains with the same core name.

        For example.de these are example.com and www.example.co.uk. They need not belong together.
        """
        with self._store.metered("related") as measured:
            shop = self.get(domain)
            query = patterns.related_shops(shop.core_domain_name)
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
        query = patterns.pages_of_type(host, type) if type else patterns.pages_of(host)
        return self._store.query(query, limit=limit, cursor=cursor)

    @verb(path="shops/{domain}/changes")
    def changes(
        self,
        domain: Domain,
        *,
        since: Since | None = None,
        limit: Limit = 100,
        cursor: Cursor | None = None,
    ) -> Page[Change]:
        """List price and status changes of a shop, newest first."""
        host = self.get(domain).domain
        query = patterns.changes_of(host)
        if since is not None:
            query = patterns.changes_since(host, since).newest_first()
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
        _expect_one(country, no_country=no_country)
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

        Those that never were come first, then those that were last done up to ``before``; with
        ``after`` only those that were done, from then on. Without a country all countries are
        walked, one after the other. A shop that could not be reached is left out until its next
        attempt.
        """
        chosen = stage_of(stage)
        span = DueSpan.of(chosen, self._store.clock.now(), before, after)
        queries = (span.query(chosen, each) for each in self.asked(country))
        found = chain.from_iterable(
            self._store.iterate(query, at_most=None, on_bad=_pass_over) for query in queries
        )
        return self._ready(chosen, found)

    def first_due(
        self, stage: str, limit: int, *, country: str | None = None
    ) -> tuple[Sequence[Shop], bool]:
        """The first shops that are due, and whether there may be more.

        Not all are looked at where many wait for something else: a page of the console is no reason
        to read them.
        """
        chosen = stage_of(stage)
        span = DueSpan.of(chosen, self._store.clock.now(), None, None)
        pages = [
            self._store.query(span.query(chosen, each), limit=limit, units=_UNITS)
            for each in self.asked(country)
        ]
        found = tuple(self._ready(chosen, (shop for page in pages for shop in page)))
        return found[:limit], len(found) > limit or any(page.cursor for page in pages)

    def without_country(
        self, stage: str, *, before: datetime | None = None, after: datetime | None = None
    ) -> Scanned:
        """Shops that no index of work has, because they have no country: a scan of the table."""
        chosen, now = stage_of(stage), self._store.clock.now()
        span = DueSpan.of(chosen, now, before, after)
        with self._store.metered("without_country") as measured:
            shops = self._countryless()
        claims = [claim for shop in shops for claim in _claims(shop, STAGES, now)]
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
        _expect_one(country, no_country=no_country)
        with self._store.metered("stuck") as measured:
            if no_country:
                started = self._store.clock.now() - older_than
                there = self.without_country("crawl")
                found = [each for each in there.stuck if each.began_by(started)]
                claims = there.under_way
            else:
                found = [*self.iter_stuck(older_than=older_than, country=country)]
                claims = self.under_way(*STAGES, country=country)
            hint = self._hint(is_empty=not claims)
        return StuckShops(tuple(found), max(claims - len(found), 0), hint, measured.cost)

    def iter_stuck(
        self, *, older_than: timedelta = STUCK_AFTER, country: str | None = None
    ) -> Sequence[Stuck]:
        """All crawls and scrapes whose claim is this old and past its lease."""
        return self._stuck_in(self.asked(country), older_than)

    def under_way(self, *stages: Stage, country: str | None = None) -> int:
        """How many crawls or scrapes somebody has begun, stuck or not; of shops with a country."""
        countries = self.asked(country)
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
        hosts = dict.fromkeys(map(domain_of, named))  # all are checked before the first is released
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
            claims = [claim for each in chosen if (claim := claim_of(shop, each))]
        else:
            claims = _claims(shop, chosen, now)
        if not claims:
            raise Conflict(_not_stuck(shop, chosen))
        for claim in claims:
            lifecycle = lifecycle_of(claim.stage)
            held = Claim(shop, lifecycle.position(shop)) if force else shop
            lifecycle.release(self._store, held)
            emit("shops.released", domain=shop.domain, stage=claim.stage, owner=claim.owner)
        return claims

    def _hint(self, *, is_empty: bool) -> Hint | None:
        """What to do where nothing was found; at most one page of the table is read."""
        from gotgan.domains.shops.adoption import is_needed  # noqa: PLC0415 - as above

        if not is_empty:
            return None
        if (
            not self.countries()
            and next(iter(self._store.scan(Shop, on_bad=_pass_over)), None) is None
        ):
            return "add_shops"
        return "adopt_shops" if is_needed(self._store) else None

    def lanes(self, stage: Stage, *, country: str | None = None) -> tuple[Lane, ...]:
        """How many shops never were crawled or scraped, are under way or done, and the first."""
        return lanes_of(self._store, stage, self.asked(country))

    def asked(self, country: str | None) -> Sequence[str]:
        """The country that is asked about, or all that there are."""
        return self.countries() if country is None else [country_of(country)]

    def _ready(self, stage: Stage, shops: Iterable[Shop]) -> Iterator[Shop]:
        """Of shops as the index of a stage has them, those that are not postponed.

        The index does not say which are. Only those that were begun since they were last done can
        be, so no others are looked up in the table.
        """
        coming, now = iter(shops), self._store.clock.now()
        while batch := tuple(islice(coming, _BATCH)):
            asked = [patterns.shop(shop.domain) for shop in batch if may_wait(shop, stage)]
            found = self._store.get_all(asked) if asked else ()
            waiting = {shop.domain for shop in found if not is_ready(shop, stage, now)}
            yield from (shop for shop in batch if shop.domain not in waiting)

    def _stuck_in(self, countries: Sequence[str], older_than: timedelta) -> Sequence[Stuck]:
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

    def _countryless(self) -> Sequence[Shop]:
        found = [
            shop for shop in self._store.scan(Shop, on_bad=_pass_over) if shop.shop_country is None
        ]
        return sorted(found, key=lambda shop: shop.domain)


def _expect_one(country: str | None, *, no_country: bool) -> None:
    if no_country and country is not None:
        raise UsageError("Use either a country or no_country, not both.")


def _pass_over(misfit: BadItem) -> None:
    """Leave out a shop that another tool wrote and that cannot be read; the others are found."""
    emit("shops.shop.unfit", level="warning", reason=misfit.message)


def _claims(shop: Shop, stages: Iterable[Stage], now: datetime) -> list[Stuck]:
    """The claims on a shop that nobody holds any more."""
    return [claim for stage in stages if (claim := stuck_in(shop, stage, now))]


def _not_stuck(shop: Shop, stages: Iterable[Stage]) -> str:
    held = [sentence for stage in stages if (sentence := holder_of(shop, stage))]
    if not held:
        return f"nobody works on {shop.domain}; there is nothing to release"
    over = "once that is over it can be released, or the next run takes it over"
    return f"{'; '.join(held)}; {over}. Where that worker is dead, force gives it back at once"
