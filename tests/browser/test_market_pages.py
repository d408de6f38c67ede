"""The pages of the market in a real browser: collected by buttons, and barrier-free."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from playwright.sync_api import Response, expect

from gotgan.app import App
from gotgan.domains.market.collector import MarketCollector
from gotgan.errors import ProviderError
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.looking import wrong_with
from tests.browser.watching import sign_in
from tests.unit.console.market.filling import SHARES, indicated
from tests.unit.domains.market.exchange import Exchange

PHONE = {"width": 360, "height": 740}
SECONDS = 20


@pytest.fixture(scope="module")
def exchange(app: App) -> Iterator[Exchange]:
    """Whom the market asks, in these tests."""
    before = app.market.collector
    exchange = Exchange(always=SHARES, clock=app.clock)
    app.market.collector = MarketCollector(app.database, exchange, app.settings, app.clock)
    yield exchange
    app.market.collector = before


@pytest.fixture(scope="module")
def days(app: App) -> list[date]:
    """The last sessions before today, the oldest first."""
    calendar, today = app.market.calendar(), app.market.today()
    return list(calendar.sessions(today - timedelta(days=30), today - timedelta(days=1)))[-8:]


@pytest.fixture(scope="module")
def paths(app: App, exchange: Exchange, days: list[date]) -> list[str]:
    """Every page of the market: days in every state, shares, indices and what is missing."""
    for day in days[:4]:
        app.market.collect(day, now=True)
    exchange.failing["prices"] = [
        ProviderError("the exchange does not answer: " + "so it is, " * 30)
    ]
    app.market.collect(days[4], now=True)
    app.market.open_day(days[5])
    for ticker in ("000010", "000020"):
        indicated(app, days[3], ticker, rsi_14=25.0, macd=1.5, macd_signal=1.0)
    sheets = [f"/market/days/{day}" for day in (days[3], days[4], days[5], days[6], "2025-10-06")]
    shares = ["/market/stocks?q=", "/market/stocks/000010?range=3m", "/market/indices/1001"]
    others = ["/market/screens/oversold", "/market/gaps", "/market/recover", "/market/runs"]
    return ["/market", "/market/days", *sheets, *shares, *others, "/schedule"]


def test_no_page_has_a_barrier_or_is_wider_than_its_window(
    open_page: OpenPage, app: App, axe: Axe, paths: list[str]
) -> None:
    assert wrong_with(open_page, app, axe, paths) == {}


def _is_post(response: Response) -> bool:
    return response.request.method == "POST"


@pytest.mark.parametrize("script", [True, False], ids=["with scripts", "without scripts"])
def test_a_day_that_failed_is_found_on_the_calendar_and_retried(
    open_page: OpenPage, app: App, exchange: Exchange, days: list[date], script: bool
) -> None:
    day = days[-1] if script else days[-2]
    exchange.failing["indices"] = [ProviderError("the exchange does not answer")]
    app.market.collect(day, now=True)
    watched = open_page(java_script_enabled=script, viewport=PHONE)
    sign_in(watched, app, "u002", f"/market/days?year={day.year}")
    page = watched.page
    page.get_by_role("link", name=f"{day}: Prices Success 5; Indices Failed").click()
    expect(page.locator("#side-indices")).to_contain_text("Failed")
    with page.expect_response(_is_post) if script else page.expect_navigation():
        page.get_by_role("button", name="Collect now").click()
    run = app.runs.latest("market.collect")
    assert run is not None
    app.runs.wait(run.id, SECONDS)
    if not script:
        page.reload()
    expect(page.locator("#side-indices")).to_contain_text("Success", timeout=SECONDS * 1000)
    expect(page.locator("#run-collect")).to_contain_text("Stored 2 indices from test.")


@pytest.mark.usefixtures("exchange")
def test_a_span_is_recovered_by_the_form(open_page: OpenPage, app: App, days: list[date]) -> None:
    watched = open_page(viewport=PHONE)
    sign_in(watched, app, "u002", "/market/recover")
    page = watched.page
    page.locator("#first").fill(str(days[0]))
    page.locator("#last").fill(str(days[1]))
    with page.expect_response(_is_post):
        page.get_by_role("button", name="Recover", exact=True).click()
    run = app.runs.latest("market.recover")
    assert run is not None
    app.runs.wait(run.id, SECONDS)
    card = page.locator("#run-recover")
    expect(card).to_contain_text("already stored", timeout=SECONDS * 1000)
