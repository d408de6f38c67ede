"""Shares that stand out on a day, of each kind."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from tests.unit.console.conftest import Enter
from tests.unit.console.market.filling import FRIDAY, MONDAY, SHARES, collected, indicated
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.exchange import Exchange, price

TUESDAY = MONDAY + timedelta(days=1)


@pytest.fixture(autouse=True)
def _shares(app: App) -> None:
    collected(app, FRIDAY, MONDAY)
    indicated(app, FRIDAY, "000010", rsi_14=50.0, macd_histogram=-1.0)
    indicated(app, FRIDAY, "000020", rsi_14=28.0, macd_histogram=1.0)
    indicated(app, MONDAY, "000010", rsi_14=71.0, macd_histogram=2.0)
    indicated(app, MONDAY, "000020", rsi_14=29.5, macd_histogram=-0.5)
    indicated(app, MONDAY, "000030", rsi_14=50.0, macd_histogram=0.5)


@pytest.mark.parametrize(
    ("path", "ticker"),
    [
        ("/market/screens", "000020"),
        ("/market/screens/oversold", "000020"),
        ("/market/screens/overbought", "000010"),
        ("/market/screens/macd_up", "000010"),
        ("/market/screens/macd_down", "000020"),
    ],
)
def test_a_screen_shows_the_shares_of_its_kind(viewer: Browser, path: str, ticker: str) -> None:
    page = viewer.open(path)
    assert re.findall(r"/market/stocks/(\d{6})", page) == [ticker]
    assert "Shares on 2025-10-20" in page


def test_a_day_is_chosen_by_the_address_and_kept_by_the_tabs(viewer: Browser) -> None:
    page = viewer.open("/market/screens/oversold?day=2025-10-17")
    assert "28.00" in page
    assert 'href="/market/screens/macd_up?day=2025-10-17"' in page
    assert "gotgan market screen oversold 2025-10-17" in page


def test_where_none_stands_out_it_says_so(viewer: Browser) -> None:
    assert "No shares match on 2025-10-17" in viewer.open(
        "/market/screens/overbought?day=2025-10-17"
    )


def test_a_day_without_indicators_is_told_from_one_on_which_none_stands_out(
    viewer: Browser,
) -> None:
    page = viewer.open("/market/screens/overbought?day=2025-10-16")
    assert "No indicators for 2025-10-16" in page
    assert 'href="/market/screens/overbought">Show the latest day' in page


def test_a_screen_is_a_file(viewer: Browser) -> None:
    head, row = viewer.open("/market/screens/oversold.csv").splitlines()
    told = dict(zip(head.removeprefix("\ufeff").split(","), row.split(","), strict=True))
    assert (told["ticker"], told["rsi_14"]) == ("000020", "29.5")


def test_a_screen_of_many_comes_page_by_page_and_as_one_file(
    app: App, clock: FixedClock, exchange: Exchange, enter: Enter
) -> None:
    tickers = [f"1{number:05}" for number in range(120)]
    exchange.always = [*SHARES, *map(price, tickers)]
    clock.advance(timedelta(days=1))
    collected(app, TUESDAY)
    for ticker in tickers:
        indicated(app, TUESDAY, ticker, rsi_14=12.5)
    viewer = enter("v")
    pages = [viewer.open("/market/screens")]
    while links := re.findall(r'href="([^"]*)" rel="next"', pages[-1]):
        assert f"day={TUESDAY}" in links[0]
        pages.append(viewer.open(unescape(links[0])))
    shown = [re.findall(r"/market/stocks/(\d{6})", page) for page in pages]
    assert shown == [tickers[:50], tickers[50:100], tickers[100:]]
    assert f'href="/market/screens?day={TUESDAY}" rel="first"' in pages[-1]
    _, *rows = viewer.open("/market/screens/oversold.csv").splitlines()
    assert [row.split(",")[1] for row in rows] == tickers


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/market/screens/cheap", 404),
        ("/market/screens/cheap.csv", 404),
        ("/market/screens/oversold?day=x", 400),
        ("/market/screens/oversold?cursor=overbought-2025-10-20-71.0-000010", 400),
    ],
)
def test_what_there_is_not_is_refused(viewer: Browser, path: str, status: int) -> None:
    assert viewer.client.get(path).status_code == status
