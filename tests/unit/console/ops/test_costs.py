"""The cost meter: units and money by verb, table and index, day by day, and since when."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.console.ops import month_bars, share_bar
from gotgan.operations.costs import cost_report
from gotgan.store.costs import Cost, CostLine, CostMeter
from tests.unit.console.conftest import NOON
from tests.unit.console.sheets import Browser

WRITES = Cost((CostLine("upload", "news_items", "by_day", 0.0, 750.0),))
READS = Cost((CostLine("query", "news_items", None, 2000.0, 0.0),))


@pytest.fixture
def meter(clock: FixedClock) -> CostMeter:
    """Two days of costs."""
    meter = CostMeter(clock)
    meter.record(READS)
    clock.advance(timedelta(days=2))
    meter.record(WRITES)
    return meter


def test_the_page_says_since_when_and_what_it_comes_to(app: App, admin: Browser) -> None:
    app.store.calls.meter.record(WRITES)
    page = admin.open("/ops/costs")
    assert "since 2100-01-01 21:00" in page.replace('<time datetime="2100-01-01T12:00:00Z">', "")
    assert "$0.00047" in page
    assert "write units" in page
    assert "AWS on-demand list prices in us-east-1" in page


def test_a_bar_is_as_long_as_the_share(meter: CostMeter) -> None:
    costs = cost_report(meter, "verb")
    bars = [share_bar(each.usd, costs.usd) for each in costs.items]
    widths = [bar.partition('class="some" width="')[2][:5] for bar in bars]
    assert widths == ["65.22", "34.78"]
    assert 'width="0.00"' in share_bar(Decimal(0), Decimal(0))


def test_thirty_days_are_drawn_with_those_that_cost_nothing(meter: CostMeter) -> None:
    drawn = month_bars(cost_report(meter, "line"), "writes")
    assert drawn.count("<rect") == 30
    assert drawn.count('class="some"') == 1


def test_the_way_of_adding_up_is_in_the_address(app: App, admin: Browser) -> None:
    app.store.calls.meter.record(WRITES)
    page = admin.open("/ops/costs?by=table")
    assert 'href="/v1/costs?by=table"' in page
    assert 'href="/ops/costs.csv?by=table"' in page
    assert 'href="/ops/costs?by=table" aria-current="true"' in page
    assert ">upload<" not in page
    file = admin.client.get("/ops/costs.csv?by=verb").text
    assert file.splitlines()[0].endswith("verb,table,index,reads,writes,usd")
    assert "upload,,,0.0,750.0,0.00046875" in file
    assert admin.client.get("/ops/costs?by=moon").status_code == 422


def test_each_day_is_told_in_a_table(app: App, admin: Browser, clock: FixedClock) -> None:
    app.store.calls.meter.record(WRITES)
    clock.advance(timedelta(minutes=30))
    page = admin.open("/ops/costs")
    assert f'{NOON:%Y-%m-%d} <span class="zone">UTC</span>' in page
    assert "Day by day" in page


def test_costs_are_told_in_korean_too(admin: Browser) -> None:
    admin.client.headers["accept-language"] = "ko"
    page = admin.open("/ops/costs")
    assert "비용이 큰 순" in page
    assert "읽기 단위" in page
