"""A shop, and a page of it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

from gotgan.domains.shops.keys import BY_CORE_DOMAIN, BY_CRAWL, BY_PAGE_TYPE, BY_SCRAPE, SHOPS
from gotgan.lifecycle import Lifecycle
from gotgan.store import Entity, IndexKey, Key, KeyOnly, Prefixed, Timestamp

__all__ = ["Shop", "ShopPage"]

Domain = Annotated[str, StringConstraints(min_length=1, max_length=253)]
Country = Annotated[
    str, StringConstraints(pattern="^[A-Z]{2}$", max_length=2), Prefixed("COUNTRY#")
]
PageType = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class Shop(Entity, table=SHOPS):
    """A shop, and where it stands in crawling and scraping.

    A shop without a country is in neither index; it is found by its key, or by a scan.
    """

    key = Key("SHOP#{domain}", "META#")
    crawl = Lifecycle(
        BY_CRAWL, "{shop_country}", started="last_crawled_start", finished="last_crawled_end"
    )
    scrape = Lifecycle(
        BY_SCRAPE, "{shop_country}", started="last_scraped_start", finished="last_scraped_end"
    )
    related = IndexKey(BY_CORE_DOMAIN, "{core_domain_name}", "{domain}")

    domain: Domain = Field(examples=["example.com"])
    core_domain_name: Domain = Field(examples=["example"])
    shop_name: str | None = Field(default=None, examples=["Example Shop"])
    shop_country: Country | None = Field(default=None, examples=["DE"])
    last_crawled_start: Timestamp | None = None
    last_crawled_end: Timestamp | None = None
    last_scraped_start: Timestamp | None = None
    last_scraped_end: Timestamp | None = None


class ShopPage(Entity, table=SHOPS):
    """An address of a shop, what kind of page it is, and the hash of what it offered last."""

    key = Key("SHOP#{domain}", "URL#{url}", long="sha256")
    by_type = IndexKey(BY_PAGE_TYPE, "SHOP#{domain}", "{type}")

    domain: Annotated[Domain, KeyOnly()] = Field(examples=["example.com"])
    url: str = Field(examples=["https://example.com/products/item-123"])
    type: PageType | None = Field(default=None, examples=["product"])
    hash: str | None = None
