"""What the shops can do: one place for all of their verbs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from gotgan.clock import Zone, day_span
from gotgan.domain import (
    ADOPTED,
    GO,
    Core,
    GateDecision,
    Service,
    SetupStep,
    SimpleDecision,
    contact_step,
    skipped,
    web_unset,
)
from gotgan.domains.shops import patterns
from gotgan.domains.shops.countries import country_of
from gotgan.domains.shops.crawl_reports import CrawlReport, CrawlStep
from gotgan.domains.shops.crews import Check, PoolReport, work_through
from gotgan.domains.shops.keys import SHOPS
from gotgan.domains.shops.models import Shop, Stage
from gotgan.domains.shops.params import (
    CheckOnly,
    Country,
    DeliverFile,
    Domains,
    Lease,
    MaxPages,
    Workers,
)
from gotgan.domains.shops.registry import STUCK_AFTER, Registry
from gotgan.domains.shops.reports import Delivered
from gotgan.domains.shops.scrape_reports import ScrapeReport, ScrapeStep
from gotgan.domains.shops.sites import twin_of
from gotgan.domains.shops.stages import claimed
from gotgan.errors import UsageError
from gotgan.lifecycle import TWO_HOURS
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.domains.shops.sinks import Webhook
    from gotgan.domains.shops.summaries import ShopsDay
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.store import Store

__all__ = ["CrawlSummary", "ScrapeSummary", "Shops", "names_of"]

_STANDARD_OUTPUT: Final = Path("-")
S = TypeVar("S", CrawlStep, ScrapeStep)
P = TypeVar("P", bound=PoolReport[Any])


class CrawlSummary(PoolReport[CrawlReport]):
    """What a crawl of several shops did."""


class ScrapeSummary(PoolReport[ScrapeReport]):
    """What a scrape of several shops did."""


def _about(
    shops: Shops, domains: Sequence[str], country: str | None = None
) -> tuple[str, ...] | None:
    """The shops by domain, or a country by its code."""
    named = tuple(shops.get(domain).domain for domain in domains)
    return named or (None if country is None else (country_of(country),))


def _about_named(shops: Shops, domains: Sequence[str]) -> tuple[str, ...] | None:
    return _about(shops, domains)


def names_of(shop: Shop) -> tuple[str, ...]:
    """What a run that is about a shop may call it: with ``www.`` or without, or by its country."""
    domains = (shop.domain, twin_of(shop.domain))
    return domains if shop.shop_country is None else (*domains, shop.shop_country)


_NO_SHOP: Final = skipped("no_shops", "no shop is registered with a country")
_NO_WEBHOOK: Final = skipped(
    "no_webhook", "nobody wants to hear of changes; set GOTGAN_WEBHOOK and GOTGAN_WEBHOOK_SECRET"
)


class Shops(Registry, Service):
    """Shops: registered once, crawled and scraped again and again, every change detected."""

    def __init__(self, store: Store, web: Web, settings: Settings) -> None:
        super().__init__(store)
        self._web = web
        self._settings = settings

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""
        return cls(core.store, core.web, core.settings)

    def prepare(self) -> None:
        """Create the table if it is missing."""
        self._store.create(SHOPS)

    # Gates and setup

    def is_ready(self) -> GateDecision:
        """Whether shops may be fetched, and whether there are any."""
        return web_unset(self._settings) or self._registered() or GO

    def is_webhook_ready(self) -> GateDecision:
        """Whether there is a webhook, and shops to tell it of."""
        return self._webhook_unset() or self._registered() or GO

    def is_to_adopt(self) -> GateDecision:
        """Whether records of other tools were not looked for lately."""
        return GO if self.is_adoption_due() else ADOPTED

    def unset(self) -> SimpleDecision | None:
        """Which settings are missing to collect on schedule; None if none are."""
        return web_unset(self._settings)

    def setup(self) -> Sequence[SetupStep]:
        """What there is to set up."""
        return (
            contact_step(self.domain, self._settings),
            SetupStep.of(
                self.domain,
                "shop",
                self._registered(),
                command="gotgan shops add DOMAIN --country XX",
            ),
            SetupStep.of(
                self.domain,
                "webhook",
                self._webhook_unset(),
                is_needed=False,
                variables=("GOTGAN_WEBHOOK", "GOTGAN_WEBHOOK_SECRET"),
            ),
        )

    def _registered(self) -> SimpleDecision | None:
        return None if self.countries() else _NO_SHOP

    def _webhook_unset(self) -> SimpleDecision | None:
        is_set = self._settings.webhook and self._settings.webhook_secret is not None
        return None if is_set else _NO_WEBHOOK

    # Working

    @verb(role="editor", kind="run", about=_about)
    def crawl(
        self,
        domains: Domains = (),
        *,
        country: Country | None = None,
        workers: Workers = 8,
        max_pages: MaxPages = 5_000,
        lease: Lease = TWO_HOURS,
        progress: Progress = silent,
    ) -> CrawlSummary:
        """Discover the pages of shops.

        Without domains: all shops that are due, stuck ones first. Several runs can work at once,
        and an interrupted crawl resumes. A shop that cannot be reached is due again after 5
        minutes, then 10, up to 6 hours; naming it tries it at once.
        """
        from gotgan.domains.shops.crawling import crawl_shop  # noqa: PLC0415 - it loads the readers

        named, web = [self.get(domain) for domain in domains], self._web.share()
        tally = _Tally(progress)

        def work(shop: Shop, check: Check) -> CrawlReport:
            claim = claimed(self._store, "crawl", shop, lease, is_early=bool(named))
            return crawl_shop(
                self._store,
                web,
                claim,
                budget=max_pages,
                lease=lease,
                on_step=_checked(check, tally.crawled),
            )

        shops = named or self.to_do("crawl", country=country)
        report = CrawlSummary()
        work_through(shops, work, report, workers=workers, at_end=web.close)
        return self._counted(report, "crawl", country)

    @verb(role="editor", kind="run", about=_about)
    def scrape(
        self,
        domains: Domains = (),
        *,
        country: Country | None = None,
        workers: Workers = 8,
        check_only: CheckOnly = False,
        lease: Lease = TWO_HOURS,
        progress: Progress = silent,
    ) -> ScrapeSummary:
        """Check the products of shops for changes.

        Without domains: all shops that were crawled since their last scrape, stuck ones first. It
        does not discover pages. A shop that cannot be reached is tried again as after a crawl.
        """
        from gotgan.domains.shops.scraping import scrape_shop  # noqa: PLC0415 - as above

        named, web = [self.get(domain) for domain in domains], self._web.share()
        tally = _Tally(progress)

        def work(shop: Shop, check: Check) -> ScrapeReport:
            claim = claimed(self._store, "scrape", shop, lease, is_early=bool(named))
            return scrape_shop(
                self._store,
                web,
                claim,
                on_step=_checked(check, tally.scraped),
                seconds_between_renewals=lease.total_seconds() / 4,
                lease=lease,
            )

        others = self._crawled if check_only else partial(self.to_do, "scrape")
        shops = named or others(country=country)
        report = ScrapeSummary()
        work_through(shops, work, report, workers=workers, at_end=web.close)
        return self._counted(report, "scrape", country)

    def to_do(self, stage: Stage, *, country: str | None = None) -> Iterator[Shop]:
        """What workers process without a list of shops: those stuck, then those due."""
        stuck = self._stuck_in(self.asked(country), timedelta(0))
        left = (each.shop for each in stuck if each.stage == stage)
        return chain(left, self.iter_due(stage, country=country))

    @verb(role="editor", kind="run", about=_about_named)
    def deliver(self, domains: Domains = (), *, file: DeliverFile | None = None) -> Delivered:
        """Send changes to a webhook or a file.

        Every change is sent at least once: the position of each webhook and file is stored. If it
        fails, the rest is sent the next time. Without domains: all shops with a country.
        """
        from gotgan.domains.shops.deliveries import deliver_changes  # noqa: PLC0415 - as above
        from gotgan.domains.shops.sinks import JsonLinesFile  # noqa: PLC0415 - as above

        if file == _STANDARD_OUTPUT:
            raise UsageError(
                "Changes cannot be written to standard output: the position is stored under the "
                "name of the file. Name one, such as changes.jsonl."
            )
        sink = self._webhook() if file is None else JsonLinesFile(file)
        named = [self.get(domain).domain for domain in domains]
        return deliver_changes(self._store, named or self._every_domain(), sink)

    # Looking back

    def summary(self, day: date, zone: Zone) -> ShopsDay:
        """What a day brought to the shops with a country, in short."""
        from gotgan.domains.shops.summaries import (  # noqa: PLC0415 - for the day alone
            few_shops,
            shops_day,
            stuck_among,
        )

        countries, now = self.countries(), self._store.clock.now()
        every = few_shops(self._store, countries)
        if every is None:
            stuck = self._stuck_in(countries, STUCK_AFTER)
        else:
            stuck = stuck_among(every, now - STUCK_AFTER, now)
        return shops_day(self._store, day_span(day, zone), countries, stuck, every)

    def change_counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many changes each of some days in a row brought."""
        from gotgan.domains.shops.tallies import changes_by_day  # noqa: PLC0415 - as above

        return changes_by_day(self._store, self.countries(), days, zone)

    def _counted(self, report: P, stage: Stage, country: str | None) -> P:
        """With how many claims of others there are and what to do, where nothing was due."""
        if report.is_idle:
            report.in_progress = self.under_way(stage, country=country)
            report.hint = self._hint(is_empty=not report.in_progress)
        return report

    def _webhook(self) -> Webhook:
        from gotgan.domains.shops.sinks import Webhook  # noqa: PLC0415 - it loads the web client

        url, secret = self._settings.webhook, self._settings.webhook_secret
        if not url or secret is None:
            raise UsageError(
                "No webhook is configured. Set GOTGAN_WEBHOOK and GOTGAN_WEBHOOK_SECRET, or name a "
                "file."
            )
        return Webhook(url, secret, self._web, self._store.clock)

    def _every_domain(self) -> Iterator[str]:
        for country in self.countries():
            shops = self._store.iterate(patterns.shops_of(country), at_most=None)
            yield from (shop.domain for shop in shops)

    def _crawled(self, *, country: str | None) -> Iterator[Shop]:
        for each in self.asked(country):
            crawled = self._store.iterate(patterns.shops_crawled_ever(each), at_most=None)
            yield from self._ready("scrape", crawled)


def _checked(check: Check, on_step: Callable[[S], None]) -> Callable[[S], None]:
    """Report progress, unless the workers are to stop."""

    def report(step: S) -> None:
        check()
        on_step(step)

    return report


@dataclass
class _ShopTally:
    pages: int = 0
    left: int = 0
    found: int = 0


class _Tally:
    """The progress of all workers, added up to that of one run."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._lock = threading.Lock()
        self._shops: dict[str, _ShopTally] = {}

    def crawled(self, step: CrawlStep) -> None:
        """A page was crawled; of how many, as far as is known by now."""
        self._add(step, "products", step.products, step.to_visit)

    def scraped(self, step: ScrapeStep) -> None:
        """A product was checked; how many there are is not known before the end."""
        self._add(step, "changes", step.changes, 0)

    def _add(self, step: CrawlStep | ScrapeStep, word: str, found: int, left: int) -> None:
        with self._lock:  # a later step must not be reported before an earlier one
            self._shops[step.domain] = _ShopTally(step.pages, left, found)
            shops = self._shops.values()
            done, to_do = sum(each.pages for each in shops), sum(each.left for each in shops)
            figures = {word: sum(each.found for each in shops), "back_off": step.back_off}
            self._progress(done, done + to_do if to_do else 0, step.url, **figures)
