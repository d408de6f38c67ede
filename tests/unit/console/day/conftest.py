"""Half past six of a Monday evening in Seoul, and an exchange whose answers are set by hand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.market.collector import MarketCollector
from tests.unit.console.market.filling import SHARES
from tests.unit.domains.market.exchange import Exchange


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves; in New York it is the morning of the same day."""
    return FixedClock(datetime(2025, 10, 20, 9, 30, tzinfo=UTC))


@pytest.fixture(autouse=True)
def exchange(app: App) -> Exchange:
    """Whom the market asks, in these tests."""
    exchange = Exchange(always=SHARES, clock=app.clock)
    app.market.collector = MarketCollector(app.database, exchange, app.settings, app.clock)
    return exchange
