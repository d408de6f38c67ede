"""Selectors on the pages of a shop: tried, saved and removed by their forms."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.settings import Secret, Settings
from gotgan.world import FaultKind, ServedWorld, World, world_server
from gotgan.world.shops import shop_products
from tests.unit.console.sheets import Browser
from tests.unit.console.shops.filling import added, path_of

SHOP = "antik-7.shop.test"
PAGE = f"/shops/selectors?domain={SHOP}"


@pytest.fixture
def web(clock: FixedClock) -> Iterator[ServedWorld]:
    """The web of these tests."""
    with world_server(World(clock=clock, padding=0)) as served:
        yield served


@pytest.fixture
def settings(web: ServedWorld) -> Settings:
    """Every name leads to that web."""
    return Settings(given_secret=Secret("x" * 32), resolve=web.resolve, delay=0)


@pytest.fixture
def url(app: App, web: ServedWorld) -> str:
    """A product of a shop that is registered."""
    added(app, SHOP)
    products = shop_products(web.world.scene, SHOP)
    return next(each.url for each in products if each.price is not None)


def _try(browser: Browser, **typed: str) -> str:
    """Fill in the form, as it is on the page of the shop, too."""
    fields = {**browser.sheet("/shops/selectors").fields, **typed}
    answer = browser.client.get("/shops/selectors", params=fields)
    browser.answer, browser.page = answer, answer.text
    return browser.page


def test_a_selector_is_tried_saved_and_removed(app: App, editor: Browser, url: str) -> None:
    editor.open(path_of(SHOP))
    page = _try(editor, field="price", selector=".price", url=url)
    assert "1 element found" in page
    assert page.count("EUR") >= 2  # read with it, and without
    assert app.shops.get(SHOP).selectors is None
    page = editor.send("/shops/set-selector")
    assert "Saved. The next scrape" in page
    assert app.shops.get(SHOP).selectors == {"price": ".price"}
    assert "<code>.price</code>" in editor.open(path_of(SHOP))
    editor.open(PAGE)
    editor.send("/shops/set-selector")
    assert app.shops.get(SHOP).selectors is None


def test_a_selector_that_finds_nothing_can_be_saved_all_the_same(editor: Browser, url: str) -> None:
    editor.open(PAGE)
    page = _try(editor, field="status", selector=".badge-<sold>", url=url)
    assert "Not a CSS selector" in page
    assert editor.answer.status_code == 400
    page = _try(editor, field="status", selector=".badge-sold", url=url)
    assert "0 elements found" in page
    assert 'value=".badge-sold"' in page
    assert 'action="/shops/set-selector"' in page


def test_a_page_that_cannot_be_fetched_is_told_of(
    web: ServedWorld, editor: Browser, url: str
) -> None:
    web.world.fail(SHOP, "*", FaultKind.FORBIDDEN)
    editor.open(PAGE)
    page = _try(editor, field="price", selector=".price", url=url)
    assert (editor.answer.status_code, "access denied" in page) == (502, True)
    assert "No product of antik-7" in _try(editor, selector=".price", url="")
    assert "is not a page of antik-7" in _try(editor, selector="b", url="https://example.com/")


def test_a_viewer_sees_selectors_and_tries_none(
    app: App, web: ServedWorld, viewer: Browser, url: str
) -> None:
    app.shops.set_selector(SHOP, "price", ".price-now")
    begin = len(web.world.requests)
    page = viewer.open(f"{PAGE}&field=price&selector=b&url={url}")
    assert ".price-now" in page
    assert "set-selector" not in page
    assert len(web.world.requests) == begin
