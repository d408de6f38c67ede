"""What a session brought, on every database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market.days import DaySpan
from gotgan.domains.market.service import Market
from gotgan.domains.market.summary import SCREEN_LIMIT
from gotgan.errors import ProviderError
from gotgan.fetch import FetchRules, Web
from gotgan.sql import Database
from tests.unit.domains.market.conftest import SETTINGS
from tests.unit.domains.market.exchange import Exchange, price

FRIDAY = date(2025, 10, 17)
MONDAY = date(2025, 10, 20)
SUNDAY = date(2025, 10, 19)


@pytest.fixture
def market(database: Database, exchange: Exchange, clock: FixedClock) -> Iterator[Market]:
    """The market at 17:00 of a Monday, with an exchange whose answers are set by hand."""
    with Web(FetchRules(), clock=clock) as web:
        market = Market(database, web, SETTINGS, clock)
        market.collector._source = exchange  # noqa: SLF001 - in place of one on the web
        yield market


def test_a_day_that_nobody_has_collected_says_what_will_happen(market: Market) -> None:
    day = market.summary(MONDAY)
    assert (day.status.day, day.status.log, day.is_done) == (MONDAY, None, False)
    assert day.next == "2025-10-20 was never collected. Runs at the next scheduled time."
    assert (day.sheet.indices, day.sheet.breadth.total) == ((), 0)
    assert {found.count for found in day.screens.values()} == {0}


def test_a_day_without_trade_is_done(market: Market) -> None:
    day = market.summary(SUNDAY)
    assert (day.status.closed, day.is_done) == ("a weekend", True)


def test_a_day_tells_its_month(market: Market) -> None:
    month = market.summary(MONDAY).month
    assert [day.day.day for day in month] == list(range(1, 32))
    assert month[19] == market.summary(MONDAY).status


def test_a_session_tells_what_was_traded_and_what_stands_out(
    market: Market, exchange: Exchange, clock: FixedClock
) -> None:
    days = [day.day for day in market.status_between(date(2025, 8, 1), MONDAY) if not day.closed]
    for number, session in enumerate(days):
        falling, rising = 5_000 - 40 * number, 1_000 + 40 * number
        exchange.shares[str(session)] = [
            price("000001", falling, -40 if number else 0),
            price("000002", rising, 40 if number else 0),
            *(price(f"{each:06}") for each in range(3, 50)),
        ]
    assert market.recover(DaySpan(days[0], MONDAY)).stopped is None
    clock.advance(timedelta(hours=1))  # indicators wait for 18:00, also where they are there
    day = market.summary(MONDAY)
    assert (day.is_done, day.status.indicators is not None) == (True, True)
    assert (day.sheet.breadth.rising, day.sheet.breadth.falling) == (1, 1)
    assert [row.before for row in day.sheet.indices] == [Decimal("2505.25")]
    told = {kind: [row.ticker for row in found.rows] for kind, found in day.screens.items()}
    assert told["oversold"] == ["000001"]
    assert told["overbought"] == ["000002"]
    assert [found.count for found in day.screens.values()] == [len(rows) for rows in told.values()]


def test_more_shares_than_are_shown_are_counted(market: Market, exchange: Exchange) -> None:
    days = [day.day for day in market.status_between(date(2025, 8, 1), MONDAY) if not day.closed]
    for number, day in enumerate(days):
        exchange.shares[str(day)] = [
            price(f"{each:06}", 5_000 - 40 * number, -40 if number else 0) for each in range(30)
        ]
    market.recover(DaySpan(days[0], MONDAY))
    found = market.summary(MONDAY).screens["oversold"]
    assert (found.count, len(found.rows)) == (30, SCREEN_LIMIT)


def test_a_day_that_failed_says_when_it_is_tried_again(market: Market, exchange: Exchange) -> None:
    exchange.failing = {"prices": [ProviderError("no answer")]}
    market.collect(MONDAY)
    day = market.summary(MONDAY)
    assert day.status.log is not None
    assert (day.status.log.overall_status, day.is_done) == ("partial", False)
    assert "18:00" in day.next
