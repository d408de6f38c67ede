"""What the shops can do: one place for all of their verbs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final, TypeVar

from gotgan.clock import Zone, day_span
from gotgan.domains.shops import crawl_reports, patterns, scrape_reports
from gotgan.domains.shops.crawl_reports import CrawlReport, OnCrawlStep
from gotgan.domains.shops.crawling import BUDGET, crawl_shop
from gotgan.domains.shops.crews import Check, CrewReport, work_through
from gotgan.domains.shops.deliveries import Delivered, deliver_changes
from gotgan.domains.shops.keys import SHOPS
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.registry import STUCK_AFTER, Registry
from gotgan.domains.shops.scrape_reports import OnScrapeStep, ScrapeReport
from gotgan.domains.shops.scraping import scrape_shop
from gotgan.domains.shops.sinks import JsonLines, Webhook
from gotgan.domains.shops.stages import Stage, claimed
from gotgan.domains.shops.summaries import ShopsDay, shops_day
from gotgan.domains.shops.tallies import changes_by_day
from gotgan.errors import UsageError
from gotgan.fetch import Web
from gotgan.lifecycle import TWO_HOURS
from gotgan.settings import Settings
from gotgan.store import Store

__all__ = ["WORKERS", "Shops"]

WORKERS: Final = 8
"""How many shops are worked on at once, unless somebody says otherwise."""

S = TypeVar("S")


class Shops(Registry):
    """Shops: registered once, crawled and scraped again and again, every change noticed."""

    def __init__(self, store: Store, web: Web, settings: Settings) -> None:
        super().__init__(store)
        self._web = web
        self._settings = settings

    def prepare(self) -> None:
        """Make the table where it is missing."""
        self._store.create(SHOPS)

    # Working

    def crawl(
        self,
        domains: Iterable[str] = (),
        *,
        country: str | None = None,
        workers: int = WORKERS,
        max_pages: int = BUDGET,
        lease: timedelta = TWO_HOURS,
        on_step: OnCrawlStep = crawl_reports.silently,
    ) -> CrewReport[CrawlReport]:
        """Crawl these shops, or all that are due; those that are stuck first.

        A shop that cannot be reached is not done: it is due again 5 minutes later, then 10, up to
        6 hours. Shops that are named are tried at once.
        """
        named, web = [self.get(domain) for domain in domains], self._web.share()

        def work(shop: Shop, check: Check) -> CrawlReport:
            claim = claimed(self._store, "crawl", shop, lease, is_early=bool(named))
            return crawl_shop(
                self._store,
                web,
                claim,
                budget=max_pages,
                lease=lease,
                on_step=_checked(check, on_step),
            )

        shops = named or self.to_do("crawl", country=country)
        return work_through(shops, work, workers=workers, at_end=web.close)

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
        last scrape. A shop that cannot be reached is tried again as by ``crawl``.
        """
        named, web = [self.get(domain) for domain in domains], self._web.share()

        def work(shop: Shop, check: Check) -> ScrapeReport:
            claim = claimed(self._store, "scrape", shop, lease, is_early=bool(named))
            return scrape_shop(
                self._store,
                web,
                claim,
                on_step=_checked(check, on_step),
                seconds_between_renewals=lease / timedelta(seconds=4),
                lease=lease,
            )

        others = self._crawled if check_only else partial(self.to_do, "scrape")
        shops = named or others(country=country)
        return work_through(shops, work, workers=workers, at_end=web.close)

    def to_do(self, stage: Stage, *, country: str | None = None) -> Iterator[Shop]:
        """What a crew without a list of its own works through: those stuck, then those due."""
        stuck = self.stuck(older_than=timedelta(0), country=country)
        left = (each.shop for each in stuck if each.stage == stage)
        return chain(left, self.due(stage, country=country))

    def deliver(self, domains: Iterable[str] = (), *, file: Path | None = None) -> Delivered:
        """Hand over what changed in these shops, or in all with a country: to a file or a webhook.

        Each sink is told of every change at least once, and how far it has heard is kept.
        """
        sink = self._webhook() if file is None else JsonLines(file)
        named = [self.get(domain).domain for domain in domains]
        return deliver_changes(self._store, named or self._every_domain(), sink)

    # Looking back

    def summary(self, day: date, zone: Zone) -> ShopsDay:
        """What a day brought to the shops with a country, in short."""
        countries = self.countries()
        stuck = self._stuck_in(countries, STUCK_AFTER)
        return shops_day(self._store, day_span(day, zone), countries, stuck)

    def change_counts(self, days: Sequence[date], zone: Zone) -> dict[date, int]:
        """How many changes each of some days in a row brought."""
        return changes_by_day(self._store, self.countries(), days, zone)

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

    def _crawled(self, *, country: str | None) -> Iterator[Shop]:
        for each in self.asked(country):
            crawled = self._store.iterate(patterns.shops_crawled_ever(each), at_most=None)
            yield from self._ready("scrape", crawled)


def _checked(check: Check, on_step: Callable[[S], None]) -> Callable[[S], None]:
    """Tell how far it has come, unless it is time to go home."""

    def told(step: S) -> None:
        check()
        on_step(step)

    return told
