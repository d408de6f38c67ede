"""The indicators of a day in three steps: calculate, save, verify.

Where another process has calculated, there is nothing to compare with: a sample of shares is
calculated again from their first day.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from typing import Any, Final

import numpy as np
from sqlalchemy import Connection, Table, delete, select

from gotgan.domains.market import messages
from gotgan.domains.market.indicators.formulas import (
    COLUMNS,
    Floats,
    Indicators,
    IndicatorState,
    advance,
    calculate_series,
    calculate_states,
    pack,
    unpack,
)
from gotgan.domains.market.indicators.inputs import (
    CloseHistory,
    IndicatorInputs,
    IndicatorPlan,
    chunks,
    load_histories,
    load_inputs,
    plan_indicators,
)
from gotgan.domains.market.keys import INDICATOR_STATES, STOCK_PRICES, TECHNICAL_INDICATORS
from gotgan.errors import VerifyFailed
from gotgan.sql import Database, upsert

ROW_COLUMNS: Final = ("date", "ticker", *COLUMNS)
"""The columns of a row, in the order in which they are written and read back."""
_ROWS_PER_BATCH: Final = 50_000
"""So many rows are written together; meanwhile no other process writes to a SQLite file."""
_ROWS_PER_UPSERT: Final = 20_000
"""Enough for the fast way of each database."""
_SAMPLE_SIZE: Final = 20
_TOLERANCE: Final = 1e-6
"""Relative and absolute, between what was calculated day by day and all at once."""
_NO_VALUES: Final[Floats] = np.full(len(COLUMNS), np.nan)


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
        """The rows that have a value: a history may be too short for any."""
        values = np.column_stack([indicators[name] for name in COLUMNS])
        found = np.flatnonzero(~np.isnan(values).all(axis=1)).tolist()
        return cls([tickers[at] for at in found], [days[at] for at in found], values[found])

    def __len__(self) -> int:
        return len(self.tickers)

    def on(self, day: date) -> IndicatorRows:
        """The rows of one day."""
        at = slice(bisect_left(self.days, day), bisect_right(self.days, day))
        return IndicatorRows(self.tickers[at], self.days[at], self.values[at])

    def lines(self) -> Iterator[tuple[Any, ...]]:
        """Each row as a tuple for the database: None where there is no value."""
        values = np.where(np.isnan(self.values), None, self.values).tolist()  # type: ignore[call-overload]
        for day, ticker, line in zip(self.days, self.tickers, values, strict=True):
            yield day, ticker, *line


@dataclass(frozen=True)
class IndicatorBatch:
    """What is written together: the rows of some shares, and their states after them."""

    rows: tuple[IndicatorRows, ...]
    states: tuple[IndicatorState, ...]
    replaced: tuple[str, ...] = ()
    """The shares that were calculated from their first day: their stored rows are deleted."""


@dataclass(frozen=True)
class CalculatedDay:
    """The indicators of one day, and all days of shares that were calculated from their first."""

    day: date
    parts: tuple[IndicatorBatch, ...]
    """No share is in two of them, so that an interrupted run leaves none half written."""
    advanced: int
    """How many shares were continued from the day before."""
    settled: int
    """How many rows of the day were stored already, and stay as they are."""

    @property
    def recalculated(self) -> int:
        """How many shares were calculated from their first day."""
        return sum(len(part.replaced) for part in self.parts)

    @property
    def of_day(self) -> list[tuple[Any, ...]]:
        """The lines of the day itself."""
        rows = (rows.on(self.day) for part in self.parts for rows in part.rows)
        return [line for each in rows for line in each.lines()]


def calculate(database: Database, day: date, previous_session: date, last: date) -> CalculatedDay:
    """The indicators of a day; ``last`` is the latest day that was collected completely.

    A share continues from its state where it can. Any other is calculated from its first day up to
    the last, so that nothing is left to do for it on the days in between.
    """
    with database.read() as connection:
        inputs = load_inputs(connection, day)
        plan = plan_indicators(inputs, previous_session)
        histories = load_histories(connection, plan.recalculated, last)
    parts = (_advance_batch(inputs, plan), *_history_batches(histories, last))
    return CalculatedDay(day, parts, advanced=len(plan.advanced), settled=plan.settled)


def _advance_batch(inputs: IndicatorInputs, plan: IndicatorPlan) -> IndicatorBatch:
    """One more day for all shares that continue."""
    day, tickers = inputs.day, plan.advanced
    states = unpack([inputs.states[ticker].packed for ticker in tickers])
    closes = np.array([inputs.closes[ticker] for ticker in tickers], dtype=np.float64)
    indicators, after = advance(states, closes)
    rows = IndicatorRows.of(tickers, [day] * len(tickers), indicators)
    packed = [*pack(after), *(inputs.states[ticker].packed for ticker in plan.carried)]
    return IndicatorBatch((rows,), _make_states((*tickers, *plan.carried), day, packed))


def _history_batches(histories: Sequence[CloseHistory], last: date) -> Iterator[IndicatorBatch]:
    """Whole histories, as many shares at a time as are written together."""
    packed = pack(calculate_states([history.closes for history in histories]))
    states = _make_states([history.ticker for history in histories], last, packed)
    for at in _slices([len(history.days) for history in histories]):
        rows = tuple(
            IndicatorRows.of(
                [each.ticker] * len(each.days), each.days, calculate_series(each.closes)
            )
            for each in histories[at]
        )
        yield IndicatorBatch(rows, states[at], tuple(each.ticker for each in histories[at]))


def _slices(lengths: Sequence[int]) -> Iterator[slice]:
    begins, rows = 0, 0
    for at, length in enumerate(lengths):
        if rows + length > _ROWS_PER_BATCH and at > begins:
            yield slice(begins, at)
            begins, rows = at, 0
        rows += length
    if lengths:
        yield slice(begins, len(lengths))


def _make_states(
    tickers: Sequence[str], through: date, packed: Sequence[bytes]
) -> tuple[IndicatorState, ...]:
    pairs = zip(tickers, packed, strict=True)
    return tuple(IndicatorState(ticker, through, state) for ticker, state in pairs)


def save(connection: Connection, part: IndicatorBatch) -> None:
    """Write the rows and the states; rows of replaced shares are deleted before."""
    _delete(connection, TECHNICAL_INDICATORS, part.replaced)
    lines = (line for rows in part.rows for line in rows.lines())
    while some := list(islice(lines, _ROWS_PER_UPSERT)):
        records = [dict(zip(ROW_COLUMNS, line, strict=True)) for line in some]
        upsert(connection, TECHNICAL_INDICATORS, records)
    states = [
        {"ticker": state.ticker, "through": state.through, "state": state.packed}
        for state in part.states
    ]
    upsert(connection, INDICATOR_STATES, states)


def delete_states(connection: Connection, tickers: Sequence[str]) -> None:
    """Delete the states of shares whose past has changed: they are calculated from their start."""
    _delete(connection, INDICATOR_STATES, tickers)


def _delete(connection: Connection, table: Table, tickers: Sequence[str]) -> None:
    for some in chunks(tickers):
        connection.execute(delete(table).where(table.c.ticker.in_(some)))


def verify(connection: Connection, calculated: CalculatedDay) -> int:
    """How many indicators the day has; VerifyFailed where they are not those calculated."""
    day, wanted = calculated.day, calculated.of_day
    columns = (TECHNICAL_INDICATORS.c[name] for name in ROW_COLUMNS)
    query = select(*columns).where(TECHNICAL_INDICATORS.c.date == day)
    found = {row.ticker: tuple(row) for row in connection.execute(query)}
    count = len(wanted) + calculated.settled
    if len(found) != count:
        raise VerifyFailed(
            messages.INDICATOR_COUNT_WRONG(count=len(found), day=day, expected=count)
        )
    wrong = [line[1] for line in wanted if found.get(line[1]) != line]
    if wrong:
        raise VerifyFailed(messages.INDICATORS_WRONG(count=len(wrong), day=day, ticker=wrong[0]))
    return count


def verify_sample(connection: Connection, day: date) -> int:
    """Calculate a sample of the shares of a day again; its size, where all are stored correctly."""
    prices, table, states = STOCK_PRICES.c, TECHNICAL_INDICATORS.c, INDICATOR_STATES.c
    query = select(prices.ticker).where(prices.date == day).order_by(prices.ticker)
    tickers = connection.scalars(query).all()
    sample = tickers[:: max(len(tickers) // _SAMPLE_SIZE, 1)]
    rows = select(table.ticker, *(table[name] for name in COLUMNS)).where(table.date == day)
    found = {row[0]: np.array(row[1:], dtype=np.float64) for row in connection.execute(rows)}
    # Splits after the last session that is included are not in the rows yet.
    ends = select(states.ticker, states.through).where(states.ticker.in_(sample))
    through = {row.ticker: row.through for row in connection.execute(ends)}
    for ticker in sample:
        stored = found.get(ticker, _NO_VALUES)
        wanted = _recalculate(connection, ticker, day, through.get(ticker, day))
        if not np.allclose(stored, wanted, rtol=_TOLERANCE, atol=_TOLERANCE, equal_nan=True):
            raise VerifyFailed(messages.SAMPLE_WRONG(ticker=ticker, day=day))
    return len(sample)


def _recalculate(connection: Connection, ticker: str, day: date, through: date) -> Floats:
    """The indicators of a day from the whole history of a share; none without a price."""
    [history] = load_histories(connection, [ticker], through)
    if day not in history.days:
        return _NO_VALUES
    indicators = calculate_series(history.closes)
    at = history.days.index(day)
    return np.array([indicators[name][at] for name in COLUMNS])
