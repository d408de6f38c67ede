"""Lists of products of shop systems: the same record as from pages, by far fewer requests."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from gotgan.domains.shops.crawl import Crawl
from gotgan.domains.shops.models import Shop, ShopPage
from gotgan.domains.shops.reports import ScrapeStep
from gotgan.domains.shops.scrape import scrape_shop
from gotgan.errors import LostRace
from tests.unit.domains.shops.conftest import offered, stored
from tests.unit.domains.shops.product_lists import (
    BOTH,
    DAY,
    LISTS,
    SHOPIFY,
    WOOCOMMERCE,
    asked,
    changes,
    count,
    product_pages,
    products,
    replace_list,
    replace_page,
    sample,
    scrape,
    shopify_item,
)
from tests.unit.domains.shops.streets import Killed, Street, opened_street


@pytest.fixture
def street() -> Iterator[Street]:
    with opened_street() as street:
        yield street


# The same as from pages


@BOTH
def test_a_crawl_finds_all_products_in_the_list_and_visits_none(
    street: Street, domain: str
) -> None:
    report = street.crawl(domain)
    sold = products(street, domain)
    assert report.outcome == "ok"
    assert set(product_pages(street, domain)) == set(sold)
    assert (report.products, report.listed) == (len(sold), len(sold))
    requests = asked(street)
    visited = [path for path in requests if any(url.endswith(path) for url in sold)]
    assert len(visited) == 1  # the one that confirms the list
    assert report.saved == len(sold) - 1 - sum(path == LISTS[domain] for path in requests)
    assert street.shop(domain).product_list == ("shopify" if domain == SHOPIFY else "woocommerce")


@BOTH
def test_a_scrape_reads_the_list_and_records_what_the_pages_would_say(
    street: Street, domain: str
) -> None:
    street.crawl(domain)
    begin = count(street)
    report = scrape(street, domain)
    sold = products(street, domain)
    assert (report.outcome, report.new) == ("ok", len(sold))
    for url, page in product_pages(street, domain).items():
        assert stored(page) == offered(sold[url])
        assert page.title == sold[url].title
    priced = [url for url, each in sold.items() if each.price is not None]
    assert report.listed == len(priced)
    requests = asked(street, begin)
    unpriced = len(sold) - len(priced)
    assert len(requests) == unpriced + report.listed - report.saved
    assert len(requests) < len(sold) / 3
    sources = product_pages(street, domain)[priced[0]].sources
    assert sources is not None
    name = street.shop(domain).product_list
    currency = "json-ld" if domain == SHOPIFY else name
    assert sources == {"title": name, "price": name, "status": name, "currency": currency}


@BOTH
def test_the_hashes_and_changes_of_many_days_are_those_of_the_pages(
    street: Street, domain: str
) -> None:
    """Two tables of one shop: in one of them its list is never read."""
    street.crawl(domain)
    with opened_street() as other:
        other.crawl(domain)
        for _ in range(10):
            other.store.update(other.shop(domain), product_list=None)
            for each in (street, other):
                each.clock.advance(DAY)
                scrape(each, domain)
        assert [(each.url, each.before, each.after) for each in changes(street, domain)] == [
            (each.url, each.before, each.after) for each in changes(other, domain)
        ]
        hashes = {url: page.hash for url, page in product_pages(other, domain).items()}
        assert {url: page.hash for url, page in product_pages(street, domain).items()} == hashes
    statuses = {change.after.status for change in changes(street, domain)}
    assert statuses == {"AVAILABLE", "SOLD", "REMOVED"}


@BOTH
def test_a_second_scrape_of_the_list_changes_and_writes_nothing(
    street: Street, domain: str
) -> None:
    street.crawl(domain)
    scrape(street, domain)
    before = street.pages(domain)
    report = scrape(street, domain)
    assert report.unchanged == len(products(street, domain))
    assert street.pages(domain) == before
    assert report.cost.writes <= 4  # the shop and its place in an index, at the end


def test_a_list_of_several_pages_is_read_to_its_end(street: Street) -> None:
    sizes = range(1, 4)
    for number in sizes:
        items = [shopify_item(f"thing-{number}-{each}") for each in range(number)]
        replace_page(street, number, items)
    replace_page(street, 4, [])
    sample(street, "thing-1-0")
    assert street.crawl(SHOPIFY).listed == sum(sizes)


# Variants, and what a list leaves open


@pytest.mark.parametrize(
    ("variants", "offer"),
    [
        ([("12.00", True), ("10.00", False), ("15.00", True)], ("AVAILABLE", 1200, "USD")),
        ([("12.00", False), ("10.00", False)], ("SOLD", 1000, "USD")),
        ([(7, True)], ("AVAILABLE", 700, "USD")),
    ],
    ids=["lowest-available", "all-sold", "number"],
)
def test_variants_are_one_product(
    street: Street, variants: list[tuple[str, Any]], offer: tuple[Any, ...]
) -> None:
    url = f"https://{SHOPIFY}/products/shirt"
    street.crawl(SHOPIFY)
    replace_list(
        street,
        SHOPIFY,
        {"products": [shopify_item("mug"), shopify_item("shirt", *variants)]},
    )
    sample(street, "mug")
    street.store.put_new(ShopPage(domain=SHOPIFY, url=url, type="product"))
    scrape(street, SHOPIFY)
    assert stored(street.pages(SHOPIFY)[url]) == offer


@pytest.mark.parametrize(
    "item",
    [
        shopify_item("shirt", ("0.00", True)),
        shopify_item("shirt", ("ask us", True)),
        shopify_item("shirt", ("12.00", None)),
        {"handle": "shirt", "title": "Shirt"},
        {"handle": "shirt", "variants": {"price": []}},
    ],
    ids=["unpriced", "words", "no-availability", "no-variants", "odd-variants"],
)
def test_what_a_list_leaves_open_is_read_from_the_page(
    street: Street, item: dict[str, Any]
) -> None:
    url = f"https://{SHOPIFY}/products/shirt"
    street.crawl(SHOPIFY)
    replace_list(street, SHOPIFY, {"products": [item]})
    sample(street, "shirt", "44.00", "OutOfStock")
    street.store.put_new(ShopPage(domain=SHOPIFY, url=url, type="product"))
    scrape(street, SHOPIFY)
    assert stored(street.pages(SHOPIFY)[url]) == ("SOLD", 4400, "USD")


@pytest.mark.parametrize("price", ["11.00", "0"])
def test_a_list_that_the_pages_contradict_is_not_used(street: Street, price: str) -> None:
    url = f"https://{SHOPIFY}/products/shirt"
    street.crawl(SHOPIFY)
    replace_list(street, SHOPIFY, {"products": [shopify_item("shirt")]})
    sample(street, "shirt", price)
    street.store.put_new(ShopPage(domain=SHOPIFY, url=url, type="product"))
    report = scrape(street, SHOPIFY)
    assert report.listed == 0
    assert street.pages(SHOPIFY)[url].price == (1100 if price == "11.00" else None)


@pytest.mark.parametrize(
    ("item", "offer"),
    [
        ({"is_in_stock": False}, ("SOLD", 1234, "EUR")),
        ({"is_on_backorder": True}, ("LISTED", 1234, "EUR")),
        ({"prices": {"price": "12340", "currency_minor_unit": 3}}, ("AVAILABLE", 1234, "EUR")),
        ({"prices": {"price": "5000", "currency_minor_unit": 0}}, ("AVAILABLE", 500_000, "EUR")),
        ({"permalink": "http://www.werkstatt.shop.test/product/a/"}, ("AVAILABLE", 1234, "EUR")),
    ],
    ids=["sold", "later", "three-digits", "no-digits", "other-spelling"],
)
def test_the_store_api_is_read_as_it_is_meant(
    street: Street, item: dict[str, Any], offer: tuple[Any, ...]
) -> None:
    url = f"https://{WOOCOMMERCE}/product/a/"
    street.crawl(WOOCOMMERCE)
    prices = {"price": "1234", "currency_code": "EUR", "currency_minor_unit": 2}
    usual = {"name": "A &#8211; b", "permalink": url, "type": "simple", "is_in_stock": True}
    whole = usual | item | {"prices": prices | item.get("prices", {})}
    replace_list(street, WOOCOMMERCE, [whole])
    street.store.put_new(ShopPage(domain=WOOCOMMERCE, url=url, type="product"))
    scrape(street, WOOCOMMERCE)
    page = street.pages(WOOCOMMERCE)[url]
    assert (stored(page), page.title) == (offer, "A – b")


# Missing products


@BOTH
def test_a_product_that_is_missing_in_the_list_and_gone_counts_as_any_other(
    street: Street, domain: str
) -> None:
    street.crawl(domain)
    scrape(street, domain)
    known = set(products(street, domain))
    misses: dict[str, int] = dict.fromkeys(known, 0)
    for _ in range(12):
        street.clock.advance(DAY)
        scrape(street, domain)
        for url in known - set(products(street, domain)):
            misses[url] += 1
            assert (url in street.removed(domain)) == (misses[url] >= 2)
    assert max(misses.values()) > 2
    assert known & set(products(street, domain)) & street.removed(domain) == set()


def test_a_product_that_is_only_missing_in_the_list_stays_as_its_page_says(street: Street) -> None:
    street.crawl(SHOPIFY)
    scrape(street, SHOPIFY)
    sold = products(street, SHOPIFY)
    replace_list(street, SHOPIFY, {"products": []})
    for _ in range(3):
        report = scrape(street, SHOPIFY)
        assert report.unchanged == len(sold)
    assert street.removed(SHOPIFY) == set()


def test_a_list_that_fails_removes_no_product_that_nothing_else_leads_to(street: Street) -> None:
    replace_list(street, SHOPIFY, {"products": [shopify_item("mug"), shopify_item("cup")]})
    replace_page(street, 2, [])
    sample(street, "mug")
    sample(street, "cup")
    street.crawl(SHOPIFY)
    scrape(street, SHOPIFY)
    hidden = {f"https://{SHOPIFY}/products/{name}" for name in ("mug", "cup")}
    assert hidden <= set(product_pages(street, SHOPIFY))
    street.clock.advance(DAY)
    replace_list(street, SHOPIFY, b"", status=500)
    report = street.crawl(SHOPIFY)
    assert (report.outcome, report.listed, street.removed(SHOPIFY)) == ("ok", 0, set())
    assert "some pages could not be fetched" in report.reason
    replace_list(street, SHOPIFY, {"products": [shopify_item("mug")]})
    street.clock.advance(DAY)
    street.crawl(SHOPIFY)
    assert street.removed(SHOPIFY) & hidden == {f"https://{SHOPIFY}/products/cup"}


# Crashes, and several workers


@BOTH
@pytest.mark.parametrize("steps", [1, 2, 5, 12])
def test_a_crawl_that_is_killed_goes_on_and_loses_no_product_of_the_list(
    street: Street, domain: str, steps: int
) -> None:
    hidden = f"https://{domain}/hidden"
    seen = iter(range(steps))

    def die(_: object) -> None:
        if next(seen, None) is None:
            raise Killed

    with pytest.raises(Killed):
        Crawl(street.store, street.web, street.claimed(domain), on_step=die).run()
    street.clock.advance(timedelta(hours=3))
    street.scraped(hidden, domain)
    report = street.crawl(domain)
    assert (report.outcome, report.listed) == ("ok", len(products(street, domain)))
    assert set(products(street, domain)) <= set(product_pages(street, domain))
    assert street.removed(domain) == {hidden}


@BOTH
def test_a_scrape_that_is_killed_records_each_change_once(street: Street, domain: str) -> None:
    street.crawl(domain)
    number = len(products(street, domain))

    def die(step: ScrapeStep) -> None:
        if step.pages == number // 2:
            raise Killed

    with pytest.raises(Killed):
        scrape(street, domain, die)
    assert 0 < len(changes(street, domain)) < number
    scrape(street, domain)
    assert len(changes(street, domain)) == number


@BOTH
def test_of_two_workers_one_reads_the_list(street: Street, domain: str) -> None:
    street.crawl(domain)
    shop = street.shop(domain)
    Shop.scrape.claim(street.store, shop)
    with pytest.raises(LostRace):
        Shop.scrape.claim(street.store, shop)


@BOTH
def test_a_worker_that_was_too_slow_writes_nothing_a_second_time(
    street: Street, domain: str
) -> None:
    street.crawl(domain)
    number = len(products(street, domain))
    late = Shop.scrape.claim(street.store, street.shop(domain))
    street.clock.advance(timedelta(hours=3))
    scrape(street, domain)
    report = scrape_shop(street.store, street.web, late)
    assert (report.outcome, len(changes(street, domain))) == (None, number)
