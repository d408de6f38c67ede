"""A market on a database of each kind, and an exchange whose answers are set by hand."""

from __future__ import annotations

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.indicator_run import IndicatorRun
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.sql.fixtures import (
    clock,
    database,
    database_settings,
    postgres,
    prepared_file,
)
from tests.unit.domains.market.exchange import Exchange, price

__all__ = ["clock", "database", "database_settings", "postgres", "prepared_file"]

SETTINGS = Settings(markets=("KOSPI",), indices=("KOSPI",))


@pytest.fixture
def exchange(clock: FixedClock) -> Exchange:
    """Fifty shares that are traded every day at the same price."""
    return Exchange(always=[price(f"{number:06}") for number in range(50)], clock=clock)


@pytest.fixture
def collector(database: Database, exchange: Exchange, clock: FixedClock) -> MarketCollector:
    """The collection of KOSPI, at 17:00 of a Monday in Seoul."""
    return MarketCollector(database, exchange, SETTINGS, clock)


@pytest.fixture
def indicator_run(database: Database, clock: FixedClock) -> IndicatorRun:
    """The indicators that go with it."""
    return IndicatorRun(database, SETTINGS, clock)
