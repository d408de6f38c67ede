"""A few shares for tests: their days, their closes, and their indicators by the book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import delete, select

from gotgan.domains.market.indicators.calculator import CalculatedDay, calculate, save, verify
from gotgan.domains.market.indicators.formulas import COLUMNS, Floats, calculate_series
from gotgan.domains.market.keys import (
    INDICATOR_STATES,
    PRICE_FACTORS,
    STOCK_PRICES,
    TECHNICAL_INDICATORS,
)
from gotgan.sql import Database, upsert

__all__ = [
    "DAYS",
    "assert_alike",
    "close_of",
    "drop",
    "expect_full",
    "factor",
    "keep",
    "run",
    "store",
    "stored",
    "through",
    "walk",
]

_NOON = datetime(2025, 1, 1, 12, tzinfo=UTC)
DAYS = [date(2024, 1, 1) + timedelta(days=number) for number in range(400)]
"""Sessions, one a day: what a weekend is, others know."""


def walk(seed: int, length: int, start: int = 20_000) -> Floats:
    """Closes that look like those of a share: whole, uneven, at times the same for days."""
    made = np.random.default_rng(seed)
    steps = made.normal(0, 0.02, length) * (made.random(length) > 0.2)
    closes: Floats = np.rint(start * np.exp(np.cumsum(steps)))
    return closes


def store(database: Database, closes: Mapping[str, Sequence[float | None]], first: int = 0) -> None:
    """Write prices from a day on; None is a day on which the share was halted."""
    rows = [
        _price(ticker, DAYS[first + at], close)
        for ticker, series in closes.items()
        for at, close in enumerate(series)
    ]
    with database.begin() as connection:
        upsert(connection, STOCK_PRICES, rows)


def _price(ticker: str, day: date, close: float | None) -> dict[str, Any]:
    traded = close is not None
    shown = int(close) if close is not None else 1
    spread = dict.fromkeys(("open", "high", "low"), shown if traded else None)
    sums = dict.fromkeys(("change", "volume", "value", "market_cap", "shares"), 0)
    origin = {"provider": "csv", "is_final": True, "updated_at": _NOON}
    named = {"date": day, "ticker": ticker, "market": "KOSPI"}
    return {**named, **spread, **sums, **origin, "close": shown, "is_halted": not traded}


def drop(database: Database, ticker: str, day: date) -> None:
    """Take a price back, as if it had never been there."""
    prices = STOCK_PRICES.c
    with database.begin() as connection:
        connection.execute(delete(STOCK_PRICES).where(prices.date == day, prices.ticker == ticker))


def factor(database: Database, ticker: str, day: date, by: float) -> None:
    """Note a split or a merger."""
    row = {"date": day, "ticker": ticker, "factor": by, "previous_close": 1, "base": 1}
    with database.begin() as connection:
        upsert(connection, PRICE_FACTORS, [row])


def run(database: Database, at: int, last: int | None = None) -> CalculatedDay:
    """Calculate, save and verify one of the days, as on the evening of ``last``."""
    calculated = calculate(database, DAYS[at], DAYS[at - 1], DAYS[at if last is None else last])
    keep(database, calculated)
    with database.read() as connection:
        verify(connection, calculated)
    return calculated


def keep(database: Database, calculated: CalculatedDay) -> None:
    """Save what was calculated, part by part."""
    for part in calculated.parts:
        with database.begin() as connection:
            save(connection, part)


def stored(database: Database, ticker: str) -> dict[date, tuple[float | None, ...]]:
    """The indicators that a share has."""
    table = TECHNICAL_INDICATORS
    query = select(table.c.date, *(table.c[name] for name in COLUMNS))
    with database.read() as connection:
        found = connection.execute(query.where(table.c.ticker == ticker)).all()
    return {row[0]: tuple(row[1:]) for row in found}


def through(database: Database) -> dict[str, date]:
    """Up to which session each share was taken into account."""
    with database.read() as connection:
        found = connection.execute(select(INDICATOR_STATES.c.ticker, INDICATOR_STATES.c.through))
        return {row.ticker: row.through for row in found}


def close_of(closes: Sequence[float | None]) -> Floats:
    """The closes without the days on which nothing could be traded."""
    return np.array([close for close in closes if close is not None], dtype=np.float64)


def expect_full(database: Database, ticker: str, closes: Sequence[float | None]) -> None:
    """The share has the indicators that its whole history gives, on the days that it traded."""
    days = [day for day, close in zip(DAYS, closes, strict=False) if close is not None]
    found = stored(database, ticker)
    full = calculate_series(close_of(closes))
    missing = np.isnan([full[name] for name in COLUMNS]).all(axis=0)
    assert sorted(found) == [days[at] for at in np.flatnonzero(~missing)]
    for at, name in enumerate(COLUMNS):
        read = np.array([found[day][at] if day in found else None for day in days], dtype=float)
        assert_alike(read, full[name])


def assert_alike(found: Floats, wanted: Floats, scale: float = 1.0) -> None:
    """Equal within 1e-9 of the scale, and without a value in the same places."""
    assert np.isnan(found).tolist() == np.isnan(wanted).tolist()
    assert np.nanmax(np.abs(found - wanted), initial=0.0) <= 1e-9 * scale
