"""The verbs of the shops."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeVar

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
    missing_contact,
    skip,
)
from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.catalog import ShopCatalog
from gotgan.domains.shops.models import SELECTOR_FIELDS, SHOPS, Shop, Stage
from gotgan.domains.shops.params import (
    CheckOnly,
    Country,
    DeliverFile,
    Domain,
    Domains,
    Lease,
    MaxPages,
    OfField,
    Selector,
    TrialUrl,
    Workers,
)
from gotgan.domains.shops.registration import parse_country
from gotgan.domains.shops.registry import STUCK_AFTER
from gotgan.domains.shops.reports import (
    CrawlReport,
    CrawlStep,
    Delivered,
    ScrapeReport,
    ScrapeStep,
    SelectorTrial,
)
from gotgan.domains.shops.sites import is_same_site, www_twin
from gotgan.domains.shops.stages import claim_shop
from gotgan.domains.shops.workers import PoolReport, StopCheck, run_workers
from gotgan.errors import NotFound, UsageError
from gotgan.events import emit
from gotgan.lifecycle import DEFAULT_LEASE
from gotgan.store import attr
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.domains.shops.deliver import Sink
    from gotgan.domains.shops.summary import ShopsDay
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.sql import Database
    from gotgan.store import Store


_STANDARD_OUTPUT: Final = Path("-")
_MAX_SAMPLES: Final = 10
"""Products that are read to find one for a trial."""
_MAX_PAGE_BYTES: Final = 5_000_000
_MAX_TEXTS, _MAX_TEXT_CHARS = 5, 200
"""How much of what a selector finds is shown."""
_ADD_COMMAND: Final = "gotgan shops add DOMAIN --country XX"
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
    return named or (None if country is None else (parse_country(country),))


def run_names(shop: Shop) -> tuple[str, ...]:
    """The names that a run about a shop may have: with ``www.`` or without, or the country."""
    domains = (shop.domain, www_twin(shop.domain))
    return domains if shop.shop_country is None else (*domains, shop.shop_country)


_NO_SHOP: Final = skip("no_shops", messages.NO_SHOPS())
_NO_WEBHOOK: Final = skip("no_webhook", messages.NO_WEBHOOK())


class Shops(ShopCatalog, Service):
    """Shops: registered once, crawled and scraped again and again, every change detected."""

    rereads_documents: ClassVar = True

    def __init__(
        self, store: Store, web: Web, settings: Settings, open_database: Callable[[], Database]
    ) -> None:
        super().__init__(store, open_database)
        self._web = web
        self._settings = settings

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""
        return cls(core.store, core.web, core.settings, core.open_database)

    def prepare(self) -> None:
        """Create the table if it is missing."""
        self._store.create(SHOPS)

    # Gates and setup

    def is_ready(self) -> GateDecision:
        """Whether shops may be fetched, and whether there are any."""
        return missing_contact(self._settings) or self._no_shops() or GO

    def is_webhook_ready(self) -> GateDecision:
        """Whether there is a webhook, and shops to report."""
        return self._webhook_unset() or self._no_shops() or GO

    def is_to_adopt(self) -> GateDecision:
        """Whether the last adoption is long ago."""
        return GO if self.is_adoption_due() else ADOPTED

    def unset(self) -> SimpleDecision | None:
        """Which settings are missing to collect on schedule; None if none are."""
        return missing_contact(self._settings)

    def setup(self) -> Sequence[SetupStep]:
        """The setup steps."""
        return (
            contact_step(self.domain, self._settings),
            SetupStep.of(self.domain, "shop", self._no_shops(), command=_ADD_COMMAND),
            SetupStep.of(
                self.domain,
                "webhook",
                self._webhook_unset(),
                is_needed=False,
                variables=("GOTGAN_WEBHOOK", "GOTGAN_WEBHOOK_SECRET"),
            ),
        )

    def _no_shops(self) -> SimpleDecision | None:
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
        lease: Lease = DEFAULT_LEASE,
        progress: Progress = silent,
    ) -> CrawlSummary:
        """Discover the pages of shops.

        Without domains: all shops that are due, stuck ones first. Several runs can work in
        parallel, and an interrupted crawl resumes. An unreachable shop is retried after 5 minutes,
        then 10, up to 6 hours; name it to retry it now.
        """
        from gotgan.domains.shops.crawl import (  # noqa: PLC0415 - it loads the readers
            Crawl,
            crawl_shop,
        )

        named, web = [self.get(domain) for domain in domains], self._web.share()
        total = _RunProgress(progress)

        def work(shop: Shop, check: StopCheck) -> CrawlReport:
            def on_step(step: CrawlStep) -> None:
                check()
                total.add(step, "products", step.products, step.to_visit)

            claim = claim_shop(self._store, "crawl", shop, lease, is_early=bool(named))
            return crawl_shop(
                Crawl(self._store, web, claim, budget=max_pages, lease=lease, on_step=on_step)
            )

        shops = named or self.to_do("crawl", country=country)
        report = CrawlSummary()
        try:
            run_workers(shops, work, report, workers=workers, at_end=web.close)
        finally:
            self._try_refresh(each.domain for each in named or report.shops)
        return self._with_hint(report, "crawl", country)

    @verb(role="editor", kind="run", about=_about)
    def scrape(
        self,
        domains: Domains = (),
        *,
        country: Country | None = None,
        workers: Workers = 8,
        check_only: CheckOnly = False,
        lease: Lease = DEFAULT_LEASE,
        progress: Progress = silent,
    ) -> ScrapeSummary:
        """Check the products of shops for changes.

        Without domains: all shops that were crawled since their last scrape, stuck ones first. Does
        not discover pages. An unreachable shop is retried as after a crawl.
        """
        from gotgan.domains.shops.scrape import scrape_shop  # noqa: PLC0415 - as above

        named, web = [self.get(domain) for domain in domains], self._web.share()
        total = _RunProgress(progress)

        def work(shop: Shop, check: StopCheck) -> ScrapeReport:
            def on_step(step: ScrapeStep) -> None:
                check()
                total.add(step, "changes", step.changes, 0)  # how many are left is unknown

            claim = claim_shop(self._store, "scrape", shop, lease, is_early=bool(named))
            return scrape_shop(
                self._store,
                web,
                claim,
                on_step=on_step,
                seconds_between_renewals=lease.total_seconds() / 4,
                lease=lease,
            )

        others = self._crawled_shops if check_only else partial(self.to_do, "scrape")
        shops = named or others(country=country)
        report = ScrapeSummary()
        try:
            run_workers(shops, work, report, workers=workers, at_end=web.close)
        finally:
            self._try_refresh(each.domain for each in named or report.shops)
        return self._with_hint(report, "scrape", country)

    # Selectors

    @verb(role="editor", kind="write", path="shops/{domain}/selectors")
    def set_selector(
        self, domain: Domain, field: OfField, selector: Selector | None = None
    ) -> Shop:
        """Set where a fact is on the pages of a shop.

        What the CSS selector finds is used before everything else on the page, and is named as the
        source of the fact. Without a selector, the fact is read automatically again. The next
        scrape reads all pages; of a shop with selectors it reads no product list.
        """
        from gotgan.domains.shops.extract.selected import parse_selector  # noqa: PLC0415 - as above

        if field not in SELECTOR_FIELDS:
            raise UsageError(messages.NOT_A_FIELD(word=repr(field), fields=SELECTOR_FIELDS))
        shop = self._get(domain, consistent=True)
        kept = {name: css for name, css in (shop.selectors or {}).items() if name != field}
        new = kept if selector is None else {**kept, field: parse_selector(selector)}
        before = attr("selectors")
        is_same = before.missing() if shop.selectors is None else before == shop.selectors
        updated = self._store.update(shop, only_if=is_same, selectors=new or None).item
        emit("shops.selector", domain=shop.domain, field=field, selector=new.get(field))
        return updated

    @verb(role="editor", path="shops/{domain}/selectors/try")
    def try_selector(
        self, domain: Domain, field: OfField, selector: Selector, *, url: TrialUrl | None = None
    ) -> SelectorTrial:
        """Show what a CSS selector finds on a page of a shop.

        Nothing is saved. Without a URL, it is tried on a product of the shop.
        """
        from gotgan.domains.shops.extract import fact_text, read_page  # noqa: PLC0415 - as above
        from gotgan.domains.shops.extract.selected import (  # noqa: PLC0415 - as above
            matched_texts,
            parse_selector,
            selector_source,
        )

        shop, css = self.get(domain), parse_selector(selector)
        address = self._sample_page(shop) if url is None else url
        if not is_same_site(address, shop.domain):
            raise UsageError(messages.OTHER_SHOP(url=address, domain=shop.domain))
        within = partial(is_same_site, domain=shop.domain)
        page = self._web.get(address, most_bytes=_MAX_PAGE_BYTES, within=within)
        read = partial(read_page, page.body, page.url, charset=page.charset)
        others = {name: each for name, each in (shop.selectors or {}).items() if name != field}
        before, after = read(selectors=others), read(selectors={**others, field: css})
        texts = matched_texts(page.body, css, charset=page.charset)
        is_read = field == "product" or after.sources.get(field) == selector_source(css)
        return SelectorTrial(
            domain=shop.domain,
            field=field,
            selector=css,
            url=page.url,
            matches=len(texts),
            texts=tuple(text[:_MAX_TEXT_CHARS] for text in texts[:_MAX_TEXTS]),
            value=fact_text(after, field) if texts and is_read else None,
            before=fact_text(before, field),
            source=before.sources.get(field),
        )

    def _sample_page(self, shop: Shop) -> str:
        """A product of the shop that was not gone the last time."""
        found = self._store.iterate(
            keys.pages_of_type(shop.domain, "product"), at_most=_MAX_SAMPLES
        )
        pages = sorted(found, key=lambda page: (page.misses or 0, page.hash is None))
        if not pages:
            raise NotFound(messages.NO_SAMPLE(domain=shop.domain))
        return pages[0].url

    def to_do(self, stage: Stage, *, country: str | None = None) -> Iterator[Shop]:
        """What workers process without a list of shops: those stuck, then those due."""
        stuck = self._stuck_in(self.countries_or(country), timedelta(0))
        left = (each.shop for each in stuck if each.stage == stage)
        return chain(left, self.iter_due(stage, country=country))

    @verb(role="editor", kind="run", about=lambda shops, domains: _about(shops, domains, None))
    def deliver(self, domains: Domains = (), *, file: DeliverFile | None = None) -> Delivered:
        """Send changes to a webhook or a file.

        Every change is sent at least once: the position of each webhook and file is stored. After a
        failure, the next run sends the rest. Without domains: all shops with a country.
        """
        from gotgan.domains.shops.deliver import (  # noqa: PLC0415 - it loads the web client
            JsonLinesFile,
            Webhook,
            deliver_changes,
        )

        if file == _STANDARD_OUTPUT:
            raise UsageError(messages.NOT_TO_STDOUT())
        url, secret = self._settings.webhook, self._settings.webhook_secret
        if file is not None:
            sink: Sink = JsonLinesFile(file)
        elif not url or secret is None:
            raise UsageError(messages.NO_SINK())
        else:
            sink = Webhook(url, secret, self._web, self._store.clock)
        named = [self.get(domain).domain for domain in domains]
        queries = (keys.shops_of(country) for country in self.countries())
        found = (self._store.iterate(query, at_most=None) for query in queries)
        every = (shop.domain for shops in found for shop in shops)
        return deliver_changes(self._store, named or every, sink)

    # Looking back

    def summary(self, day: date, zone: Zone) -> ShopsDay:
        """A day of the shops with a country."""
        from gotgan.domains.shops.summary import (  # noqa: PLC0415 - for the day alone
            all_shops_if_few,
            shops_day,
            stuck_among,
        )

        countries, now = self.countries(), self._store.clock.now()
        every = all_shops_if_few(self._store, countries)
        if every is None:
            stuck = self._stuck_in(countries, STUCK_AFTER)
        else:
            stuck = stuck_among(every, now - STUCK_AFTER, now)
        return shops_day(self._store, day_span(day, zone), countries, stuck, every)

    def change_counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many changes each of some consecutive days had."""
        from gotgan.domains.shops.summary import changes_by_day  # noqa: PLC0415 - as above

        return changes_by_day(self._store, self.countries(), days, zone)

    def _with_hint(self, report: P, stage: Stage, country: str | None) -> P:
        """With the claims of other workers and a hint, if nothing was due."""
        if report.is_idle:
            report.in_progress = self.under_way(stage, country=country)
            report.hint = self._hint(is_empty=not report.in_progress)
        return report

    def _crawled_shops(self, *, country: str | None) -> Iterator[Shop]:
        for each in self.countries_or(country):
            crawled = self._store.iterate(keys.shops_crawled_ever(each), at_most=None)
            yield from self._ready("scrape", crawled)


class _RunProgress:
    """The progress of all workers, added up to that of one run."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._lock = threading.Lock()
        self._shops: dict[str, tuple[int, int, int]] = {}

    def add(self, step: CrawlStep | ScrapeStep, word: str, found: int, left: int) -> None:
        """Report a step of one shop: what was found, and how many pages are known to be left."""
        with self._lock:  # a later step must not be reported before an earlier one
            self._shops[step.domain] = (step.pages, left, found)
            done, to_do, total = map(sum, zip(*self._shops.values(), strict=True))
            figures = {word: total, "back_off": step.back_off}
            self._progress(done, done + to_do if to_do else 0, step.url, **figures)
