"""Products and changes as data sets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops.changes import record_offer, record_removed
from gotgan.domains.shops.exports import shops_data_sets
from gotgan.domains.shops.extract import PageFacts, Status
from gotgan.domains.shops.models import ShopPage
from gotgan.exports import DataSet, ExportSpan, Partition

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ALL_DAYS = ExportSpan()
GERMAN, KOREAN = "antik.example.de", "antik.example.kr"
URL = f"https://{GERMAN}/products/1"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def app(clock: FixedClock) -> Iterator[App]:
    """Two shops with a product each."""
    with App.in_memory(clock=clock) as app:
        app.shops.add(GERMAN, country="DE")
        app.shops.add(KOREAN, country="KR")
        for domain, url in ((GERMAN, URL), (KOREAN, f"https://{KOREAN}/products/1")):
            app.store.put_new(ShopPage(domain=domain, url=url, type="product"))
        yield app


def data_set(app: App, name: str) -> DataSet:
    return next(each for each in shops_data_sets(app.store) if each.name == name)


def partitions(app: App, name: str, span: ExportSpan = ALL_DAYS) -> dict[str, Partition]:
    return {each.value: each for each in data_set(app, name).partitions(span)}


def rows(app: App, name: str, value: str) -> list[dict[str, Any]]:
    columns = [each.name for each in data_set(app, name).columns]
    found = partitions(app, name)[value].rows()
    return [dict(zip(columns, row, strict=True)) for row in found]


def sell(app: App, price: int, *, domain: str = GERMAN, currency: str = "EUR") -> None:
    [page] = app.shops.urls(domain).items
    facts = PageFacts("product", price, currency, Status.AVAILABLE, {}, title="Truhe")
    record_offer(app.store, page, facts)


def test_products_are_exported_by_shop_as_they_are_now(app: App) -> None:
    sell(app, 129_900)
    sell(app, 90_000, domain=KOREAN, currency="KRW")
    assert data_set(app, "products").path(GERMAN) == f"products/shop={GERMAN}/part-0.parquet"
    [german], [korean] = (rows(app, "products", each) for each in (GERMAN, KOREAN))
    assert german == {
        "domain": GERMAN,
        "country": "DE",
        "url": URL,
        "title": "Truhe",
        "status": "AVAILABLE",
        "price": 1_299.0,
        "price_minor": 129_900,
        "currency": "EUR",
        "is_gone": False,
        "checked_at": NOON,
    }
    assert (korean["country"], korean["price"], korean["price_minor"]) == ("KR", 90_000, 90_000)


def test_another_price_changes_the_file_of_its_shop_alone(app: App) -> None:
    sell(app, 129_900)
    before = partitions(app, "products")
    sell(app, 119_900)
    after = partitions(app, "products")
    assert before[GERMAN].version != after[GERMAN].version
    assert before[KOREAN].version == after[KOREAN].version


def test_changes_are_exported_by_day_with_both_offers(app: App, clock: FixedClock) -> None:
    sell(app, 129_900)
    clock.advance(DAY)
    before = partitions(app, "changes")
    assert [*before] == ["2025-11-06"]
    sell(app, 119_900)
    sell(app, 90_000, domain=KOREAN, currency="KRW")
    after = partitions(app, "changes")
    assert [*after] == ["2025-11-06", "2025-11-07"]
    assert before["2025-11-06"].version == after["2025-11-06"].version
    [first] = rows(app, "changes", "2025-11-06")
    assert [first[f"before_{name}"] for name in ("status", "price")] == [None, None]
    assert (first["after_price"], first["after_price_minor"]) == (1_299, 129_900)
    changed = {each["domain"]: each for each in rows(app, "changes", "2025-11-07")}
    german = changed[GERMAN]
    assert (german["before_price"], german["after_price"]) == (1_299, 1_199)
    assert (german["country"], german["url"], german["seen_at"]) == ("DE", URL, NOON + DAY)
    assert changed[KOREAN]["after_currency"] == "KRW"


def test_only_changes_of_a_span_are_listed(app: App, clock: FixedClock) -> None:
    for price in (100, 200, 300):
        sell(app, price)
        clock.advance(DAY)
    span = ExportSpan(date(2025, 11, 7), date(2025, 11, 7))
    assert [*partitions(app, "changes", span)] == ["2025-11-07"]
    since = partitions(app, "changes", ExportSpan(since=date(2025, 11, 7)))
    assert [*since] == ["2025-11-07", "2025-11-08"]


def test_the_version_of_a_day_does_not_depend_on_the_span(app: App, clock: FixedClock) -> None:
    for price in (100, 200, 300):
        sell(app, price)
        clock.advance(timedelta(minutes=1))
    [every] = partitions(app, "changes").values()
    [since] = partitions(app, "changes", ExportSpan(since=date(2025, 11, 6))).values()
    assert every.version == since.version


def test_a_product_that_is_gone_says_so(app: App) -> None:
    sell(app, 100)
    [page] = app.shops.urls(GERMAN).items
    record_removed(app.store, page)
    [row] = rows(app, "products", GERMAN)
    assert (row["is_gone"], row["status"]) == (True, "REMOVED")


def test_shops_without_products_have_no_file() -> None:
    with App.in_memory() as app:
        assert partitions(app, "products") == {}
        app.shops.add(GERMAN, country="DE")
        assert partitions(app, "products") == {}
        assert partitions(app, "changes") == {}
