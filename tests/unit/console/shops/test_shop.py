"""The page of a shop: how it stands, what changed before and after, and its pages by type."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops import messages
from gotgan.domains.shops.currency import price_text
from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.models import ShopPage
from tests.unit.console.sheets import Browser
from tests.unit.console.shops.filling import (
    added,
    crawled,
    path_of,
    product,
    seen,
    stuck,
    unreached,
)

SHOP = "example.com"


def _rows(page: str) -> list[list[str]]:
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        [
            " ".join(unescape(re.sub(r"<[^>]*>", " ", cell)).split())
            for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
        ]
        for row in body.split("</tr>")[:-1]
    ]


def test_it_tells_how_the_shop_stands_and_why(app: App, viewer: Browser) -> None:
    added(app, SHOP, name="An <example>")
    added(app, "example.de")
    crawled(app, SHOP, "budget", "3 pages are left")
    page = viewer.open(path_of(SHOP))
    for told in ("An &lt;example&gt;", "Too large", "3 pages are left", "json-ld"):
        assert told in page
    assert path_of("example.de") in page
    assert viewer.open(path_of("https://EXAMPLE.com/x")).count("3 pages are left") > 0


def test_it_tells_why_the_shop_could_not_be_reached_and_when_it_is_tried_again(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    added(app, SHOP)
    unreached(app, clock, SHOP)
    page = viewer.open(path_of(SHOP))
    for told in (
        "Not responding",
        "Could not connect to https://example.com/robots.txt: connection refused",
        "Next attempt",
        (clock.now() + timedelta(minutes=5)).isoformat()[:16],
    ):
        assert told in page
    page = viewer.client.get(path_of(SHOP), headers={"accept-language": "ko"}).text
    assert "https://example.com/robots.txt에 연결하지 못했습니다: 연결 거부됨" in page
    assert "다음 시도" in page


def test_the_reason_of_a_crawl_is_told_in_the_language_of_the_reader(
    app: App, viewer: Browser
) -> None:
    added(app, SHOP)
    crawled(app, SHOP, "budget", messages.PAGES_LEFT(count=1_200))
    assert "at least 1,200 more pages are left" in viewer.open(path_of(SHOP))
    page = viewer.client.get(path_of(SHOP), headers={"accept-language": "ko"}).text
    assert "적어도 1,200쪽이 남았습니다" in page


def test_changes_are_shown_before_and_after(app: App, clock: FixedClock, viewer: Browser) -> None:
    added(app, SHOP)
    page = product(app, SHOP, "table")
    seen(app, page, 120_000, title="A <table>")
    clock.advance(timedelta(hours=1))
    seen(app, page, 99_950)
    clock.advance(timedelta(hours=1))
    seen(app, page, 99_950, Status.SOLD)
    rows = _rows(viewer.open(path_of(SHOP)))
    assert [row[1:] for row in rows] == [
        ["A <table>", "Sold", "AVAILABLE · 999.50 EUR", "→ SOLD · 999.50 EUR"],
        ["A <table>", "▼ Price down -17 %", "AVAILABLE · 1,200.00 EUR", "→ AVAILABLE · 999.50 EUR"],
        ["A <table>", "New", "–", "→ AVAILABLE · 1,200.00 EUR"],
    ]


def test_pages_are_shown_by_their_type(app: App, viewer: Browser) -> None:
    added(app, SHOP)
    seen(app, product(app, SHOP, "table"), 5_000, title="A table")
    product(app, SHOP, "tables", "category")
    everything = _rows(viewer.open(path_of(SHOP, "pages")))
    assert [row[0] for row in everything] == ["A table", "/tables"]
    [[title, kind, status, price, _]] = _rows(viewer.open(path_of(SHOP, "product")))
    assert (title, kind, status) == ("A table", "product", "AVAILABLE")
    assert price == "50.00 EUR json-ld"
    assert "No such pages" in viewer.open(path_of(SHOP, "article"))
    assert viewer.client.get(path_of(SHOP, "sale")).status_code == 404


def test_many_pages_are_turned(app: App, viewer: Browser) -> None:
    added(app, SHOP)
    for number in range(51):
        product(app, SHOP, f"p{number:02}")
    page = viewer.open(path_of(SHOP, "product"))
    assert len(_rows(page)) == 50
    more = re.search(r'href="([^"]*)" rel="next"', page)
    assert more is not None
    assert len(_rows(viewer.open(unescape(more[1])))) == 1


def test_what_is_no_address_of_the_web_is_no_link(app: App, viewer: Browser) -> None:
    added(app, SHOP)
    app.store.put_new(ShopPage(domain=SHOP, url="javascript:alert(1)", type="product"))
    page = viewer.open(path_of(SHOP, "product"))
    assert 'href="javascript:' not in page
    assert "javascript:alert(1)" in page


def test_the_same_is_there_for_programs(app: App, viewer: Browser) -> None:
    added(app, SHOP)
    seen(app, product(app, SHOP, "table"), 5_000, title="=A table")
    page = viewer.open(path_of(SHOP, "product"))
    assert f'href="/v1/shops/{SHOP}/urls?type=product"' in page
    assert f"gotgan shops urls {SHOP} --type product" in page
    file = viewer.client.get(f"/shops/shop.csv?domain={SHOP}&show=product").text
    assert f"https://{SHOP}/table,product,'=A table,,AVAILABLE,5000,EUR" in file
    page = viewer.open(path_of(SHOP))
    assert f'href="/v1/shops/{SHOP}/changes"' in page
    assert f"gotgan shops changes {SHOP}" in page
    file = viewer.client.get(f"/shops/shop.csv?domain={SHOP}").text
    assert file.splitlines()[0].endswith("seen_at,url,title,before,after")
    assert f"https://{SHOP}/table" in file


def test_a_stuck_shop_is_released_from_its_page(
    app: App, clock: FixedClock, editor: Browser
) -> None:
    added(app, SHOP)
    stuck(app, clock, SHOP, "scrape")
    assert "Stuck" in editor.open(path_of(SHOP))
    page = editor.send("/shops/release")
    assert editor.path == "/shops/shop"
    assert "Stuck" not in page


def test_a_shop_that_nobody_registered_is_not_found(viewer: Browser) -> None:
    assert viewer.client.get(path_of("nobody.test")).status_code == 404
    assert viewer.client.get(path_of("nonsense")).status_code == 400


@pytest.mark.parametrize(
    ("price", "currency", "told"),
    [
        (None, "EUR", None),
        (0, "EUR", "0.00 EUR"),
        (123_456, "EUR", "1,234.56 EUR"),
        (9_007_199_254_740_993, "EUR", "90,071,992,547,409.93 EUR"),
        (1_200_000, "KRW", "1,200,000 KRW"),
        (1_999, None, "19.99"),
    ],
)
def test_a_price_is_told_in_units_of_its_currency(
    price: int | None, currency: str | None, told: str | None
) -> None:
    assert price_text(price, currency) == told
