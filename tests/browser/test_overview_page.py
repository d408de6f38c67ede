"""The overview and the news of a ticker in a real browser: content first, and barrier-free."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from gotgan.app import App
from gotgan.domains.market.collector import MarketCollector
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.looking import wrong_with
from tests.browser.watching import sign_in
from tests.unit.console.day.filling import changed_shop
from tests.unit.console.market.filling import SHARES
from tests.unit.console.news.filling import stored
from tests.unit.console.videos.filling import analysed
from tests.unit.domains.market.exchange import Exchange

TICKER_NEWS = "/news?ticker=000010.KS"
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module", autouse=True)
def everything(app: App) -> Iterator[None]:
    """Something new in each domain."""
    before = app.market.collector
    exchange = Exchange(always=SHARES, clock=app.clock)
    app.market.collector = MarketCollector(app.database, exchange, app.settings, app.clock)
    calendar, today = app.market.calendar(), app.market.today()
    for day in list(calendar.sessions(today - timedelta(days=14), today - timedelta(days=1)))[-3:]:
        app.market.collect(day, now=True)
    stored(app, "A share rises by ten percent " * 4, tickers=("000010.KS", "AAPL"))
    changed_shop(app)
    app.shops.refresh()
    analysed(app, "front-video", title="A title of many words " * 5)
    app.site.inquiries.receive(
        name="Visitor", email="v@example.com", subject="Subject " * 20, message="?", address="::1"
    )
    yield
    app.market.collector = before


def test_neither_has_a_barrier_or_is_wider_than_its_window(
    open_page: OpenPage, app: App, axe: Axe
) -> None:
    assert wrong_with(open_page, app, axe, ["/", TICKER_NEWS]) == {}


def test_on_a_phone_a_headline_a_share_and_a_product_are_one_tap_away(
    open_page: OpenPage, app: App
) -> None:
    watched = open_page(viewport=PHONE)
    sign_in(watched, app, "u001")
    page = watched.page
    for region, link, heading in (
        ("Headlines", "A share rises", "A share rises"),
        ("Shops", "A chair", "A chair"),
        ("Newest analyses", "A title of many words", "A title of many words"),
    ):
        page.goto("/")
        page.get_by_role("region", name=region).get_by_role("link", name=link).first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)


def test_the_chart_of_a_ticker_shows_its_values(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    sign_in(watched, app, "u001")
    page = watched.page
    page.goto(TICKER_NEWS)
    expect(page.locator("figure.chart canvas").first).to_be_visible()
    expect(page.locator(".chart-legend").first).to_contain_text("1,100")
