"""Days in each of their states, and shares to look at."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from sqlalchemy import insert

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.market.keys import TECHNICAL_INDICATORS
from gotgan.domains.market.models import Side
from gotgan.errors import ProviderError
from tests.unit.domains.market.exchange import Exchange, halted, price

__all__ = ["FRIDAY", "MONDAY", "SHARES", "collected", "failed", "given_up", "indicated", "label_of"]

FRIDAY = date(2025, 10, 17)
MONDAY = date(2025, 10, 20)
"""Today, where the clock is not moved."""
SHARES = (
    price("000010", 1_100, 100),
    price("000020", 900, -100),
    price("000030", 1_000),
    price("000040", 5_000, 250, market="KOSDAQ"),
    halted("000050"),
)
"""One of each kind: the first rose by 10 %, the second fell by 10 %."""


def collected(app: App, *days: date) -> None:
    """Days that are there, as the exchange answers now."""
    for day in days:
        if app.market.collect(day).outcome != "success":  # it has failed in this hour
            assert app.market.collect(day, now=True).outcome == "success"


def failed(app: App, exchange: Exchange, day: date, side: Side = "prices", why: str = "") -> None:
    """Let a side of a day fail once."""
    exchange.failing[side] = [ProviderError(why or "the exchange does not answer")]
    app.market.collect(day)


def given_up(app: App, exchange: Exchange, clock: FixedClock, day: date = MONDAY) -> None:
    """Let the prices of a day fail as often as they are tried."""
    for _ in range(4):
        failed(app, exchange, day)
        clock.advance(timedelta(hours=1))


def indicated(app: App, day: date, ticker: str, **values: float) -> None:
    """Indicators of a share on a day."""
    row: dict[str, Any] = {"date": day, "ticker": ticker, **values}
    with app.database.begin() as connection:
        connection.execute(insert(TECHNICAL_INDICATORS).values(**row))


def label_of(page: str, day: date) -> str:
    """What the calendar says of a day."""
    found = re.search(rf'href="/market/days/{day}" title="([^"]*)"', page)
    assert found is not None
    return found[1]
