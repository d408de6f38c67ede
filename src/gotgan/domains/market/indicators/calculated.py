"""What was calculated and is to be saved: rows of indicators, and the states after them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import numpy as np

from gotgan.domains.market.indicators.kernels import COLUMNS, Floats, Indicators
from gotgan.domains.market.indicators.states import IndicatorState

__all__ = ["NAMES", "Calculated", "IndicatorBatch", "IndicatorRows"]

NAMES: Final = ("date", "ticker", *COLUMNS)
"""The columns of a row, in the order in which they are written and read back."""


@dataclass(frozen=True)
class IndicatorRows:
    """Rows of indicators, in the order of their days; each has at least one value."""

    tickers: Sequence[str]
    days: Sequence[date]
    values: Floats
    """A line for each row, with the columns in their order."""

    @classmethod
    def of(
        cls, tickers: Sequence[str], days: Sequence[date], indicators: Indicators
    ) -> IndicatorRows:
        """The rows that indicators make; where the history is too short for any there is none."""
        values = np.column_stack([indicators[name] for name in COLUMNS])
        there = np.flatnonzero(~np.isnan(values).all(axis=1)).tolist()
        return cls([tickers[at] for at in there], [days[at] for at in there], values[there])

    def __len__(self) -> int:
        return len(self.tickers)

    def on(self, day: date) -> IndicatorRows:
        """The rows of one day."""
        at = slice(bisect_left(self.days, day), bisect_right(self.days, day))
        return IndicatorRows(self.tickers[at], self.days[at], self.values[at])

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """Each row as a tuple, for a database: None where there is no value."""
        values = np.where(np.isnan(self.values), None, self.values).tolist()  # type: ignore[call-overload]
        for day, ticker, line in zip(self.days, self.tickers, values, strict=True):
            yield day, ticker, *line


@dataclass(frozen=True)
class IndicatorBatch:
    """What is written together: the rows of some shares, and their states after them."""

    rows: tuple[IndicatorRows, ...]
    states: tuple[IndicatorState, ...]
    replaced: tuple[str, ...] = ()
    """The shares that were worked through anew: what was there of them before goes."""


@dataclass(frozen=True)
class Calculated:
    """The indicators of one day; of shares that were worked through anew those of all days."""

    day: date
    parts: tuple[IndicatorBatch, ...]
    """No share is in two of them, so that each is whole wherever somebody is stopped."""
    advanced: int
    """How many shares went one day on."""
    settled: int
    """How many rows of the day were there already, and stay as they are."""

    @property
    def anew(self) -> int:
        """How many shares were worked through anew."""
        return sum(len(part.replaced) for part in self.parts)

    @property
    def of_day(self) -> list[tuple[Any, ...]]:
        """The lines of the day itself."""
        rows = (rows.on(self.day) for part in self.parts for rows in part.rows)
        return [line for each in rows for line in each.lines()]
