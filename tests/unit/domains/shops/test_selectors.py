"""Selectors of a shop: tried, set, used by the next scrape and crawl, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops.models import Shop, ShopPage
from gotgan.domains.shops.service import Shops
from gotgan.errors import ConditionFailed, NotFound, PageMissing, UsageError
from gotgan.settings import Secret, Settings
from gotgan.world import world_server
from gotgan.world.scene import SceneResponse
from gotgan.world.shops import shop_products
from tests.unit.domains.shops.streets import NOON, StreetWorld

SHOP = "antik-7.shop.test"
LISTED = "laden.shop.test"


@pytest.fixture
def world() -> StreetWorld:
    return StreetWorld(FixedClock(NOON))


@pytest.fixture
def app(world: StreetWorld) -> Iterator[App]:
    """An app with a shop that was crawled and scraped."""
    settings = Settings(given_secret=Secret("s" * 32), delay=0)
    with world_server(world) as served:
        settings = replace(settings, resolve=served.resolve)
        with App.in_memory(clock=world.clock, settings=settings) as app:
            app.shops.add(SHOP, country="DE")
            app.shops.crawl([SHOP])
            app.shops.scrape([SHOP])
            yield app


def pages(app: App, domain: str = SHOP) -> dict[str, ShopPage]:
    found = app.shops.urls(domain, type="product").items
    return {page.url: page for page in found}


def a_product(world: StreetWorld) -> str:
    return next(each.url for each in shop_products(world.scene, SHOP) if each.price)


def test_a_scrape_uses_the_selector_and_names_it_as_the_source(app: App) -> None:
    before = pages(app)
    app.shops.set_selector(SHOP, "price", " .price ")
    assert app.shops.get(SHOP).selectors == {"price": ".price"}
    changes = len(app.shops.changes(SHOP).items)
    report = app.shops.scrape([SHOP]).shops[0]
    assert report.noted == {"unchanged": len(before)}
    for url, page in pages(app).items():
        assert (page.hash, page.price) == (before[url].hash, before[url].price)
        if page.price is not None:
            assert page.sources is not None
            assert page.sources["price"] == "selector .price"
    assert len(app.shops.changes(SHOP).items) == changes
    with app.store.metered("again") as measured:
        app.shops.scrape([SHOP])
    assert measured.cost.writes <= 9  # the claim and the end; no page


def test_unchanged_pages_are_fetched_whole_once_after_a_selector_was_set(
    app: App, world: StreetWorld
) -> None:
    def conditional() -> int:
        begin = len(world.requests)
        app.shops.scrape([SHOP])
        return sum("if-modified-since" in each.headers for each in world.requests[begin:])

    count = len(pages(app))
    assert conditional() == count
    app.shops.set_selector(SHOP, "price", ".price")
    assert [conditional(), conditional()] == [0, count]
    app.shops.set_selector(SHOP, "price", None)
    assert [conditional(), conditional()] == [0, count]
    assert {page.sources["price"] for page in pages(app).values() if page.price} == {"text"}  # type: ignore[index]


def test_a_price_that_was_read_wrongly_changes_once(app: App, world: StreetWorld) -> None:
    url = a_product(world)
    world.replaced[url] = SceneResponse(
        b"<title>A lot</title><h1>A lot</h1><p class=price>Start: 10,00 EUR</p>"
        b"<p class=now>99,00 EUR</p><button>In den Warenkorb</button>"
    )
    app.shops.scrape([SHOP])
    app.shops.set_selector(SHOP, "price", ".now")
    app.shops.scrape([SHOP])
    assert pages(app)[url].price == 9_900
    count = len(app.shops.changes(SHOP).items)
    app.shops.scrape([SHOP])
    assert len(app.shops.changes(SHOP).items) == count


def test_a_crawl_finds_products_by_the_mark_of_their_pages(app: App) -> None:
    others = {page.url for page in app.shops.urls(SHOP).items} - set(pages(app))
    assert others
    app.shops.set_selector(SHOP, "product", "body")
    app.shops.crawl([SHOP])
    assert others <= set(pages(app))


def test_a_shop_with_selectors_is_read_by_its_pages(app: App) -> None:
    app.shops.add(LISTED, country="US")
    app.shops.crawl([LISTED])
    app.shops.set_selector(LISTED, "title", "h1")
    assert app.shops.scrape([LISTED]).shops[0].listed == 0
    assert {page.sources["title"] for page in pages(app, LISTED).values() if page.sources} == {
        "selector h1"
    }
    app.shops.set_selector(LISTED, "title", None)
    assert app.shops.scrape([LISTED]).shops[0].listed > 0


def test_a_selector_can_be_tried_and_nothing_is_saved(app: App, world: StreetWorld) -> None:
    before, url = app.shops.get(SHOP), a_product(world)
    trial = app.shops.try_selector(SHOP, "price", ".price", url=url)
    price = pages(app)[url].price_text
    assert (trial.url, trial.matches, trial.value, trial.before) == (url, 1, price, price)
    assert trial.source == "text"
    nothing = app.shops.try_selector(SHOP, "price", ".nothing", url=url)
    assert (nothing.matches, nothing.texts, nothing.value, nothing.before) == (0, (), None, price)
    wrong = app.shops.try_selector(SHOP, "price", "h1", url=url)
    assert (wrong.matches, wrong.value) == (1, None)
    assert app.shops.try_selector(SHOP, "status", ".status").url in pages(app)
    assert app.shops.get(SHOP) == before


def test_a_trial_stays_within_the_shop(app: App) -> None:
    for url in ("https://antik-1.shop.test/", "http://127.0.0.1/", "nonsense", ""):
        with pytest.raises(UsageError):
            app.shops.try_selector(SHOP, "price", ".price", url=url)
    with pytest.raises(PageMissing):
        app.shops.try_selector(SHOP, "price", ".price", url=f"https://{SHOP}/nothing")
    app.shops.add("antik-1.shop.test", country="DE")
    with pytest.raises(NotFound, match="No product of antik-1"):
        app.shops.try_selector("antik-1.shop.test", "price", ".price")


def test_what_is_no_selector_or_no_field_is_refused_and_nothing_is_saved(app: App) -> None:
    before = app.shops.get(SHOP)
    for field, selector in (("price", "p >"), ("prices", ".price")):
        with pytest.raises(UsageError):
            app.shops.set_selector(SHOP, field, selector)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        app.shops.set_selector("nothing.test", "price", ".price")
    assert app.shops.get(SHOP) == before


def test_of_two_who_set_selectors_none_overwrites_the_other(app: App) -> None:
    class Slow(Shops):
        def _get(self, domain: str, *, consistent: bool = False) -> Shop:
            shop = super()._get(domain, consistent=consistent)
            app.shops.set_selector(domain, "price", ".price")
            return shop

    with pytest.raises(ConditionFailed):
        Slow(app.store, app.web, app.settings, lambda: app.database).set_selector(
            SHOP, "title", "h1"
        )
    app.shops.set_selector(SHOP, "title", "h1")
    assert app.shops.get(SHOP).selectors == {"price": ".price", "title": "h1"}
