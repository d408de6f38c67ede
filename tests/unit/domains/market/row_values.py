"""Rows of the market that tests make up."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from gotgan.domains.market.models import INDICATORS
from gotgan.domains.market.rows import DailyPrice, FactorRow, IndexMove, IndicatorRow, Mover

__all__ = ["a_factor", "a_mover", "a_price", "an_index", "indicators"]

_AT = datetime(2025, 10, 20, 8, tzinfo=UTC)
_DAY = date(2025, 10, 20)


def a_price(day: date, close: int, **more: Any) -> DailyPrice:
    """A share that closed ten won above its open."""
    row: dict[str, Any] = {
        "date": day,
        "ticker": "005930",
        "market": "KOSPI",
        "open": Decimal(close - 10),
        "high": Decimal(close + 20),
        "low": Decimal(close - 20),
        "close": Decimal(close),
        "change": Decimal(10),
        "volume": 1_000,
        "value": 1_000 * close,
        "market_cap": 10_000 * close,
        "shares": 10_000,
        "is_halted": False,
        "provider": "krx",
        "is_final": True,
        "updated_at": _AT,
    }
    return DailyPrice(**(row | more))


def indicators(day: date, value: float, **more: float | None) -> IndicatorRow:
    """Indicators that all have one value, except those given."""
    return IndicatorRow(day, "005930", **(dict.fromkeys(INDICATORS, value) | more))


def a_factor(day: date, factor: float) -> FactorRow:
    """A split."""
    return FactorRow(day, "005930", factor, Decimal(5_000), Decimal(100))


def an_index(day: date = _DAY, **more: Any) -> IndexMove:
    """KOSPI, which rose by 2.5 %."""
    row: dict[str, Any] = {
        "date": day,
        "code": "1001",
        "name": "KOSPI",
        "open": Decimal("2000.5"),
        "high": Decimal("2060.25"),
        "low": Decimal("1999.0"),
        "close": Decimal("2050.0"),
        "volume": 7,
        "value": 7_000,
        "provider": "krx",
        "is_final": True,
        "updated_at": _AT,
        "before": Decimal("2000.0"),
    }
    return IndexMove(**(row | more))


def a_mover(name: str, ticker: str, close: int, percent: float) -> Mover:
    """A share that moved."""
    return Mover(ticker, name, "KOSPI", Decimal(close), Decimal(100), percent, 1_000, 1_000 * close)
