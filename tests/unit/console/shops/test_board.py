"""The first page: what changed, each shop with both stages, and on top what is stuck."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.console.alerts import shops_alerts
from gotgan.domains.shops.extract import Status
from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser
from tests.unit.console.shops.filling import (
    added,
    claimed,
    crawled,
    path_of,
    product,
    product_at,
    seen,
    stuck,
    unreached,
)


def _row(page: str, domain: str) -> str:
    """The row of a shop in the table, as text."""
    found = [
        row for row in re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL) if path_of(domain) in row
    ]
    assert len(found) == 1
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def _count(page: str) -> int:
    return len(re.findall(r'<tr>\s*<td><a href="/shops/shop\?', page))


def test_without_a_shop_it_says_how_to_begin(editor: Browser, viewer: Browser) -> None:
    page = editor.open("/shops")
    assert "No shop with a country is registered yet" in page
    assert "Add the first one below." in page
    assert '<details class="card" open>' in page
    assert "Only editors can add shops." in viewer.open("/shops")


def test_a_shop_is_one_row_with_both_stages(app: App, viewer: Browser) -> None:
    for domain in ("never.test", "works.test", "done.test"):
        added(app, domain)
    claimed(app, "works.test")
    crawled(app, "done.test", "blocked", "the shop <refuses> us")
    page = viewer.open("/shops")
    assert "– Never – Never" in _row(page, "never.test")
    assert "Running" in _row(page, "works.test")
    assert "Blocked" in _row(page, "done.test")


def test_a_shop_that_could_not_be_reached_says_when_it_is_tried_again(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    added(app, "down.test")
    unreached(app, clock, "down.test")
    row = _row(viewer.open("/shops"), "down.test")
    assert "Not responding Next attempt" in row
    assert row.count("Next attempt") == 1


def test_many_shops_are_on_several_pages(app: App, viewer: Browser) -> None:
    app.shops.add([f"shop-{number}.test" for number in range(51)], country="DE")
    page = viewer.open("/shops")
    assert _count(page) == 50
    following = re.search(r'href="([^"]+)" rel="next"', page)
    assert following is not None
    assert _count(viewer.open(unescape(following[1]))) == 1


def test_a_country_is_chosen_by_the_address(app: App, viewer: Browser) -> None:
    added(app, "one.test", "DE")
    added(app, "two.test", "FR")
    assert _count(viewer.open("/shops")) == 2
    page = viewer.open("/shops?country=fr")
    assert _count(page) == 1
    assert "one.test" not in page
    assert '<option value="FR" selected>' in page
    assert viewer.client.get("/shops?country=Germany").status_code == 400


def test_the_page_leads_with_price_drops_and_new_products(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    added(app, "one.test")
    for name in ("chair", "table", "lamp"):
        seen(app, product(app, "one.test", name), 10_000, title=f"A {name}")
    clock.advance(timedelta(hours=1))
    seen(app, product_at("one.test", "table"), 8_000)
    clock.advance(timedelta(hours=1))
    seen(app, product_at("one.test", "lamp"), 10_000, Status.SOLD)
    app.shops.refresh(["one.test"])
    page = viewer.open("/shops")
    assert page.index("Price down") < page.index(">Sold<") < page.index("New products")
    assert "-20 %" in page
    assert 'href="/shops/product?url=https%3A//one.test/table"' in page


def test_what_is_due_is_told_with_its_rule(app: App, clock: FixedClock, enter: Enter) -> None:
    added(app, "never.test")
    added(app, "old.test")
    crawled(app, "old.test")
    viewer = enter("v")
    page = viewer.open("/shops")
    assert "Never crawled, or last crawled at least two days ago." in page
    assert "Crawled but never scraped, or crawled again since the last scrape." in page
    rows = viewer.client.get("/shops/due.csv?stage=crawl").text.splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["never.test"]
    clock.advance(timedelta(days=2))
    viewer = enter("v")  # the session of two days ago is over
    rows = viewer.client.get("/shops/due.csv?stage=crawl&country=DE").text.splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == ["never.test", "old.test"]
    assert viewer.client.get("/shops/due.csv?stage=sleep").status_code == 422


def test_the_same_list_is_there_for_programs(viewer: Browser, app: App) -> None:
    added(app, "one.test")
    page = viewer.open("/shops?country=DE")
    assert 'href="/v1/shops/due?stage=crawl&amp;country=DE"' in page
    assert 'href="/shops/due.csv?stage=scrape&amp;country=DE"' in page
    assert "gotgan shops due --stage crawl --country DE" in page


def test_what_is_stuck_stands_on_top_and_is_released(
    app: App, clock: FixedClock, editor: Browser
) -> None:
    added(app, "one.test")
    stuck(app, clock, "one.test")
    page = editor.open("/shops?country=DE")
    assert page.index("1 task is stuck") < page.index('id="list-title"')
    assert "worker-1" in page
    page = editor.send("/shops/release")
    assert str(editor.answer.url).endswith("/shops?country=DE")
    assert "Released. The previous state is restored." in page
    assert "– Never" in _row(page, "one.test")
    assert "is stuck" not in page


def test_what_somebody_took_over_is_not_released(
    app: App, clock: FixedClock, editor: Browser
) -> None:
    added(app, "one.test")
    stuck(app, clock, "one.test")
    editor.open("/shops")
    claimed(app, "one.test")
    assert "the state has changed in the meantime" in editor.send("/shops/release")


def test_the_front_page_tells_of_stuck_work(app: App, clock: FixedClock, viewer: Browser) -> None:
    added(app, "one.test")
    assert list(shops_alerts(app)) == []
    stuck(app, clock, "one.test")
    page = viewer.open("/")
    assert "1 shop task is stuck." in page
    assert 'href="/shops">Show and release</a>' in page


def test_a_shop_is_added_and_shown(app: App, editor: Browser) -> None:
    editor.open("/shops")
    page = editor.send("/shops/add", domain="https://Example.com/x", country="de", name="Example")
    assert (editor.path, "The shop is registered." in page) == ("/shops/shop", True)
    shop = app.shops.get("example.com")
    assert (shop.shop_country, shop.shop_name) == ("DE", "Example")
    editor.open("/shops")
    assert "already registered" in editor.send("/shops/add", domain="example.com", name="Other")
    assert app.shops.get("example.com").shop_name == "Example"


def test_a_shop_without_a_country_gets_one(app: App, editor: Browser) -> None:
    added(app, "example.com", country=None)
    editor.open("/shops")
    page = editor.send("/shops/add", domain="www.example.com", country="de")
    assert "registered without a country; the country is now set" in page
    assert app.shops.get("example.com").shop_country == "DE"


def test_what_is_no_shop_is_handed_back_with_its_reason(editor: Browser) -> None:
    editor.open("/shops")
    page = editor.send("/shops/add", domain="<nonsense>", country="DE", name="Mine")
    assert editor.answer.status_code == 422
    assert "&lt;nonsense&gt;&#39; is not a domain" in page
    assert editor.sheet("/shops/add").fields["name"] == "Mine"


@pytest.mark.parametrize(
    ("domain", "country", "why"),
    [
        ("one.test two.test", "", "is not a domain"),
        (" ", "", "No shops given"),
        ("one.test", "Germany", "country: use a two-letter country code such as DE"),
    ],
)
def test_a_form_that_is_wrong_registers_nothing(
    app: App, editor: Browser, domain: str, country: str, why: str
) -> None:
    editor.open("/shops")
    page = editor.send("/shops/add", domain=domain, country=country)
    assert editor.answer.status_code == 422
    assert why in page
    assert editor.sheet("/shops/add").fields["country"] == country
    assert len(app.shops.list().items) == 0


def test_the_board_alone_is_read_again(app: App, viewer: Browser) -> None:
    added(app, "one.test")
    headers = {"HX-Request": "true", "HX-Target": "shops-board"}
    text = viewer.client.get("/shops", headers=headers).text
    assert text.lstrip().startswith('<div id="shops-board"')
    assert "run-crawl" not in text


def test_what_is_stuck_is_a_file(app: App, clock: FixedClock, viewer: Browser) -> None:
    added(app, "a.com", "DE")
    added(app, "b.com", "FR")
    stuck(app, clock, "a.com")
    page = viewer.open("/shops?country=DE")
    assert 'href="/v1/shops/stuck?country=DE"' in page
    assert "gotgan shops stuck --country DE" in page
    head, row = viewer.open("/shops/stuck.csv?country=DE").splitlines()
    assert head == "\ufeffdomain,shopCountry,stage,since,owner,attempts"
    assert row.startswith("a.com,DE,crawl,")
    assert len(viewer.open("/shops/stuck.csv?country=FR").splitlines()) == 1
