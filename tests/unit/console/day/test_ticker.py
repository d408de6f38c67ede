"""The news about a ticker: with the chart and the last price of its share, where there are some."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from gotgan.app import App
from tests.unit.console.market.filling import FRIDAY, MONDAY, collected
from tests.unit.console.news.filling import stored
from tests.unit.console.sheets import Browser


def test_a_ticker_with_prices_has_its_chart_above_its_stories(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY, MONDAY)
    stored(app, "Share of 10 rises", tickers=("000010.KS",))
    page = viewer.open("/news?ticker=000010.ks").partition("<main")[2]
    assert "<h1>News about 000010.KS</h1>" in page
    assert 'data-chart="/market/stocks/000010.json?range=6m&amp;show=prices"' in page
    assert page.index("1,100") < page.index("Share of 10 rises")
    assert "vendor/lightweight-charts" in viewer.page
    path = "/market/stocks/000010.json?range=6m&show=prices"
    assert len(viewer.client.get(path).json()["panes"]) == 1


@pytest.mark.parametrize("ticker", ["AAPL", "999999.KS", "0000", "%"])
def test_a_ticker_without_prices_has_its_stories_alone(
    app: App, viewer: Browser, ticker: str
) -> None:
    collected(app, MONDAY)
    stored(app, "Apples fall", tickers=(ticker,))
    page = viewer.open(f"/news?{urlencode({'ticker': ticker})}")
    assert "Apples fall" in page
    assert "data-chart" not in page
    assert "lightweight-charts" not in page
