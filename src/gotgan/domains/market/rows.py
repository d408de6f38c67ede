"""Rows of the market's tables as values, and the sheets and pages that are made of them.

Prices and index levels are ``Decimal``, exactly as they are stored; what is calculated from them
(factors, percentages, indicators) is a float. In JSON both are numbers, under the names of the
columns.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from functools import cache
from typing import Any, ClassVar, TypeVar

from gotgan.domains.market.models import Screen

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class StockRow:
    """A share."""

    stored_names: ClassVar = True

    ticker: str
    name: str
    market: str
    first_seen: dt.date
    last_seen: dt.date


@dataclass(frozen=True, slots=True)
class DailyPrice:
    """A share on a day, as it was traded."""

    stored_names: ClassVar = True

    date: dt.date
    ticker: str
    market: str
    open: Decimal | None
    """In won; null where the share was not traded, as are `high` and `low`."""
    high: Decimal | None
    low: Decimal | None
    close: Decimal
    change: Decimal
    """Against the base of the day: the last close, unless shares were split or merged."""
    volume: int
    value: int
    """Traded value in won."""
    market_cap: int
    shares: int
    is_halted: bool
    provider: str
    is_final: bool
    """False while the figures of the day may still change."""
    updated_at: dt.datetime


@dataclass(frozen=True, slots=True)
class FactorRow:
    """What prices before a day are multiplied by to be comparable with later ones."""

    stored_names: ClassVar = True

    date: dt.date
    ticker: str
    factor: float
    previous_close: Decimal
    base: Decimal
    """What the previous close became."""


@dataclass(frozen=True, slots=True)
class NamedFactor(FactorRow):
    """A factor with the name of the share."""

    name: str


@dataclass(frozen=True, slots=True)
class IndicatorRow:
    """The indicators of a share on a day; null where it has too few days."""

    stored_names: ClassVar = True

    date: dt.date
    ticker: str
    rsi_14: float | None
    macd: float | None
    macd_signal: float | None
    macd_histogram: float | None
    sma_5: float | None
    sma_20: float | None
    sma_60: float | None
    sma_120: float | None
    bb_upper: float | None
    bb_middle: float | None
    bb_lower: float | None


@dataclass(frozen=True, slots=True)
class ScreenRow(IndicatorRow):
    """A share that a screen found, with its price on the day."""

    name: str
    market: str
    close: Decimal
    change: Decimal
    value: int
    """Traded value in won."""


@dataclass(frozen=True, slots=True)
class IndexDay:
    """An index on a day."""

    stored_names: ClassVar = True

    date: dt.date
    code: str
    name: str
    open: Decimal | None
    """Null before 1994-12-28, as are `high` and `low`."""
    high: Decimal | None
    low: Decimal | None
    close: Decimal
    volume: int
    value: int
    """Traded value in won."""
    provider: str
    is_final: bool
    """False while the figures of the day may still change."""
    updated_at: dt.datetime


@dataclass(frozen=True, slots=True)
class IndexMove(IndexDay):
    """An index on a day, with its close of the session before."""

    before: Decimal | None
    """Null where it is not stored."""

    @property
    def percent(self) -> float | None:
        """By how much it moved since the session before."""
        return None if not self.before else float((self.close / self.before - 1) * 100)


@dataclass(frozen=True, slots=True)
class Mover:
    """A share that moved on a day."""

    stored_names: ClassVar = True

    ticker: str
    name: str
    market: str
    close: Decimal
    change: Decimal
    percent: float
    """Against the base of the day, so a split is not a movement."""
    volume: int
    value: int
    """Traded value in won."""


@dataclass(frozen=True, slots=True)
class IndexQuote:
    """The last value of an index, and how it moved."""

    stored_names: ClassVar = True

    code: str
    name: str
    date: dt.date
    close: Decimal
    change: Decimal | None
    """Against the session before; null where that is not stored, as is `percent`."""
    percent: float | None
    week_change: Decimal | None
    """Against the last close that is at least seven days older."""
    week_percent: float | None
    closes: tuple[Decimal, ...]
    """Of up to 30 sessions, the oldest first."""


@dataclass(frozen=True, slots=True)
class StockQuote(StockRow):
    """A share with its price on the last day that has prices; null where it was not listed then."""

    date: dt.date | None
    close: Decimal | None
    change: Decimal | None
    percent: float | None
    """Against the base of the day, so a split is not a movement."""
    volume: int | None
    value: int | None
    """Traded value in won."""
    is_halted: bool | None


@dataclass(frozen=True, slots=True)
class TickerSheet(StockRow):
    """A share with its prices, factors and indicators, the oldest first."""

    prices: tuple[DailyPrice, ...] = ()
    factors: tuple[FactorRow, ...] = ()
    """Later ones too: they make the prices comparable with those of today."""
    indicators: tuple[IndicatorRow, ...] = ()


@dataclass(frozen=True)
class IndexSheet:
    """An index, the oldest day first."""

    code: str
    name: str
    values: tuple[IndexDay, ...]


@dataclass(frozen=True)
class SharePage:
    """A page of shares."""

    items: tuple[StockQuote, ...]
    cursor: str | None
    """Of the next page; null at the end."""


@dataclass(frozen=True)
class ScreenPage:
    """A page of the shares that a screen found."""

    kind: Screen
    day: dt.date
    items: tuple[ScreenRow, ...]
    cursor: str | None
    """Of the next page, for the same day; null at the end."""
    is_calculated: bool
    """Whether the day has indicators."""
    last_calculated: dt.date | None
    """Where nothing was found: the last day with indicators."""


@dataclass(frozen=True)
class Breadth:
    """How many shares rose, fell or were not traded on a day."""

    rising: int = 0
    falling: int = 0
    unchanged: int = 0
    halted: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.rising + self.falling + self.unchanged + self.halted


@dataclass(frozen=True)
class DaySheet:
    """What was traded on a day, as far as it is stored."""

    day: dt.date
    indices: tuple[IndexMove, ...] = ()
    breadth: Breadth = Breadth()
    gainers: tuple[Mover, ...] = ()
    losers: tuple[Mover, ...] = ()
    factors: tuple[NamedFactor, ...] = ()


@dataclass(frozen=True)
class IndexList:
    """The indices that were collected, each with its last value."""

    items: tuple[IndexQuote, ...]


@dataclass(frozen=True)
class Movers:
    """What moved most on a day, and how many shares rose and fell."""

    day: dt.date
    breadth: Breadth = Breadth()
    gainers: tuple[Mover, ...] = ()
    losers: tuple[Mover, ...] = ()
    most_traded: tuple[Mover, ...] = ()
    """By traded value."""


def rows_as(kind: type[R], found: Iterable[Mapping[Any, Any]]) -> tuple[R, ...]:
    """Rows that a query found, as values."""
    row_type: type = kind
    names = _row_columns(row_type)
    return tuple(
        kind(**{name: _to_decimal(row[name]) if exact else row[name] for name, exact in names})
        for row in found
    )


@cache
def _row_columns(kind: type) -> tuple[tuple[str, bool], ...]:
    """The columns of a row, and which of them are decimals."""
    found: Any = kind
    return tuple((each.name, str(each.type).startswith("Decimal")) for each in fields(found))


def _to_decimal(value: float | None) -> Decimal | None:
    """A number of the database; the text of a float is the number that was stored."""
    return None if value is None else Decimal(str(value))
