"""How the shops are read: each function is one access pattern."""

from __future__ import annotations

from datetime import datetime

from gotgan.domains.shops.models import Shop, ShopPage
from gotgan.store import Query, Ref, attr, pattern

__all__ = [
    "crawls_in_progress",
    "page",
    "pages_of",
    "pages_of_type",
    "related_shops",
    "scrapes_in_progress",
    "shop",
    "shops_to_crawl",
    "shops_to_scrape",
]


@pattern
def shop(domain: str) -> Ref[Shop]:
    """One shop."""
    return Shop.key(domain=domain)


@pattern
def page(domain: str, url: str) -> Ref[ShopPage]:
    """One page of a shop."""
    return ShopPage.key(domain=domain, url=url)


@pattern
def pages_of(domain: str) -> Query[ShopPage]:
    """All pages of a shop."""
    return ShopPage.key.query(domain=domain)


@pattern
def pages_of_type(domain: str, page_type: str) -> Query[ShopPage]:
    """The pages of one type in a shop, such as its products."""
    return ShopPage.by_type.query(domain=domain, type=page_type)


@pattern
def shops_to_crawl(country: str, before: datetime) -> Query[Shop]:
    """Never crawled, or last finished before the cutoff."""
    return Shop.crawl.never(country) + Shop.crawl.done(country, before=before)


@pattern
def crawls_in_progress(country: str, before: datetime) -> Query[Shop]:
    """Crawls that began before a moment and have not finished."""
    return Shop.crawl.in_progress(country, before=before)


@pattern
def shops_to_scrape(country: str, before: datetime) -> Query[Shop]:
    """Crawled and never scraped, or last scraped before the cutoff and crawled since."""
    crawled = attr("last_crawled_end")
    return Shop.scrape.never(country).filtered(crawled.exists()) + Shop.scrape.done(
        country, before=before
    ).filtered(crawled > attr("last_scraped_end"))


@pattern
def scrapes_in_progress(country: str, before: datetime) -> Query[Shop]:
    """Scrapes that began before a moment and have not finished."""
    return Shop.scrape.in_progress(country, before=before)


@pattern
def related_shops(core_domain_name: str) -> Query[Shop]:
    """Shops whose domains share a core name, such as example.de and example.com."""
    return Shop.related.query(core_domain_name=core_domain_name)
