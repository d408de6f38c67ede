"""The lists of all shops: filters, orders, pages; and a shop that is removed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops import keys
from gotgan.domains.shops.catalog_rows import fold_text
from gotgan.domains.shops.changes import record_offer
from gotgan.domains.shops.extract import PageFacts, Status
from gotgan.domains.shops.models import Shop, ShopPage
from gotgan.errors import BadCursor, Conflict, NotFound
from gotgan.verbs import iterate

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
OFFERS: tuple[tuple[str, str, int | None, str, Status], ...] = (
    ("a.de", "Möbel, alt", 12_000, "EUR", Status.AVAILABLE),
    ("a.de", "A chair", 5_000, "EUR", Status.SOLD),
    ("a.de", "Chair and table", None, "EUR", Status.AVAILABLE),
    ("b.kr", "삼성 의자", 30_000, "KRW", Status.AVAILABLE),
    ("b.kr", "100 % wool_carpet", 90_000, "KRW", Status.RESERVED),
)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def app(clock: FixedClock) -> Iterator[App]:
    with App.in_memory(clock=clock) as app:
        app.shops.add(["a.de"], country="DE")
        app.shops.add(["b.kr"], country="KR", name="Shop B")
        for number, (domain, title, price, currency, status) in enumerate(OFFERS):
            page = ShopPage(domain=domain, url=f"https://{domain}/{number}", type="product")
            app.store.put_new(page)
            offer(app, page, title=title, price=price, currency=currency, status=status)
            clock.advance(timedelta(minutes=1))
        app.shops.refresh(["a.de", "b.kr"])
        yield app


def offer(app: App, page: ShopPage, **facts: Any) -> None:
    stored = app.store.get(page.key)
    assert stored is not None
    record_offer(app.store, stored, PageFacts("product", **facts))


def _titles(app: App, *args: Any, **filters: Any) -> list[str | None]:
    return [each.title for each in iterate(app.shops.products, *args, limit=2, **filters)]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"text": "chair"}, [2, 1]),
        ({"text": "TABLE chair"}, [2]),
        ({"text": "mobel"}, [0]),
        ({"text": "성 의"}, [3]),
        ({"text": "%"}, [4]),
        ({"text": "l_c"}, [4]),
        ({"domains": ["https://www.a.de/x"]}, [2, 1, 0]),
        ({"country": "kr"}, [4, 3]),
        ({"status": "SOLD"}, [1]),
        ({"status": "UNKNOWN"}, []),
        ({"currency": "eur"}, [2, 1, 0]),
        ({"currency": "EUR", "min_price": 50.0}, [1, 0]),
        ({"currency": "EUR", "min_price": 50.01, "max_price": 120.0}, [0]),
    ],
    ids=str,
)
def test_products_are_filtered(app: App, filters: dict[str, Any], expected: list[int]) -> None:
    assert _titles(app, **filters) == [OFFERS[number][1] for number in expected]
    assert app.shops.products(**filters).total == len(expected)


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("-changed", [4, 3, 2, 1, 0]),
        ("changed", [0, 1, 2, 3, 4]),
        ("price", [1, 0, 3, 4]),
        ("-price", [4, 3, 0, 1]),
        ("title", [4, 1, 2, 0, 3]),
        ("-title", [3, 0, 2, 1, 4]),
    ],
)
def test_products_are_sorted_over_all_pages(app: App, sort: Any, expected: list[int]) -> None:
    assert _titles(app, sort=sort) == [OFFERS[number][1] for number in expected]


@pytest.mark.parametrize("cursor", ["x", "bnVsbA", "WyIyMDI1IiwxXQ", "WyJcdTAwMDAiLCJhIiwiYiJd"])
def test_a_cursor_of_another_list_is_refused(app: App, cursor: str) -> None:
    with pytest.raises(BadCursor):
        app.shops.products(cursor=cursor)
    with pytest.raises(BadCursor):
        app.shops.changes(cursor=cursor)


def test_changes_are_filtered_by_kind_shop_and_time(app: App, clock: FixedClock) -> None:
    page = ShopPage(domain="a.de", url="https://a.de/0", type="product")
    offer(app, page, price=9_000, currency="EUR", status=Status.AVAILABLE)
    clock.advance(timedelta(hours=1))
    offer(app, page, price=9_500, currency="EUR", status=Status.AVAILABLE)
    app.shops.refresh(["a.de"])
    assert [each.kind for each in app.shops.changes("a.de")][:2] == ["price_up", "price_down"]
    assert [each.url for each in app.shops.changes(kind="price_down")] == [page.url]
    assert len(app.shops.changes("a.de", kind="new").items) == 3
    since = clock.now() - timedelta(minutes=1)
    assert [each.kind for each in app.shops.changes(since=since)] == ["price_up"]
    assert app.shops.changes().as_of == clock.now()


def test_a_list_of_shops_counts_their_products(app: App) -> None:
    found = {each.domain: each for each in iterate(app.shops.list, limit=1)}
    assert {name: each.products for name, each in found.items()} == {"a.de": 3, "b.kr": 2}
    assert (found["b.kr"].shop_name, found["b.kr"].crawl.word) == ("Shop B", "never")
    assert [each.domain for each in app.shops.list(country="kr")] == ["b.kr"]


def test_a_product_says_where_its_facts_are_from(app: App) -> None:
    page = ShopPage(domain="a.de", url="https://a.de/0", type="product")
    offer(app, page, price=1, currency="EUR", sources={"price": "json-ld"}, image="https://a.de/x")
    app.shops.refresh(["a.de"])
    found = app.shops.product("https://a.de/0")
    assert found.sources == {"price": "json-ld"}
    assert (found.product.image, found.product.before_text) == ("https://a.de/x", "120.00 EUR")
    with pytest.raises(NotFound):
        app.shops.product("https://a.de/none")
    with pytest.raises(NotFound):
        app.shops.product("no address")


def test_a_product_that_is_not_in_the_list_yet_is_found(app: App) -> None:
    page = ShopPage(domain="a.de", url="https://a.de/new", type="product")
    app.store.put_new(page)
    assert app.shops.product(page.url).product.price is None


def test_the_image_of_a_known_product_is_stored_once(app: App) -> None:
    page = ShopPage(domain="a.de", url="https://a.de/0", type="product")
    same = {"price": 12_000, "currency": "EUR", "status": Status.AVAILABLE}
    offer(app, page, **same, image="https://a.de/1.jpg")
    offer(app, page, **same, image="https://a.de/2.jpg")
    stored = app.store.get(page.key)
    assert stored is not None
    assert stored.image == "https://a.de/1.jpg"


# A shop that is removed


def test_a_removed_shop_leaves_nothing(app: App) -> None:
    removed = app.shops.remove("www.a.de")
    assert (removed.domain, removed.pages, removed.changes, removed.others) == ("a.de", 3, 3, 1)
    assert removed.is_complete
    assert {each.domain for each in app.shops.products()} == {"b.kr"}
    assert {each.domain for each in app.shops.changes()} == {"b.kr"}
    assert {each.domain for each in app.store.scan(Shop)} == {"b.kr"}
    assert {each.domain for each in app.store.scan(ShopPage)} == {"b.kr"}
    with pytest.raises(NotFound):
        app.shops.remove("a.de")


def test_a_shop_that_is_processed_is_not_removed(app: App, clock: FixedClock) -> None:
    claim = Shop.crawl.claim(app.store, app.shops.get("a.de"), owner="worker-1")
    with pytest.raises(Conflict, match="worker-1"):
        app.shops.remove("a.de")
    clock.advance(timedelta(days=1))  # its worker may still be alive
    with pytest.raises(Conflict):
        app.shops.remove("a.de")
    Shop.crawl.release(app.store, claim)
    assert app.shops.remove("a.de").is_complete


def test_what_is_left_of_a_shop_is_deleted_by_the_next_call(app: App) -> None:
    first = app.shops.remove("a.de", max_items=4)
    assert (first.pages, first.changes, first.is_complete) == (3, 1, False)
    assert app.store.get(keys.shop("a.de")) is None
    rest = app.shops.remove("a.de")
    assert (rest.pages, rest.changes, rest.others, rest.is_complete) == (0, 2, 0, True)


@pytest.mark.parametrize(
    ("text", "folded"),
    [("  Ein  MÖBEL ", "ein mobel"), ("Straße", "strasse"), ("삼성\n의자", "삼성 의자")],
)
def test_texts_are_compared_without_case_and_accents(text: str, folded: str) -> None:
    assert fold_text(text) == folded
