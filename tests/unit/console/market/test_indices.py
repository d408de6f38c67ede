"""The indices: each with its chart, its days and its change from day to day."""

from __future__ import annotations

import re

import pytest

from gotgan.app import App
from gotgan.console.market.stocks import index_chart
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
    assert 'class="market-chart"' in page
    days = re.findall(r"/market/days/(2025-10-\d\d)", page)
    assert days == ["2025-10-20", "2025-10-17"]
    assert page.count("2,505.25") == 2


@pytest.mark.parametrize("path", ["/market/indices/9999", "/market/indices/9999.csv"])
def test_an_unknown_index_is_not_found(viewer: Browser, path: str) -> None:
    assert viewer.client.get(path).status_code == 404


def test_the_days_of_an_index_are_a_file(app: App, viewer: Browser) -> None:
    assert viewer.open("/market/indices/2001.csv").count("\n") == 1
    collected(app, MONDAY)
    assert "2025-10-20,2500.5" in viewer.open("/market/indices/2001.csv?range=all")


def test_a_chart_of_one_day_is_drawn_and_its_name_is_escaped() -> None:
    drawn = index_chart(IndexSheet("1001", "<b>", (an_index(MONDAY),)))
    assert "<b>" not in drawn
    assert "2025-10" in drawn


def test_a_chart_of_days_that_have_a_close_alone_is_drawn() -> None:
    day = an_index(MONDAY, open=None, high=None, low=None)
    drawn = index_chart(IndexSheet("1001", "KOSPI", (day, day)))
    assert 'class="close"' in drawn
