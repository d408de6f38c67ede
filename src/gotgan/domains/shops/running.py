"""The verbs that take a while, run in the background: whoever starts one, all see the same run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from gotgan.domains.shops.adoption import ADOPT_ITEMS, Adopted
from gotgan.domains.shops.countries import country_of
from gotgan.domains.shops.crawl_reports import CrawlReport, CrawlStep
from gotgan.domains.shops.crawling import BUDGET
from gotgan.domains.shops.crews import CrewReport
from gotgan.domains.shops.deliveries import Delivered
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.scrape_reports import ScrapeReport, ScrapeStep
from gotgan.domains.shops.service import WORKERS, Shops
from gotgan.domains.shops.sites import domain_of, twin_of
from gotgan.runs import Run, Runs, Tell

__all__ = [
    "ADOPT_VERB",
    "CRAWL_VERB",
    "DELIVER_VERB",
    "SCRAPE_VERB",
    "names_of",
    "start_adopt",
    "start_crawl",
    "start_deliver",
    "start_scrape",
]

ADOPT_VERB: Final = "shops.adopt"
CRAWL_VERB: Final = "shops.crawl"
SCRAPE_VERB: Final = "shops.scrape"
DELIVER_VERB: Final = "shops.deliver"


def start_adopt(runs: Runs, shops: Shops, *, max_items: int = ADOPT_ITEMS) -> Run:
    """Adopt what other tools wrote; the report is an ``Adopted``."""

    def work(tell: Tell) -> Adopted:
        return shops.adopt(
            max_items=max_items,
            on_step=lambda read, completed: tell(read, 0, "", completed=completed),
        )

    return runs.start(ADOPT_VERB, work, asked=max_items)


def start_crawl(
    runs: Runs,
    shops: Shops,
    domains: Sequence[str] = (),
    *,
    country: str | None = None,
    workers: int = WORKERS,
    max_pages: int = BUDGET,
) -> Run:
    """Crawl these shops, or all that are due; the report is a ``CrewReport`` of crawls."""

    def work(tell: Tell) -> CrewReport[CrawlReport]:
        tally = _Tally(tell)
        return shops.crawl(
            domains,
            country=country,
            workers=workers,
            max_pages=max_pages,
            on_step=tally.crawled,
        )

    about, asked = _about(domains, country), (country, workers, max_pages)
    return runs.start(CRAWL_VERB, work, about=about, asked=asked)


def start_scrape(
    runs: Runs,
    shops: Shops,
    domains: Sequence[str] = (),
    *,
    country: str | None = None,
    workers: int = WORKERS,
    check_only: bool = False,
) -> Run:
    """Scrape these shops, or all that are due; the report is a ``CrewReport`` of scrapes."""

    def work(tell: Tell) -> CrewReport[ScrapeReport]:
        tally = _Tally(tell)
        return shops.scrape(
            domains,
            country=country,
            workers=workers,
            check_only=check_only,
            on_step=tally.scraped,
        )

    about, asked = _about(domains, country), (country, workers, check_only)
    return runs.start(SCRAPE_VERB, work, about=about, asked=asked)


def start_deliver(runs: Runs, shops: Shops, domains: Sequence[str] = ()) -> Run:
    """Hand over what changed in these shops, or in all; the report is a ``Delivered``."""

    def work(_: Tell) -> Delivered:
        return shops.deliver(domains)

    return runs.start(DELIVER_VERB, work, about=_about(domains, None))


def _about(domains: Sequence[str], country: str | None) -> tuple[str, ...] | None:
    """The shops by their domains; all of a country by its code."""
    named = tuple(domain_of(domain) for domain in domains)
    return named or (None if country is None else (country_of(country),))


def names_of(shop: Shop) -> tuple[str, ...]:
    """What runs that are about a shop call it: with ``www.`` or without, or by its country."""
    domains = (shop.domain, twin_of(shop.domain))
    return domains if shop.shop_country is None else (*domains, shop.shop_country)


class _Tally:
    """How far a crew has come: what all its shops count, told as that of one run."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._seen: dict[str, int] = {}
        self._left: dict[str, int] = {}
        self._found: dict[str, int] = {}

    def crawled(self, step: CrawlStep) -> None:
        """A page was crawled; of how many, as far as is known by now."""
        self._add(step, "products", step.products, step.to_visit)

    def scraped(self, step: ScrapeStep) -> None:
        """A product was looked at; how many there are nobody knows before the end."""
        self._add(step, "changes", step.changes, 0)

    def _add(self, step: CrawlStep | ScrapeStep, word: str, found: int, left: int) -> None:
        with self._lock:  # a later step must not be told before an earlier one
            self._seen[step.domain], self._left[step.domain] = step.pages, left
            self._found[step.domain] = found
            done, to_do = sum(self._seen.values()), sum(self._left.values())
            figures = {word: sum(self._found.values()), "back_off": step.back_off}
            self._tell(done, done + to_do if to_do else 0, step.url, **figures)
