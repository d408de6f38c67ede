"""Shares: found by ticker or name, drawn, and listed with what makes their prices comparable."""

from __future__ import annotations

import pytest

from gotgan.app import App
from tests.unit.console.market.filling import FRIDAY, MONDAY, SHARES, collected, indicated
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.exchange import Exchange, price


def test_without_a_day_no_share_is_known(viewer: Browser) -> None:
    assert "No shares yet" in viewer.open("/market/stocks")


def test_shares_are_found_by_ticker_and_by_name(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    assert viewer.open("/market/stocks").count('href="/market/stocks/0000') == 5
    for words in ("00004", "SHARE OF 40"):
        page = viewer.open(f"/market/stocks?q={words}")
        assert page.count('href="/market/stocks/0000') == 1
        assert 'href="/market/stocks/000040"' in page
    assert "No matching shares" in viewer.open("/market/stocks?q=nobody")


def test_what_was_typed_is_escaped_everywhere(viewer: Browser) -> None:
    page = viewer.open("/market/stocks?q=%22%3E%3Cb%3E%27")
    assert "<b>" not in page
    assert "gotgan market stocks" in page


def test_a_share_is_drawn_with_its_days_and_indicators(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY, MONDAY)
    indicated(app, MONDAY, "000010", rsi_14=55.5, macd=1.25)
    page = viewer.open("/market/stocks/000010")
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="market-chart"' in page
    assert page.index("2025-10-20</a>") < page.index("2025-10-17</a>")
    assert "55.50" in page
    assert "+10.00" in page
    assert "No splits or reverse splits" in viewer.open("/market/stocks/000030")


def test_a_halted_day_has_no_open_and_says_so(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    page = viewer.open("/market/stocks/000050")
    assert '<span class="badge">halted</span>' in page


def test_a_split_is_listed(app: App, exchange: Exchange, viewer: Browser) -> None:
    collected(app, FRIDAY)
    exchange.shares[str(MONDAY)] = [price("000010", 220, 0), *SHARES[1:]]
    collected(app, MONDAY)
    page = viewer.open("/market/stocks/000010")
    assert "Corporate actions" in page
    assert "0.200000" in page


def test_the_range_is_chosen_by_links(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    page = viewer.open("/market/stocks/000010?range=3m")
    assert '<a href="/market/stocks/000010?range=3m" aria-current="true">3 months</a>' in page
    assert "/v1/market/stocks/000010?first=2025-07-20" in page
    assert 'href="/market/stocks/000010?range=all"' in page


@pytest.mark.parametrize("path", ["/market/stocks/000010", "/market/stocks/000010.csv"])
def test_an_unknown_range_is_refused(viewer: Browser, path: str) -> None:
    assert viewer.client.get(f"{path}?range=5y").status_code == 422


@pytest.mark.parametrize("path", ["/market/stocks/999999", "/market/stocks/999999.csv"])
def test_an_unknown_share_is_not_found(viewer: Browser, path: str) -> None:
    assert viewer.client.get(path).status_code == 404


def test_a_name_cannot_bring_markup_into_the_drawing(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    named = price("000060")
    object.__setattr__(named, "name", "<script>1</script>")
    exchange.always = [*SHARES, named]
    collected(app, MONDAY)
    assert "<script>1" not in viewer.open("/market/stocks/000060")


def test_the_days_of_a_share_are_a_file(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    indicated(app, MONDAY, "000010", rsi_14=55.5)
    head, row = viewer.open("/market/stocks/000010.csv").splitlines()
    told = dict(zip(head.removeprefix("\ufeff").split(","), row.split(","), strict=True))
    assert (told["date"], told["close"], told["rsi_14"]) == ("2025-10-20", "1100", "55.5")
    assert viewer.open("/market/stocks.csv?q=00001").count("\n") == 2
