"""What the shops can do: one place for all of their verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

from gotgan.domains.shops import crawling, patterns, scrape_reports
from gotgan.domains.shops.crawling import BUDGET, CrawlReport, OnCrawlStep, crawl_shop
from gotgan.domains.shops.crews import Check, CrewReport, work_through
from gotgan.domains.shops.deliveries import Delivered, deliver_changes
from gotgan.domains.shops.keys import SHOPS
from gotgan.domains.shops.lanes import Lane, lanes_of
from gotgan.domains.shops.models import Change, Shop, ShopPage
from gotgan.domains.shops.registrations import Registration
from gotgan.domains.shops.registry import PAGE, STUCK_AFTER, Registry, Scanned
from gotgan.domains.shops.scrape_reports import OnScrapeStep, ScrapeReport
from gotgan.domains.shops.scraping import scrape_shop
from gotgan.domains.shops.sinks import JsonLines, Webhook
from gotgan.domains.shops.sites import domain_of
from gotgan.domains.shops.stages import Stage, Stuck
from gotgan.errors import UsageError
from gotgan.events import emit
from gotgan.fetch import Web
from gotgan.lifecycle import TWO_HOURS
from gotgan.settings import Settings
from gotgan.store import Page, PutNew, PutNewReport, Store

__all__ = ["WORKERS", "Shops"]

WORKERS: Final = 8
"""How many shops are worked on at once, unless somebody says otherwise."""

S = TypeVar("S")


class Shops:
    """Shops: registered once, crawled and scraped again and again, every change noticed."""

    def __init__(self, store: Store, web: Web, settings: Settings) -> None:
        self._store = store
        self._web = web
        self._settings = settings
        self._registry = Registry(store)

    def prepare(self) -> None:
        """Make the table where it is missing."""
        self._store.create(SHOPS)

    # Registering

    def add(
        self, domain: str, *, country: str | None = None, name: str | None = None
    ) -> PutNew[Shop]:
        """Register a shop; one that is there already stays as it is."""
        stored = self._registry.add(domain, country=country, name=name)
        emit("shops.added", given=1, new=int(stored.new), failed=0)
        return stored

    def add_all(self, entries: Iterable[Registration]) -> PutNewReport[Shop]:
        """Register what is new of many shops; all of them are right, or none is stored."""
        report = self._registry.add_all(entries)
        emit("shops.added", given=report.given, new=len(report.new), failed=len(report.failed))
        return report

    # Reading

    def get(self, domain: str) -> Shop:
        """One shop."""
        return self._registry.get(domain)

    def countries(self) -> list[str]:
        """The countries that shops were registered with, by the alphabet."""
        return self._registry.countries()

    def related(self, domain: str) -> list[str]:
        """Other domains with the same core name, by the alphabet."""
        return self._registry.related(domain)

    def urls(
        self,
        domain: str,
        page_type: str | None = None,
        *,
        limit: int = PAGE,
        cursor: str | None = None,
    ) -> Page[ShopPage]:
        """A page of a shop's addresses: of one type, or all in the order of the alphabet."""
        return self._registry.urls(domain, page_type, limit=limit, cursor=cursor)

    def changes(
        self,
        domain: str,
        *,
        since: datetime | None = None,
        limit: int = PAGE,
        cursor: str | None = None,
    ) -> Page[Change]:
        """A page of what changed in a shop, newest first; from a moment on where one is given."""
        host = domain_of(domain)
        query = patterns.changes_of(host)
        if since is not None:
            query = patterns.changes_since(host, since).newest_first()
        page = self._store.query(query, limit=limit, cursor=cursor)
        if not page.items and cursor is None:
            self.get(host)  # nothing was found because nobody knows the shop: say that instead
        return page

    # Working

    def crawl(
        self,
        domains: Iterable[str] = (),
        *,
        country: str | None = None,
        workers: int = WORKERS,
        max_pages: int = BUDGET,
        lease: timedelta = TWO_HOURS,
        on_step: OnCrawlStep = crawling.silently,
    ) -> CrewReport[CrawlReport]:
        """Crawl these shops, or all that are due; those that are stuck first."""

        def work(shop: Shop, check: Check) -> CrawlReport:
            claim = Shop.crawl.claim(self._store, shop, lease=lease)
            return crawl_shop(
                self._store,
                self._web,
                claim,
                budget=max_pages,
                lease=lease,
                on_step=_checked(check, on_step),
            )

        return work_through(self._wanted("crawl", domains, country), work, workers=workers)

    def scrape(
        self,
        domains: Iterable[str] = (),
        *,
        country: str | None = None,
        workers: int = WORKERS,
        check_only: bool = False,
        lease: timedelta = TWO_HOURS,
        on_step: OnScrapeStep = scrape_reports.silently,
    ) -> CrewReport[ScrapeReport]:
        """Look at all products of these shops, or of those that are due; those stuck first.

        ``check_only`` takes shops that were crawled, whether or not there was a crawl since their
        last scrape.
        """

        def work(shop: Shop, check: Check) -> ScrapeReport:
            claim = Shop.scrape.claim(self._store, shop, lease=lease)
            return scrape_shop(
                self._store,
                self._web,
                claim,
                on_step=_checked(check, on_step),
                seconds_between_renewals=lease / timedelta(seconds=4),
                lease=lease,
            )

        if check_only and not domains:
            found = self._registry.asked(country)
            crawled = chain.from_iterable(
                self._store.iterate(patterns.shops_crawled_ever(each), at_most=None)
                for each in found
            )
            return work_through(crawled, work, workers=workers)
        return work_through(self._wanted("scrape", domains, country), work, workers=workers)

    def deliver(self, domains: Iterable[str] = (), *, file: Path | None = None) -> Delivered:
        """Hand over what changed in these shops, or in all with a country: to a file or a webhook.

        Each sink is told of every change at least once, and how far it has heard is kept.
        """
        sink = self._webhook() if file is None else JsonLines(file)
        named = [self.get(domain).domain for domain in domains]
        return deliver_changes(self._store, named or self._every_domain(), sink)

    def _webhook(self) -> Webhook:
        url, secret = self._settings.webhook, self._settings.webhook_secret
        if not url or secret is None:
            raise UsageError(
                "nobody is named who wants to hear of changes; set GOTGAN_WEBHOOK and "
                "GOTGAN_WEBHOOK_SECRET, or name a file"
            )
        return Webhook(url, secret, self._web, self._store.clock)

    def _every_domain(self) -> Iterator[str]:
        for country in self.countries():
            shops = self._store.iterate(patterns.shops_of(country), at_most=None)
            yield from (shop.domain for shop in shops)

    def _wanted(self, stage: Stage, domains: Iterable[str], country: str | None) -> Iterator[Shop]:
        named = [self.get(domain) for domain in domains]
        if named:
            return iter(named)
        stuck = self.stuck(older_than=timedelta(0), country=country)
        left = (each.shop for each in stuck if each.stage == stage)
        return chain(left, self.due(stage, country=country))

    # What is to be done

    def due(
        self,
        stage: str,
        *,
        country: str | None = None,
        before: datetime | None = None,
        after: datetime | None = None,
    ) -> Iterator[Shop]:
        """Shops to be crawled or scraped, of a country or of all: never done, or done long ago."""
        return self._registry.due(stage, country=country, before=before, after=after)

    def without_country(
        self, stage: str, *, before: datetime | None = None, after: datetime | None = None
    ) -> Scanned:
        """Shops that no index of work has, because they have no country: a scan of the table."""
        return self._registry.without_country(stage, before=before, after=after)

    def lanes(self, stage: Stage, *, country: str | None = None) -> tuple[Lane, ...]:
        """How many shops never were crawled or scraped, are under way or done, and the first."""
        return lanes_of(self._store, stage, self._registry.asked(country))

    def stuck(
        self, *, older_than: timedelta = STUCK_AFTER, country: str | None = None
    ) -> list[Stuck]:
        """Crawls and scrapes that began so long ago, and whose claim is past its lease."""
        return self._registry.stuck(older_than=older_than, country=country)

    def release(self, domain: str, stage: str | None = None) -> list[Stuck]:
        """Give back a shop that is stuck, in one stage or in both: it stands where it stood."""
        released = self._registry.release(domain, stage)
        for each in released:
            emit("shops.released", domain=each.shop.domain, stage=each.stage, owner=each.owner)
        return released


def _checked(check: Check, on_step: Callable[[S], None]) -> Callable[[S], None]:
    """Tell how far it has come, unless it is time to go home."""

    def told(step: S) -> None:
        check()
        on_step(step)

    return told
