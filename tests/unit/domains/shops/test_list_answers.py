"""Whether a shop has a list of products: refusals, failures and hostile answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gotgan.world import FaultKind
from gotgan.world.scene import NOT_FOUND, SceneResponse, plain_text, redirect
from tests.unit.domains.shops.product_lists import (
    BOTH,
    DAY,
    LISTS,
    SHOPIFY,
    WOOCOMMERCE,
    asked,
    count,
    list_address,
    product_pages,
    products,
    replace_list,
    replace_page,
    sample,
    scrape,
    shopify_item,
)
from tests.unit.domains.shops.streets import Street, opened_street


@pytest.fixture
def street() -> Iterator[Street]:
    with opened_street() as street:
        yield street


def test_a_shop_without_the_marks_of_a_system_is_not_asked_for_a_list(street: Street) -> None:
    street.crawl()
    assert not set(asked(street)) & set(LISTS.values())
    assert street.shop().product_list is None


@pytest.mark.parametrize(
    "answer",
    [
        NOT_FOUND,
        plain_text("no", 401),
        plain_text("no", 403),
        SceneResponse(b"<!doctype html><title>Shop</title>"),
        SceneResponse(b"[1, 2]", kind="application/json"),
        redirect(f"https://{SHOPIFY}/password"),
        redirect("https://antik-1.shop.test/products.json"),
    ],
    ids=["404", "401", "403", "html", "other-json", "password", "elsewhere"],
)
def test_a_shop_that_offers_no_list_is_read_by_its_pages_and_not_asked_for_a_month(
    street: Street, answer: SceneResponse
) -> None:
    street.world.replaced[list_address(SHOPIFY)] = answer
    street.world.replaced[f"https://{SHOPIFY}/password"] = SceneResponse(b"<h1>Password</h1>")
    report = street.crawl(SHOPIFY)
    assert (report.outcome, report.listed) == ("ok", 0)
    assert set(product_pages(street, SHOPIFY)) == set(products(street, SHOPIFY))
    begin = count(street)
    for _ in range(3):
        street.clock.advance(9 * DAY)
        street.crawl(SHOPIFY)
        scrape(street, SHOPIFY)
        assert "/products.json" not in asked(street, begin)
    street.clock.advance(4 * DAY)
    street.crawl(SHOPIFY)
    assert asked(street, begin).count("/products.json") == 1
    del street.world.replaced[list_address(SHOPIFY)]
    street.clock.advance(31 * DAY)
    assert street.crawl(SHOPIFY).listed == len(products(street, SHOPIFY))


@BOTH
def test_robots_txt_keeps_us_from_a_list_as_from_any_page(street: Street, domain: str) -> None:
    rules = f"User-agent: *\nDisallow: {LISTS[domain]}\n".encode()
    street.world.replaced[f"https://{domain}/robots.txt"] = SceneResponse(rules, kind="text/plain")
    report = street.crawl(domain)
    assert (report.outcome, report.listed) == ("ok", 0)
    assert set(product_pages(street, domain)) == set(products(street, domain))
    assert LISTS[domain] not in asked(street)


@BOTH
@pytest.mark.parametrize(
    "fault", [FaultKind.BROKEN, FaultKind.THROTTLED, FaultKind.TRUNCATED, FaultKind.RESET]
)
def test_a_list_that_fails_for_now_is_asked_for_again(
    street: Street, domain: str, fault: FaultKind
) -> None:
    street.world.fail(domain, LISTS[domain], fault)
    report = street.crawl(domain)
    assert (report.outcome, report.listed) == ("ok", 0)
    assert set(product_pages(street, domain)) == set(products(street, domain))
    street.world.heal()
    street.clock.advance(DAY)
    assert street.crawl(domain).listed == len(products(street, domain))


@BOTH
@pytest.mark.parametrize(
    "body",
    [
        b'{"products": [{"handle": "a"',
        b"[" * 100_000,
        b'{"products": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"products": {"a": 1}}',
        b"null",
        b"\xff\xfe\x00",
    ],
    ids=["cut", "deep", "nested", "no-list", "null", "bytes"],
)
def test_a_broken_list_changes_nothing(street: Street, domain: str, body: bytes) -> None:
    street.crawl(domain)
    replace_list(street, domain, body)
    report = scrape(street, domain)
    assert (report.outcome, report.listed) == ("ok", 0)
    assert report.new == len(products(street, domain))


@pytest.mark.parametrize(
    "handle",
    ["..", "../../admin", "", None, 7, "a/b", "x" * 9_000, "//antik-1.shop.test/", "a?b#c"],
    ids=["dots", "path", "empty", "null", "number", "slash", "long", "host", "query"],
)
def test_a_hostile_name_leads_to_no_other_page(street: Street, handle: Any) -> None:
    street.crawl(SHOPIFY)
    before = set(street.pages(SHOPIFY))
    items = [shopify_item("mug"), {**shopify_item("mug"), "handle": handle}]
    replace_list(street, SHOPIFY, {"products": items})
    sample(street, "mug")
    street.crawl(SHOPIFY)
    new = set(street.pages(SHOPIFY)) - before
    assert all(url.startswith(f"https://{SHOPIFY}/products/") for url in new)
    assert all(url.count("/") == 4 and "?" not in url for url in new)


def test_products_of_other_sites_in_a_list_are_left_out(street: Street) -> None:
    street.crawl(WOOCOMMERCE)
    links = ["https://antik-1.shop.test/a", "javascript:alert(1)", "http://[", "/", ""]
    replace_list(street, WOOCOMMERCE, [{"permalink": link, "prices": {}} for link in links])
    before = set(street.pages(WOOCOMMERCE))
    report = street.crawl(WOOCOMMERCE)
    assert (report.listed, set(street.pages(WOOCOMMERCE))) == (0, before)


def test_a_list_that_repeats_itself_ends(street: Street) -> None:
    street.crawl(SHOPIFY)
    begin = count(street)
    for number in range(1, 6):
        replace_page(street, number, [shopify_item("mug")])
    street.crawl(SHOPIFY)
    assert asked(street, begin).count("/products.json") == 2
