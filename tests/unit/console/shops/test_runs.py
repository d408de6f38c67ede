"""Crawling and scraping from the pages: begun by a button, watched, and told in numbers."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops.reports import CrawlReport, ShopFailure, SkippedShop
from gotgan.domains.shops.service import Shops
from gotgan.domains.shops.workers import PoolReport
from gotgan.errors import GotganError, StoreUnreachable
from gotgan.fetch import Web
from gotgan.runs import ReportProgress, Run
from gotgan.settings import Secret, Settings
from gotgan.world import ServedWorld, World, world_server
from gotgan.world.shops import shop_products
from tests.unit.console.sheets import Browser
from tests.unit.console.shops.filling import added, path_of, product, seen
from tests.unit.domains.shops.adopting import META, Table
from tests.unit.fetch.serving import Server, reply, server

SECONDS = 20
SHOP = "antik-1.shop.test"
OTHER = "antik-2.shop.test"


@pytest.fixture
def web(clock: FixedClock) -> Iterator[ServedWorld]:
    """The web of these tests."""
    with world_server(World(clock=clock, padding=0)) as served:
        yield served


@pytest.fixture
def settings(web: ServedWorld) -> Settings:
    """Every name leads to that web."""
    return Settings(given_secret=Secret("x" * 32), resolve=web.resolve, delay=0)


def _ended(app: App, verb: str) -> Run:
    run = app.runs.latest(verb)
    assert run is not None
    return app.runs.wait(run.id, SECONDS)


@contextmanager
def _heard_at(app: App, hook: Server) -> Iterator[None]:
    """Somebody is named who wants to hear of changes."""
    told = replace(
        app.settings,
        webhook="https://hook.test/changes",
        webhook_secret=Secret("what both sides know"),
        resolve={"hook.test": hook.place},
    )
    with closing(Web.open(told, app.clock)) as web:
        app._services["shops"] = Shops(app.store, web, told, lambda: app.database)  # noqa: SLF001 - as settings would
        yield


def _ran(app: App, report: object, about: tuple[str, ...] | None = None) -> None:
    def work(_: ReportProgress) -> object:
        if isinstance(report, GotganError):
            raise report
        return report

    app.runs.wait(app.runs.start("shops.crawl", work, about=about).id, SECONDS)


def _card(page: str, name: str = "crawl") -> str:
    return page.partition(f'id="run-{name}"')[2].partition("</section>")[0]


def _counts(page: str, name: str) -> dict[str, str]:
    return dict(re.findall(r"<dt>([^<]*)</dt> <dd>([^<]*)</dd>", _card(page, name)))


def _polled(somebody: Browser, query: str = "back=/shops") -> httpx.Response:
    headers = {"HX-Request": "true", "HX-Target": "run-crawl"}
    return somebody.client.get(f"/shops/runs?{query}", headers=headers)


def test_without_a_run_it_says_so(app: App, viewer: Browser) -> None:
    added(app, SHOP)
    for path in ("/shops", "/shops/runs"):
        assert viewer.open(path).count("No runs since this server started.") == 4
    assert viewer.open(path_of(SHOP)).count("No runs for this item since this server started.") == 3


def test_the_page_of_a_shop_tells_no_run_about_another(app: App, viewer: Browser) -> None:
    added(app, SHOP, "DE")
    added(app, OTHER, "FR")
    _ran(app, PoolReport([CrawlReport(OTHER, "ok", "all", pages=77)]), about=(OTHER,))
    assert "No runs for this item" in _card(viewer.open(path_of(SHOP)))
    for path in (path_of(OTHER), "/shops"):
        assert _counts(viewer.open(path), "crawl")["pages"] == "77"


@pytest.mark.parametrize("about", [None, ("DE",), (f"www.{SHOP}",), (OTHER, SHOP)])
def test_the_page_of_a_shop_tells_what_was_about_it_among_others(
    app: App, viewer: Browser, about: tuple[str, ...] | None
) -> None:
    added(app, SHOP, "DE")
    _ran(app, PoolReport([CrawlReport(SHOP, "ok", "all", pages=77)]), about=about)
    _ran(app, PoolReport([CrawlReport(OTHER, "ok", "all", pages=3)]), about=("FR",))
    assert _counts(viewer.open(path_of(SHOP)), "crawl")["pages"] == "77"


def test_the_page_of_a_shop_says_when_another_is_under_way_and_watches_it(
    app: App, editor: Browser
) -> None:
    added(app, SHOP)
    going = threading.Event()
    run = app.runs.start("shops.crawl", lambda _: going.wait(SECONDS), about=(OTHER,))
    card = _card(editor.open(path_of(SHOP)))
    asks = re.findall(r'hx-get="/shops/runs\?([^"]*)"', card)[0].replace("&amp;", "&")
    watched = _polled(editor, asks)
    going.set()
    app.runs.wait(run.id, SECONDS)
    ended = _polled(editor, asks)
    assert "A run for another item is in progress" in card
    assert OTHER in card
    assert "disabled" in card
    assert "A run for another item is in progress" in watched.text
    assert "hx-trigger" not in watched.headers
    assert ended.headers["hx-trigger"] == "run-ended"
    assert "No runs for this item" in ended.text
    assert "disabled" not in ended.text


def test_a_run_is_about_the_shop_or_the_country_that_it_was_begun_for(
    app: App, editor: Browser
) -> None:
    added(app, SHOP)
    editor.open(path_of(SHOP))
    editor.send("/shops/crawl")
    assert _ended(app, "shops.crawl").about == (SHOP,)
    editor.open("/shops?country=DE")
    editor.send("/shops/scrape")
    assert _ended(app, "shops.scrape").about == ("DE",)
    editor.open("/shops")
    editor.send("/shops/scrape")
    assert _ended(app, "shops.scrape").about is None


def test_a_shop_is_crawled_and_scraped_by_its_buttons(
    app: App, web: ServedWorld, editor: Browser
) -> None:
    added(app, SHOP, country=None)
    editor.open(path_of(SHOP))
    assert "Started." in editor.send("/shops/crawl")
    assert editor.path == "/shops/shop"
    crawled = _ended(app, "shops.crawl")
    counts = _counts(editor.open(path_of(SHOP)), "crawl")
    products = shop_products(web.world.scene, SHOP)
    assert crawled.figures == {"products": len(products), "back_off": 0}
    assert (counts["shops"], counts["products"]) == ("1", str(len(products)))
    editor.send("/shops/scrape")
    assert _ended(app, "shops.scrape").figures == {"changes": len(products), "back_off": 0}
    scraped = _counts(editor.open(path_of(SHOP)), "scrape")
    assert (scraped["new"], scraped["changed"]) == (counts["products"], "0")


def test_what_is_due_in_a_country_is_crawled_by_the_board(app: App, editor: Browser) -> None:
    added(app, SHOP, "DE")
    added(app, "antik-2.shop.test", "FR")
    editor.open("/shops?country=DE")
    editor.send("/shops/crawl")
    assert "country=DE" in str(editor.answer.url)
    run = _ended(app, "shops.crawl")
    assert [each.domain for each in run.report.shops] == [SHOP]


def test_while_it_runs_the_card_tells_its_pace_and_asks_again(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    going, told = threading.Event(), threading.Event()

    def work(tell: ReportProgress) -> None:
        tell(30, 90, "https://example.com/<third>", products=12, back_off=7.6)
        told.set()
        going.wait(SECONDS)

    run = app.runs.start("shops.crawl", work)
    told.wait(SECONDS)
    clock.advance(timedelta(seconds=10))
    answer = _polled(viewer, "back=/shops&country=DE")
    going.set()
    app.runs.wait(run.id, SECONDS)
    assert answer.text.lstrip().startswith('<section id="run-crawl"')
    assert "30 of 90" in answer.text
    assert "<p>12 products so far · asked to wait 8 s</p>" in answer.text
    assert "3.0 a second · about 20 seconds left" in answer.text
    assert "/&lt;third&gt;" in answer.text
    assert 'hx-get="/shops/runs?back=%2Fshops&amp;country=DE"' in answer.text


def test_when_it_has_ended_the_card_is_still_and_the_board_is_told(
    app: App, viewer: Browser
) -> None:
    _ran(app, PoolReport([CrawlReport(SHOP, "blocked", "it <refuses>", pages=3)]))
    answer = _polled(viewer)
    assert answer.headers["hx-trigger"] == "run-ended"
    assert "hx-get" not in answer.text
    assert "it &lt;refuses&gt;" in answer.text
    assert "Blocked" in answer.text


def test_shops_that_were_left_are_told_with_their_reasons(app: App, viewer: Browser) -> None:
    report = PoolReport[CrawlReport]([], [SkippedShop("taken.test", "kim <has> it")])
    report.failed.append(ShopFailure("broken.test", GotganError("the item <is> broken")))
    _ran(app, report)
    page = viewer.open("/shops")
    assert "1 shop was skipped" in page
    assert "kim &lt;has&gt; it" in page
    assert "1 shop failed" in page
    assert "the item &lt;is&gt; broken" in page


def test_a_failure_is_told_with_what_to_do(app: App, viewer: Browser) -> None:
    _ran(app, StoreUnreachable("the database does not answer"))
    page = viewer.open("/shops")
    assert "the database does not answer" in page
    assert "the next run continues from there" in page


def test_whoever_asks_for_something_else_meanwhile_is_told(app: App, editor: Browser) -> None:
    added(app, SHOP)
    editor.open(path_of(SHOP))
    sheet = editor.sheet("/shops/crawl")
    going, begun = threading.Event(), threading.Event()

    def work(_: ReportProgress) -> None:
        begun.set()
        going.wait(SECONDS)

    run = app.runs.start("shops.crawl", work, about=("other.test",))
    begun.wait(SECONDS)
    page = editor.client.post("/shops/crawl", data=sheet.fields, follow_redirects=True).text
    going.set()
    app.runs.wait(run.id, SECONDS)
    assert "Another run is in progress" in page


def test_only_a_shop_that_is_there_is_crawled(app: App, editor: Browser) -> None:
    editor.open("/shops")
    editor.send("/shops/crawl", domain="nobody.test")
    assert editor.answer.status_code == 404
    assert app.runs.latest("shops.crawl") is None


def test_a_button_leads_to_no_other_site(app: App, editor: Browser) -> None:
    editor.open("/shops")
    editor.send("/shops/crawl", back="https://example.com/")
    assert editor.path == "/"
    _ended(app, "shops.crawl")


def test_changes_are_handed_over_by_a_button(app: App, editor: Browser) -> None:
    added(app, SHOP)
    seen(app, product(app, SHOP, "chair"), 100)
    with server() as hook:
        hook.says("/changes", reply(status=204))
        with _heard_at(app, hook):
            editor.open("/shops")
            assert "Started." in editor.send("/shops/deliver")
            report = _ended(app, "shops.deliver").report
    assert (report.changes, report.stopped) == (1, None)
    page = editor.open("/shops")
    assert _counts(page, "deliver") == {"changes": "1", "shops": "1"}
    assert report.sink in page


def test_where_nobody_is_named_the_card_says_what_to_set(app: App, editor: Browser) -> None:
    added(app, SHOP)
    editor.open(path_of(SHOP))
    editor.send("/shops/deliver")
    assert _ended(app, "shops.deliver").state == "failed"
    assert editor.path == "/shops/shop"
    assert "Set GOTGAN_WEBHOOK" in editor.open("/shops")


def test_data_of_other_tools_is_adopted(app: App, editor: Browser) -> None:
    table = Table(app.store)
    table.put(META)
    table.put(META, pk="SHOP#example.net", shop_country="Germany")
    editor.open("/shops")
    assert "Started." in editor.send("/shops/adopt")
    assert _ended(app, "shops.adopt").state == "done"
    page = editor.open("/shops")
    counts = {"items read": "2", "shops": "1", "pages": "0", "new countries": "1"}
    assert _counts(page, "adopt") == counts
    assert "SHOP#example.net / META#" in _card(page, "adopt")
    assert "example.com" in page


def test_a_shop_of_another_tool_is_adopted_when_it_is_added(app: App, editor: Browser) -> None:
    Table(app.store).put(META)
    editor.open("/shops")
    assert "This shop was written by another tool." in editor.send(
        "/shops/add", domain="example.com"
    )
