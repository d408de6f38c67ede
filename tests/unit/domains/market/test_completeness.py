"""Half a market is no day, whichever of the days beside it is there already."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market.collector import MarketCollector
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.unit.domains.market.exchange import Exchange, price

THURSDAY, FRIDAY, MONDAY = date(2025, 10, 16), date(2025, 10, 17), date(2025, 10, 20)


@pytest.fixture(autouse=True)
def half(exchange: Exchange, clock: FixedClock) -> None:
    """Tuesday, and the exchange has lost most of Friday."""
    clock.advance(timedelta(days=1))
    exchange.shares = {str(FRIDAY): exchange.always[:5]}


@pytest.mark.parametrize("beside", [THURSDAY, MONDAY])
def test_the_session_before_or_else_the_one_after_tells_how_many_there_should_be(
    collector: MarketCollector, beside: date
) -> None:
    collector.collect(beside)
    report = collector.collect(FRIDAY)
    assert report.outcome == "partial"
    assert f"KOSPI has 5 prices on {FRIDAY}, but 50 on {beside}." in report.words


def test_the_larger_of_both_neighbours_counts(
    collector: MarketCollector, exchange: Exchange
) -> None:
    exchange.shares[str(THURSDAY)] = exchange.always[:5]
    exchange.shares[str(FRIDAY)] = exchange.always[:5]
    collector.collect(THURSDAY)
    collector.collect(MONDAY)
    assert collector.collect(FRIDAY).outcome == "partial"


@pytest.mark.parametrize("day", [date(2025, 9, 22), date(2025, 11, 10)])
def test_a_day_that_is_far_away_says_nothing(
    collector: MarketCollector, clock: FixedClock, day: date
) -> None:
    clock.advance(timedelta(days=60))
    collector.collect(day)
    assert collector.collect(FRIDAY).outcome == "success"


def test_each_market_is_compared_with_itself(
    database: Database, exchange: Exchange, clock: FixedClock
) -> None:
    others = [price(f"9{number:05}", market="KOSDAQ") for number in range(50)]
    collector = MarketCollector(database, exchange, Settings(markets=("KOSPI", "KOSDAQ")), clock)
    exchange.shares = {
        str(THURSDAY): [*exchange.always, *others],
        str(FRIDAY): [*exchange.always, *others[:5]],
    }
    collector.collect(THURSDAY)
    assert "KOSDAQ has 5 prices" in collector.collect(FRIDAY).words
