"""Products and changes of all shops, and the page of a product with its history."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import quote

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops import changes
from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.models import ShopPage
from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser
from tests.unit.console.shops.filling import added, product, product_at, seen

SHOP = "example.com"
TABLE = f"https://{SHOP}/table"


@pytest.fixture
def filled(app: App, clock: FixedClock) -> App:
    """A shop with a table that got cheaper and was sold, and a chair."""
    added(app, SHOP)
    seen(app, product(app, SHOP, "table"), 120_000, title="A <table>")
    clock.advance(timedelta(days=2))
    seen(app, product_at(SHOP, "table"), 99_950)
    clock.advance(timedelta(days=1))
    seen(app, product_at(SHOP, "table"), 99_950, Status.SOLD)
    seen(app, product(app, SHOP, "chair"), 5_000, title="A chair")
    app.shops.refresh([SHOP])
    return app


def _titles(page: str) -> list[str]:
    return re.findall(r'<td class="title">\s*<a href="/shops/product\?url=[^"]+">([^<]+)</a>', page)


@pytest.mark.usefixtures("filled")
def test_products_are_found_by_their_words_and_sorted(viewer: Browser) -> None:
    assert _titles(viewer.open("/shops/products")) == ["A &lt;table&gt;", "A chair"]
    assert _titles(viewer.open("/shops/products?q=TABLE")) == ["A &lt;table&gt;"]
    page = viewer.open("/shops/products?sort=price")
    assert _titles(page) == ["A chair", "A &lt;table&gt;"]
    assert 'aria-sort="ascending"' in page
    assert "2 products" in page
    page = viewer.open("/shops/products?currency=EUR&min=900&max=1,000")
    assert _titles(page) == ["A &lt;table&gt;"]
    assert '<option value="EUR" selected>' in page
    assert "No products found" in viewer.open("/shops/products?status=REMOVED")


@pytest.mark.parametrize("query", ["sort=name", "status=GONE", "min=much", "max=-1", "max=inf"])
def test_what_cannot_be_asked_is_refused(viewer: Browser, query: str) -> None:
    assert viewer.client.get(f"/shops/products?{query}").status_code == 422


@pytest.mark.usefixtures("filled")
def test_a_product_shows_its_history_and_its_sources(viewer: Browser) -> None:
    page = viewer.open(f"/shops/product?url={quote(TABLE)}")
    assert "<h1>A &lt;table&gt;</h1>" in page
    assert page.index("Sold") < page.index("Price down") < page.index(">New<")
    assert '<dt>Price</dt><dd class="mono">json-ld</dd>' in page
    assert f'href="{TABLE}" rel="noreferrer noopener"' in page
    assert f"gotgan shops product {TABLE}" in page
    assert "charts.js" in page
    assert viewer.client.get("/shops/product?url=https://x.test/none").status_code == 404


@pytest.mark.usefixtures("filled")
def test_the_chart_has_the_price_of_each_day(viewer: Browser, clock: FixedClock) -> None:
    chart = viewer.client.get(f"/shops/product.json?url={quote(TABLE)}").json()
    assert (chart["decimals"], chart["unit"]) == (2, "EUR")
    [series] = chart["panes"][0]["series"]
    assert series["kind"] == "step"
    assert [each["value"] for each in series["points"]] == [1200.0, 1200.0, 999.5, 999.5]
    assert series["points"][-1]["time"] == clock.now().date().isoformat()


def test_a_chart_has_a_gap_where_nothing_was_offered(
    app: App, clock: FixedClock, enter: Enter
) -> None:
    added(app, SHOP)
    seen(app, product(app, SHOP, "table"), 100)
    for _ in range(2):
        clock.advance(timedelta(days=1))
        page = app.store.get(product_at(SHOP, "table").key)
        assert page is not None
        changes.record_missing(app.store, page)
    clock.advance(timedelta(days=1))
    seen(app, product_at(SHOP, "table"), 200)
    app.shops.refresh([SHOP])
    chart = enter("v").client.get(f"/shops/product.json?url={quote(TABLE)}").json()
    points = chart["panes"][0]["series"][0]["points"]
    assert [each.get("value") for each in points] == [1.0, 1.0, None, 2.0]


@pytest.mark.usefixtures("filled")
def test_changes_of_all_shops_are_filtered(viewer: Browser) -> None:
    page = viewer.open("/shops/changes?kind=price_down")
    assert _titles(page) == ["A &lt;table&gt;"]
    assert "-17 %" in page
    assert len(_titles(viewer.open(f"/shops/changes?shop={SHOP}"))) == 4
    assert viewer.client.get("/shops/changes?kind=all").status_code == 422
    assert viewer.client.get("/shops/changes?shop=other.test").status_code == 404


def test_an_image_is_shown_where_the_policy_allows_it(app: App, viewer: Browser) -> None:
    added(app, SHOP)
    for name, image in (("a", "https://cdn.test/1.jpg?a=1&b=2"), ("b", "javascript:alert(1)")):
        page = ShopPage(domain=SHOP, url=f"https://{SHOP}/{name}", type="product", image=image)
        app.store.put_new(page)
    app.shops.refresh([SHOP])
    text = viewer.open("/shops/products")
    assert '<img src="https://cdn.test/1.jpg?a=1&amp;b=2" alt="" loading="lazy"' in text
    assert 'referrerpolicy="no-referrer" width="48" height="48"' in text
    assert "javascript:" not in text
    assert "img-src 'self' data: https:" in viewer.answer.headers["content-security-policy"]


def test_files_have_the_same_filters(filled: App, viewer: Browser) -> None:
    head, *rows = viewer.open("/shops/products.csv?q=chair").splitlines()
    assert head.startswith("\ufeffdomain,url,title,image")
    assert [row.split(",")[2] for row in rows] == ["A chair"]
    assert len(viewer.open("/shops/changes.csv?kind=new").splitlines()) == 3
    assert len(viewer.open(f"/shops/product.csv?url={quote(TABLE)}").splitlines()) == 4
    head, row = viewer.open("/shops/list.csv").splitlines()
    assert row.startswith(f"{SHOP},")
    assert filled.shops.list().items[0].products == 2


def test_an_administrator_removes_a_shop(filled: App, enter: Enter) -> None:
    assert "/shops/remove" not in enter("e").open(f"/shops/shop?domain={SHOP}")
    admin = enter("a")
    admin.open(f"/shops/shop?domain={SHOP}")
    page = admin.send("/shops/remove")
    assert (admin.path, "The shop was removed." in page) == ("/shops", True)
    assert filled.shops.products().items == ()
