"""How the shops are read: each function is one access pattern."""

from __future__ import annotations

from datetime import datetime

from gotgan.domains.shops.models import (
    AdoptionProgress,
    Change,
    Checkpoint,
    Country,
    Delivery,
    Shop,
    ShopPage,
    Slot,
)
from gotgan.store import Query, Ref, attr, pattern


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
    """Shops that were never crawled, or whose last crawl finished before the cutoff."""
    return Shop.crawl.never(country) + Shop.crawl.done(country, before=before)


@pattern
def crawls_in_progress(country: str, before: datetime) -> Query[Shop]:
    """Crawls that started before a time and have not finished."""
    return Shop.crawl.in_progress(country, before=before)


@pattern
def shops_to_scrape(country: str, before: datetime) -> Query[Shop]:
    """Shops that were crawled but never scraped, or crawled since a scrape before the cutoff."""
    crawled = attr("last_crawled_end")
    done = Shop.scrape.done(country, before=before).filtered(crawled > attr("last_scraped_end"))
    return Shop.scrape.never(country).filtered(crawled.exists()) + done


@pattern
def scrapes_in_progress(country: str, before: datetime) -> Query[Shop]:
    """Scrapes that started before a time and have not finished."""
    return Shop.scrape.in_progress(country, before=before)


@pattern
def related_shops(core_domain_name: str) -> Query[Shop]:
    """Shops whose domains share a core name, such as example.de and example.com."""
    return Shop.related.query(core_domain_name=core_domain_name)


@pattern
def checkpoints(domain: str, slot: Slot) -> Query[Checkpoint]:
    """The checkpoints of a crawl, in order."""
    return Checkpoint.key.query(domain=domain, slot=slot)


@pattern
def countries() -> Query[Country]:
    """The countries of registered shops, in alphabetical order."""
    return Country.key.query()


@pattern
def adoption() -> Ref[AdoptionProgress]:
    """Position of the search for items of other tools."""
    return AdoptionProgress.key()


@pattern
def shops_crawled(country: str, after: datetime, before: datetime) -> Query[Shop]:
    """Shops whose last crawl finished within a range of dates."""
    return Shop.crawl.done(country, after=after, before=before)


@pattern
def shops_to_scrape_again(country: str, after: datetime, before: datetime) -> Query[Shop]:
    """Shops whose last scrape finished within a range of dates, and that were crawled since."""
    newer = attr("last_crawled_end") > attr("last_scraped_end")
    return Shop.scrape.done(country, after=after, before=before).filtered(newer)


@pattern
def changes_of(domain: str) -> Query[Change]:
    """Changes of a shop, newest first."""
    return Change.key.query(domain=domain).newest_first()


@pattern
def changes_since(domain: str, since: datetime) -> Query[Change]:
    """Changes of a shop since a time, oldest first."""
    return Change.key.query(domain=domain).after(since)


@pattern
def delivery(domain: str, sink: str) -> Ref[Delivery]:
    """Position up to which a sink has received the changes of a shop."""
    return Delivery.key(domain=domain, sink=sink)


@pattern
def shops_crawled_ever(country: str) -> Query[Shop]:
    """Crawled shops that no worker is scraping."""
    crawled = attr("last_crawled_end").exists()
    never, done = Shop.scrape.never(country), Shop.scrape.done(country)
    return never.filtered(crawled) + done.filtered(crawled)


@pattern
def shops_of(country: str) -> Query[Shop]:
    """All shops of a country, in any state."""
    return Shop.crawl.query(shop_country=country)


@pattern
def changes_until(domain: str, until: datetime) -> Query[Change]:
    """Changes of a shop up to a time."""
    return Change.key.query(domain=domain).before(until)


@pattern
def changes_within(domain: str, first: datetime, last: datetime) -> Query[Change]:
    """Changes of a shop between two times, newest first."""
    return Change.key.query(domain=domain).between(first, last).newest_first()


@pattern
def shops_crawled_since(country: str, since: datetime) -> Query[Shop]:
    """Shops whose last crawl finished since a time, or is running."""
    return Shop.crawl.done(country, after=since) + Shop.crawl.in_progress(country)


@pattern
def shops_scraped_since(country: str, since: datetime) -> Query[Shop]:
    """Shops whose last scrape finished since a time, or is running."""
    return Shop.scrape.done(country, after=since) + Shop.scrape.in_progress(country)


@pattern
def crawls_unfinished_since(country: str, since: datetime) -> Query[Shop]:
    """Shops whose last crawl started since a time and was released unfinished."""
    tried = attr("last_crawled_start") >= since
    never, done = Shop.crawl.never(country), Shop.crawl.done(country, before=since)
    return never.filtered(tried) + done.filtered(tried)


@pattern
def scrapes_unfinished_since(country: str, since: datetime) -> Query[Shop]:
    """Shops whose last scrape started since a time and was released unfinished."""
    tried = attr("last_scraped_start") >= since
    never, done = Shop.scrape.never(country), Shop.scrape.done(country, before=since)
    return never.filtered(tried) + done.filtered(tried)
