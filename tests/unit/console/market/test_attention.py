"""What of the market needs attention, as the front page tells it."""

from __future__ import annotations

from gotgan.app import App
from gotgan.console.alerts import market_alerts
from tests.unit.console.market.filling import FRIDAY, MONDAY, collected, failed
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.exchange import Exchange


def test_a_market_that_was_never_begun_needs_nothing(app: App) -> None:
    assert list(market_alerts(app)) == []


def test_a_day_that_was_mended_needs_nothing(app: App, exchange: Exchange) -> None:
    failed(app, exchange, MONDAY)
    collected(app, MONDAY)
    assert list(market_alerts(app)) == []


def test_one_day_that_failed_leads_to_its_sheet(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    failed(app, exchange, FRIDAY)
    page = viewer.open("/")
    assert "1 market day failed" in page
    assert 'href="/market/days/2025-10-17">See why and try again</a>' in page


def test_several_days_lead_to_the_calendar(app: App, exchange: Exchange) -> None:
    failed(app, exchange, FRIDAY)
    failed(app, exchange, MONDAY, "indices")
    [need] = market_alerts(app)
    assert (need.count, need.path) == (2, "/market/days")
