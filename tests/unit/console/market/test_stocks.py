"""Shares: listed with their last prices, found, sorted, and each with its chart and its days."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gotgan.app import App
from tests.unit.console.market.filling import FRIDAY, MONDAY, SHARES, collected, indicated
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.exchange import Exchange, price

ROW = re.compile(r'<a href="/market/stocks/(\w+)">')


def _chart(viewer: Browser, path: str) -> dict[str, Any]:
    answer = viewer.client.get(path)
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_without_a_day_no_share_is_known(viewer: Browser) -> None:
    assert "No shares yet" in viewer.open("/market/stocks")


def test_shares_are_found_by_ticker_name_and_market(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    assert len(ROW.findall(viewer.open("/market/stocks"))) == 5
    for words in ("q=00004", "q=SHARE+OF+40", "market=KOSDAQ"):
        assert ROW.findall(viewer.open(f"/market/stocks?{words}")) == ["000040"]
    assert "No matching shares" in viewer.open("/market/stocks?q=nobody")
    assert viewer.client.get("/market/stocks?market=NYSE").status_code == 422


def test_shares_have_their_last_price_and_are_sorted_by_headings(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY, MONDAY)
    page = viewer.open("/market/stocks")
    assert ROW.findall(page) == ["000040", "000010", "000030", "000020", "000050"]
    assert "+10.00%" in page
    assert page.count('class="sparkline') == 4  # the one that is halted has no close to draw
    assert 'href="/market/stocks?sort=-change"' in page
    page = viewer.open("/market/stocks?sort=change")
    assert ROW.findall(page)[0] == "000020"
    assert 'aria-sort="ascending"' in page
    assert viewer.client.get("/market/stocks?sort=luck").status_code == 422


def test_what_was_typed_is_escaped_everywhere(viewer: Browser) -> None:
    page = viewer.open("/market/stocks?q=%22%3E%3Cb%3E%27")
    assert "<b>" not in page
    assert "gotgan market stocks" in page


def test_a_share_has_key_figures_a_chart_and_its_days(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY, MONDAY)
    indicated(app, MONDAY, "000010", rsi_14=55.5, macd=1.25)
    page = viewer.open("/market/stocks/000010")
    assert 'data-chart="/market/stocks/000010.json?range=1y&amp;every=day"' in page
    assert page.count("<script") == 4
    assert page.index("2025-10-20</a>") < page.index("2025-10-17</a>")
    assert "55.50" in page
    assert "+10.00%" in page
    assert "990 – 1,010" in viewer.open("/market/stocks/000030")
    assert "No splits or reverse splits" in viewer.open("/market/stocks/000030")


def test_a_chart_has_candles_and_leaves_out_halted_days(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY, MONDAY)
    chart = _chart(viewer, "/market/stocks/000030.json")
    assert chart["times"] == ["2025-10-17", "2025-10-20"]
    candles = chart["panes"][0]["series"][0]
    assert (candles["kind"], candles["values"][0]) == ("candles", [995, 1010, 990, 1000])
    assert _chart(viewer, "/market/stocks/000050.json")["panes"][0]["series"] == [
        {**candles, "values": [None, None]}
    ]


def test_the_prices_before_a_split_are_comparable_in_a_chart(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    collected(app, FRIDAY)
    exchange.shares[str(MONDAY)] = [price("000010", 220, 0), *SHARES[1:]]
    collected(app, MONDAY)
    page = viewer.open("/market/stocks/000010")
    assert "Corporate actions" in page
    assert "0.200000" in page
    candles, volumes = _chart(viewer, "/market/stocks/000010.json")["panes"][0]["series"]
    assert [candle[3] for candle in candles["values"]] == [220, 220]
    assert volumes["values"] == [50_000, 10_000]


def test_a_chart_of_weeks_has_a_candle_for_each(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY, MONDAY)
    chart = _chart(viewer, "/market/stocks/000030.json?every=week")
    assert chart["times"] == ["2025-10-17", "2025-10-20"]
    chart = _chart(viewer, "/market/stocks/000030.json?every=month")
    assert chart["times"] == ["2025-10-20"]
    candles, volumes = chart["panes"][0]["series"]
    assert candles["values"] == [[995, 1010, 990, 1000]]
    assert volumes["values"] == [20_000]
    assert viewer.client.get("/market/stocks/000030.json?every=hour").status_code == 422


def test_a_halted_day_has_no_open_and_says_so(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    page = viewer.open("/market/stocks/000050")
    assert '<span class="badge">halted</span>' in page


def test_the_range_is_chosen_by_links(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    page = viewer.open("/market/stocks/000010?range=3m&every=week")
    assert re.search(
        r'href="/market/stocks/000010\?every=week&amp;range=3m"[^>]*aria-current', page
    )
    assert "000010.json?range=3m&amp;every=week" in page
    assert "/v1/market/stocks/000010?first=2025-07-20" in page
    assert 'href="/market/stocks/000010?every=week&amp;range=all"' in page


def test_only_the_chart_is_loaded_again_for_another_range(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    headers = {"HX-Request": "true", "HX-Target": "market-chart"}
    part = viewer.client.get("/market/stocks/000010?range=5y", headers=headers).text
    assert part.strip().startswith('<section id="market-chart"')
    assert "<table" not in part


@pytest.mark.parametrize("suffix", ["", ".csv", ".json"])
def test_an_unknown_range_is_refused(viewer: Browser, suffix: str) -> None:
    assert viewer.client.get(f"/market/stocks/000010{suffix}?range=2y").status_code == 422


@pytest.mark.parametrize("suffix", ["", ".csv", ".json"])
def test_an_unknown_share_is_not_found(viewer: Browser, suffix: str) -> None:
    assert viewer.client.get(f"/market/stocks/999999{suffix}").status_code == 404


def test_a_name_cannot_bring_markup_into_the_page(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    named = price("000060")
    object.__setattr__(named, "name", "<script>1</script>")
    exchange.always = [*SHARES, named]
    collected(app, MONDAY)
    for path in ("/market/stocks/000060", "/market/stocks", "/market"):
        assert "<script>1" not in viewer.open(path)


def test_the_days_of_a_share_are_a_file(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    indicated(app, MONDAY, "000010", rsi_14=55.5)
    head, row = viewer.open("/market/stocks/000010.csv").splitlines()
    told = dict(zip(head.removeprefix("\ufeff").split(","), row.split(","), strict=True))
    assert (told["date"], told["close"], told["rsi_14"]) == ("2025-10-20", "1100", "55.5")
    assert viewer.open("/market/stocks.csv?q=00001").count("\n") == 2
