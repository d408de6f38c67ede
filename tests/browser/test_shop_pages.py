"""The pages of the shops in a real browser: added, crawled, released, and barrier-free."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.reports import CrawlReport
from gotgan.domains.shops.workers import PoolReport
from gotgan.runs import ReportProgress
from gotgan.settings import Secret
from gotgan.store import Store
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.looking import wrong_with
from tests.browser.watching import sign_in
from tests.unit.console.shops.filling import added, claimed, crawled, path_of, product, seen

PHONE = {"width": 360, "height": 740}
SECONDS = 20
BUSY = "antiquitaeten-und-kuriositaeten-am-alten-markt.shop.test"


@pytest.fixture(scope="module")
def paths(app: App) -> list[str]:
    """Every page of the shops: those in every state, and one with pages of each type."""
    for number in range(10):
        added(app, f"neu-{number}.test", "DE")
    for outcome in ("ok", "empty", "blocked", "unreachable", "budget"):
        added(app, f"{outcome}.test", "FR")
        crawled(app, f"{outcome}.test", outcome, "a reason in <words>")
    added(app, "works.test")
    claimed(app, "works.test")
    added(app, "works.example")
    _lost(app, "works.example")
    added(app, BUSY, name="Antiquitäten & Kuriositäten")
    crawled(app, BUSY)
    for kind in ("category", "listing", "article", "other"):
        product(app, BUSY, kind, kind)
    for number in range(60):
        page = product(app, BUSY, f"produkt/{'sehr-' * 20}lang-{number}")
        if number < 5:
            seen(app, page, 120_000 + number, title=f"Biedermeier-Kommode {number}, " * 6)
            seen(app, page, 99_000, Status.SOLD)
    app.shops.refresh([BUSY])
    tabs = ("", "pages", "product", "article")
    board = ["/shops", "/shops?country=FR", "/shops/runs", path_of("works.example")]
    lists = ["/shops/products", "/shops/products?q=nothing", "/shops/changes?kind=sold"]
    one = f"/shops/product?url={app.shops.changes(BUSY, kind='sold').items[0].url}"
    return [*board, *lists, one, *(path_of(BUSY, tab) for tab in tabs)]


def _lost(app: App, domain: str) -> None:
    """A shop whose worker was last heard of long ago."""
    then = FixedClock(app.clock.now() - timedelta(hours=5))
    before = Store(app.store.calls.driver, secret=Secret("x" * 32), clock=then)
    Shop.crawl.claim(before, app.shops.get(domain), owner="worker-1")


def test_no_page_has_a_barrier_or_is_wider_than_its_window(
    open_page: OpenPage, app: App, axe: Axe, paths: list[str]
) -> None:
    assert wrong_with(open_page, app, axe, paths) == {}


def test_a_run_is_watched_to_its_end_without_a_click(
    open_page: OpenPage, app: App, axe: Axe
) -> None:
    going = threading.Event()

    def work(tell: ReportProgress) -> PoolReport[CrawlReport]:
        tell(7, 20, f"https://{BUSY}/the-seventh")
        going.wait(SECONDS)
        return PoolReport([CrawlReport(BUSY, pages=20, products=12, new=3)])

    watched = open_page()
    run = app.runs.start("shops.crawl", work)
    try:
        sign_in(watched, app, "u001", "/shops?country=AT")
        card = watched.page.locator("#run-crawl")
        expect(card).to_contain_text("7 of 20")
        expect(card.get_by_role("button")).to_be_disabled()
        assert axe.violations(watched.page) == []
        added(app, "found-in-the-meantime.test", "AT")
    finally:
        going.set()
    app.runs.wait(run.id, SECONDS)
    expect(card).to_contain_text("products 12", timeout=SECONDS * 1000)
    expect(card.get_by_role("button")).to_be_enabled()
    board = watched.page.locator("#shops-board")
    expect(board.get_by_role("link", name="found-in-the-meantime.test").first).to_be_visible()


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_a_shop_is_added_and_crawled_by_buttons(
    open_page: OpenPage, app: App, script: bool
) -> None:
    watched = open_page(java_script_enabled=script, viewport=PHONE)
    sign_in(watched, app, "u002", "/shops")
    page = watched.page
    if page.locator("details.card:not([open]) #domain").count():
        page.get_by_text("Add a shop").click()
    page.locator("#domain").fill("antik-1.shop.test")
    page.locator("#country").fill("CH")
    page.get_by_role("button", name="Add shop", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("antik-1.shop.test")
    page.get_by_role("button", name="Crawl this shop").click()
    run = app.runs.latest("shops.crawl")
    assert run is not None
    app.runs.wait(run.id, SECONDS)
    page.goto(path_of("antik-1.shop.test", "product"))
    expect(page.locator("#run-crawl")).to_contain_text("products")
    expect(page.locator("tbody tr").first).to_contain_text("product")


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["on a desk", "on a phone"])
def test_a_product_is_found_and_its_history_is_opened(
    open_page: OpenPage, app: App, axe: Axe, viewport: dict[str, int] | None
) -> None:
    added(app, "history.test", "AT")
    clock = FixedClock(app.clock.now() - timedelta(days=9))
    before = App(app.settings, Store(app.store.calls.driver, secret=Secret("x" * 32), clock=clock))
    things = [product(app, "history.test", name) for name in ("one", "two")]
    for price in (30_000, 20_000, 25_000):
        for cents, thing in enumerate(things):
            seen(before, thing, price - cents, title=f"Rare {thing.url[-3:]}")
        clock.advance(timedelta(days=2))
    app.shops.refresh(["history.test"])
    watched = open_page(**({} if viewport is None else {"viewport": viewport}))
    sign_in(watched, app, "u001", "/shops/products")
    page = watched.page
    page.get_by_label("Title").fill("rare")
    page.get_by_label("Order").select_option("-price")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("td.title")).to_have_text(["Rare one", "Rare two"])
    page.get_by_role("link", name="Rare two").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rare two")
    expect(page.locator("figure.chart canvas").first).to_be_visible()
    expect(page.locator(".chart-legend")).to_contain_text("249.99")
    expect(page.get_by_role("row").nth(1)).to_contain_text("Price up")
    assert axe.violations(page) == []


def test_what_is_stuck_is_released(open_page: OpenPage, app: App) -> None:
    added(app, "once-more.test", "LI")
    _lost(app, "once-more.test")
    watched = open_page(viewport=PHONE)
    sign_in(watched, app, "u002", "/shops?country=LI")
    page = watched.page
    page.get_by_role("button", name="Release: once-more.test, Crawl").click()
    expect(page.get_by_role("status")).to_contain_text("Released. The previous state is restored.")
    expect(page.locator("#shops-stuck")).to_be_empty()
