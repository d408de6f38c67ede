"""The catalog is what the table of the shops says, however it was brought up to date."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops import keys
from gotgan.domains.shops.catalog_update import LEASE, NAME, CatalogUpdate
from gotgan.domains.shops.changes import record_missing, record_offer
from gotgan.domains.shops.extract import PageFacts, Status
from gotgan.domains.shops.models import CHANGE_KINDS, Shop, ShopPage
from gotgan.errors import LostRace
from gotgan.sql import revoke
from gotgan.verbs import iterate
from tests.unit.domains.shops.catalogs import (
    DE,
    NO_COUNTRY,
    Killed,
    dying_after,
    opened,
    rows,
    visit,
    weeks_later,
)

CHAIR = f"https://{DE}/chair"


@pytest.fixture
def place() -> Iterator[tuple[App, FixedClock]]:
    with opened() as found:
        yield found


def _offered(
    app: App, price: int | None, status: Status = Status.AVAILABLE, url: str = CHAIR
) -> None:
    """A scrape of a product, without the rest of its shop."""
    found = app.store.get(keys.page(DE, url))
    facts = PageFacts("product", title="A Chair", price=price, currency="EUR", status=status)
    if found is None:
        app.store.put_new(ShopPage(domain=DE, url=url, type="product"))
        found = app.store.get(keys.page(DE, url))
    assert found is not None
    assert record_offer(app.store, found, facts) in {"new", "changed", "unchanged"}


def test_it_is_the_same_as_one_that_is_made_again(place: tuple[App, FixedClock]) -> None:
    app, clock = place
    visit(app)
    weeks_later(app, clock)
    kept = rows(app)
    kinds = {change.kind for change in iterate(app.shops.changes)}
    assert {"new", "removed", "sold", "price_down"} <= kinds <= {*CHANGE_KINDS}
    app.shops.rebuild()
    assert rows(app) == kept


def test_every_product_and_change_of_the_table_is_in_it(place: tuple[App, FixedClock]) -> None:
    app, clock = place
    visit(app)
    weeks_later(app, clock, 2)
    pages = [
        page
        for domain in (DE, NO_COUNTRY)
        for page in iterate(app.shops.urls, domain, type="product")
    ]
    products = {each.url: each for each in iterate(app.shops.products)}
    assert products.keys() == {page.url for page in pages}
    assert all(products[page.url].status == page.status for page in pages)
    truth = [each for domain in (DE, NO_COUNTRY) for each in iterate(app.shops.changes, domain)]
    derived = [*iterate(app.shops.changes)]
    assert {each.id for each in derived} == {each.id for each in truth}
    assert [each.seen_at for each in derived] == sorted(
        (each.seen_at for each in derived), reverse=True
    )
    assert {(each.id, each.kind, each.before, each.after) for each in derived} == {
        (each.id, each.kind, each.before, each.after) for each in truth
    }


def test_a_removed_product_keeps_its_price_and_status(place: tuple[App, FixedClock]) -> None:
    app, clock = place
    _offered(app, 12_000)
    clock.advance(timedelta(days=1))
    _offered(app, 9_900, Status.RESERVED)
    for _ in range(2):
        clock.advance(timedelta(days=1))
        page = app.store.get(keys.page(DE, CHAIR))
        assert page is not None
        record_missing(app.store, page)
    app.shops.refresh([DE])
    [product] = app.shops.products().items
    assert (product.status, product.last_status) == ("REMOVED", "RESERVED")
    assert (product.price_text, product.is_removed) == ("99.00 EUR", True)
    found = app.shops.product(CHAIR)
    assert [each.kind for each in found.changes] == ["new", "price_down", "removed"]
    assert found.product.first_seen == found.changes[0].seen_at


def test_a_shop_without_a_country_is_not_forgotten(place: tuple[App, FixedClock]) -> None:
    app, clock = place
    visit(app, NO_COUNTRY)
    count = app.shops.products(domains=[NO_COUNTRY]).total
    assert count > 0
    clock.advance(timedelta(days=7))
    shop = app.shops.get(NO_COUNTRY)
    claim = Shop.scrape.claim(app.store, shop)  # as another process does
    url = f"https://{NO_COUNTRY}/new"
    app.store.put_new(ShopPage(domain=NO_COUNTRY, url=url, type="product"))
    Shop.scrape.finish(app.store, claim)
    assert app.shops.products(domains=[NO_COUNTRY]).total == count + 1


def test_changes_are_seen_while_a_scrape_is_running(place: tuple[App, FixedClock]) -> None:
    app, clock = place
    _offered(app, 12_000)
    app.shops.refresh([DE])
    clock.advance(timedelta(minutes=2))
    claim = Shop.scrape.claim(app.store, app.shops.get(DE))
    _offered(app, 10_000)
    assert [each.price for each in app.shops.products()] == [10_000]
    clock.advance(timedelta(minutes=2))
    _offered(app, 9_000)
    Shop.scrape.release(app.store, claim)  # and nothing ended
    assert [each.price for each in app.shops.products()] == [9_000]


def test_what_is_no_product_any_more_is_dropped(place: tuple[App, FixedClock]) -> None:
    app, _ = place
    _offered(app, 12_000)
    app.shops.refresh([DE])
    page = app.store.get(keys.page(DE, CHAIR))
    assert page is not None
    app.store.update(page, type="article")
    app.shops.refresh([DE])
    assert app.shops.products().items == ()


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("words", ["INTO shop_changes", "INTO shop_products", "INTO shop_catalog"])
def test_after_a_death_the_rest_is_read(
    place: tuple[App, FixedClock], words: str, number: int
) -> None:
    app, clock = place
    app.shops.refresh()
    _offered(app, 12_000)
    _offered(app, 5_000, url=f"https://{DE}/table")
    clock.advance(timedelta(days=1))
    _offered(app, 10_000)
    claim = Shop.scrape.claim(app.store, app.shops.get(DE))
    Shop.scrape.finish(app.store, claim)
    with dying_after(app, words, number):
        try:
            app.shops.refresh()
        except Killed:
            assert app.shops.catalog_age() != clock.now()
    app.shops.refresh()
    kept = rows(app)
    assert sorted(each.price or 0 for each in app.shops.products()) == [5_000, 10_000]
    app.shops.rebuild()
    assert rows(app) == kept


def test_a_dead_process_keeps_its_lease_until_that_ends(place: tuple[App, FixedClock]) -> None:
    app, clock = place
    assert app.database.leases.take(NAME, LEASE) is not None
    _offered(app, 12_000)
    app.shops.refresh([DE])
    assert app.shops.catalog_age() is None
    assert app.shops.products().as_of is None
    clock.advance(LEASE)
    assert len(app.shops.products()) == 1


def test_who_lost_the_lease_writes_nothing(place: tuple[App, FixedClock]) -> None:
    app, _ = place
    lease = app.database.leases.take(NAME, LEASE)
    assert lease is not None
    update = CatalogUpdate(app.store, app.database, lease)
    _offered(app, 12_000)
    with app.database.begin() as connection:
        revoke(connection, NAME)
    with pytest.raises(LostRace):
        update.run()
    assert [len(found) for found in rows(app).values()] == [0, 0]


def test_of_two_who_refresh_at_once_both_leave_it_whole(place: tuple[App, FixedClock]) -> None:
    app, clock = place
    visit(app)
    clock.advance(timedelta(days=7))
    visit(app, DE)
    threads = [threading.Thread(target=app.shops.refresh, args=([DE],)) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    kept = rows(app)
    app.shops.rebuild()
    assert rows(app) == kept


def test_items_of_other_tools_are_in_it_once_they_are_adopted(
    place: tuple[App, FixedClock],
) -> None:
    app, clock = place
    app.shops.refresh()
    url = "https://foreign.de/a"
    items: tuple[dict[str, str | int], ...] = (
        {"pk": "SHOP#foreign.de", "sk": "META#", "last_crawled_end": "2025-01-01T00:00:00Z"},
        {
            "pk": "SHOP#foreign.de",
            "sk": f"URL#{url}",
            "url": url,
            "type": "product",
            "title": "Ein Möbel",
            "price": 1_200,
            "currency": "EUR",
            "status": "AVAILABLE",
            "hash": "of another tool",
        },
    )
    for item in items:
        _put(app, item)
    app.shops.adopt()
    clock.advance(timedelta(minutes=2))
    [product] = app.shops.products("mobel").items
    assert (product.url, product.price_text, product.changed_at) == (url, "12.00 EUR", None)
    assert product.first_seen is None
    kept = rows(app)
    app.shops.rebuild()
    assert rows(app) == kept


def _put(app: App, item: dict[str, str | int]) -> None:
    typed = {
        name: {"N": str(value)} if isinstance(value, int) else {"S": value}
        for name, value in item.items()
    }
    app.store.calls.send("put", "PutItem", {"TableName": "aura-historia-data", "Item": typed})


def test_a_shop_that_was_deleted_elsewhere_goes_with_the_hour(
    place: tuple[App, FixedClock],
) -> None:
    app, clock = place
    visit(app, DE)
    app.store.delete(keys.shop(DE))
    clock.advance(timedelta(hours=1))
    assert app.shops.products().items == ()
    assert rows(app) == {"shop_products": [], "shop_changes": []}


def test_nothing_is_read_twice_of_a_shop_that_did_not_change(
    place: tuple[App, FixedClock],
) -> None:
    app, clock = place
    visit(app)
    clock.advance(timedelta(minutes=2))
    with app.store.metered("refresh") as measured:
        app.shops.refresh()
    assert measured.cost.reads <= 4
    assert measured.cost.writes == 0
