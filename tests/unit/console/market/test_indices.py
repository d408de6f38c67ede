"""The indices: each with its chart, its days and its change from day to day."""

from __future__ import annotations

import re
from datetime import date

import pytest

from gotgan.app import App
from gotgan.console.market.charts import index_bars
from gotgan.domains.market.rows import IndexSheet
from tests.unit.console.market.filling import FRIDAY, MONDAY, collected
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.row_values import an_index


def test_without_a_day_there_is_none_to_see(viewer: Browser) -> None:
    assert "No index values" in viewer.open("/market/indices")


@pytest.mark.parametrize("path", ["/market/indices", "/market/indices/kospi"])
def test_the_first_index_is_shown_by_its_market_or_none(
    app: App, viewer: Browser, path: str
) -> None:
    collected(app, FRIDAY, MONDAY)
    page = viewer.open(path)
    assert '<a href="/market/indices/1001" aria-current="true">KOSPI</a>' in page
    assert 'data-chart="/market/indices/1001.json?range=1y&amp;every=day"' in page
    days = re.findall(r"/market/days/(2025-10-\d\d)", page)
    assert days == ["2025-10-20", "2025-10-17"]
    assert "2,505.25" in page


@pytest.mark.parametrize("suffix", ["", ".csv", ".json"])
def test_an_unknown_index_is_not_found(viewer: Browser, suffix: str) -> None:
    assert viewer.client.get(f"/market/indices/9999{suffix}").status_code == 404


def test_the_days_of_an_index_are_a_file(app: App, viewer: Browser) -> None:
    assert viewer.open("/market/indices/2001.csv").count("\n") == 1
    collected(app, MONDAY)
    assert "2025-10-20,2500.5" in viewer.open("/market/indices/2001.csv?range=all")


def test_a_chart_of_days_that_have_a_close_alone_has_candles_of_one_price() -> None:
    day = an_index(MONDAY, open=None, high=None, low=None)
    bars = index_bars(IndexSheet("1001", "KOSPI", (day, day)))
    assert bars.candles == [(2_050.0,) * 4] * 2


def test_an_index_has_indicators_of_its_own(app: App, viewer: Browser) -> None:
    collected(app, *(date(2025, 10, day) for day in (13, 14, 15, 16, 17)))
    chart = viewer.client.get("/market/indices/kospi.json?range=1m").json()
    names = [each["name"] for each in chart["panes"][0]["series"]]
    assert names == ["Close", "Value traded", "SMA 5"]
    assert chart["panes"][0]["series"][2]["values"] == [None, None, None, None, 2505.25]
    assert viewer.client.get("/market/indices/2001.json").status_code == 200
