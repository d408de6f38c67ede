"""What indicators are calculated from, read in few statements, and the plan for each share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal

import numpy as np
from sqlalchemy import Connection, select

from gotgan.domains.market.indicators.formulas import (
    Floats,
    IndicatorState,
    adjust_prices,
    is_readable,
)
from gotgan.domains.market.keys import (
    INDICATOR_STATES,
    PRICE_FACTORS,
    STOCK_PRICES,
    TECHNICAL_INDICATORS,
)

_TICKERS_PER_QUERY: Final = 200
_Action = Literal["advanced", "carried", "settled", "recalculated"]


@dataclass(frozen=True)
class IndicatorInputs:
    """What is known of a day before its indicators are calculated."""

    day: date
    closes: Mapping[str, int]
    """Of the shares that were traded."""
    untraded: frozenset[str]
    """Halted, or without a buyer: their close is that of an earlier day."""
    with_factor: frozenset[str]
    with_row: frozenset[str]
    """The shares that have indicators for the day already."""
    states: Mapping[str, IndicatorState]


@dataclass(frozen=True)
class IndicatorPlan:
    """The shares of a day, by what is to be done for them."""

    advanced: tuple[str, ...]
    """One more close is added to their states."""
    carried: tuple[str, ...]
    """They were not traded: their states are now those of the day."""
    recalculated: tuple[str, ...]
    """They are calculated from their first day."""
    settled: int
    """How many rows of the day stay as they are."""


@dataclass(frozen=True)
class CloseHistory:
    """The days on which a share was traded, and its adjusted closes."""

    ticker: str
    days: Sequence[date]
    closes: Floats


def plan_indicators(inputs: IndicatorInputs, previous: date) -> IndicatorPlan:
    """Decide for every share of a day; ``previous`` is the session before it."""
    tickers = inputs.closes.keys() | inputs.untraded | inputs.with_factor | inputs.with_row
    by_action = defaultdict[_Action, list[str]](list)
    for ticker in sorted(tickers):
        by_action[_action(ticker, inputs, previous)].append(ticker)
    return IndicatorPlan(
        tuple(by_action["advanced"]),
        tuple(by_action["carried"]),
        tuple(by_action["recalculated"]),
        len(inputs.with_row.intersection(by_action["settled"])),
    )


def _action(ticker: str, inputs: IndicatorInputs, previous: date) -> _Action:
    """A share advances from a state of the session before, and only where nothing else changed."""
    state = inputs.states.get(ticker)
    was_traded, has_row = ticker in inputs.closes, ticker in inputs.with_row
    if state is None or (has_row and not was_traded):
        return "recalculated"
    if state.through >= inputs.day:  # a change of an included day deletes the state
        return "settled"
    if state.through != previous or ticker in inputs.with_factor:
        return "recalculated"
    return "advanced" if was_traded else "carried"


def load_inputs(connection: Connection, day: date) -> IndicatorInputs:
    """What is known of a day; states of another version are left out."""
    prices = STOCK_PRICES.c
    query = select(prices.ticker, prices.close, prices.open.is_(None)).where(prices.date == day)
    found = connection.execute(query).all()
    with_factor, with_row = (
        frozenset(connection.scalars(select(table.c.ticker).where(table.c.date == day)))
        for table in (PRICE_FACTORS, TECHNICAL_INDICATORS)
    )
    states = (IndicatorState(*row) for row in connection.execute(select(INDICATOR_STATES)))
    return IndicatorInputs(
        day,
        closes={ticker: close for ticker, close, is_untraded in found if not is_untraded},
        untraded=frozenset(ticker for ticker, _, is_untraded in found if is_untraded),
        with_factor=with_factor,
        with_row=with_row,
        states={state.ticker: state for state in states if is_readable(state.packed)},
    )


def load_histories(
    connection: Connection, tickers: Sequence[str], last: date
) -> list[CloseHistory]:
    """The histories of shares up to a day, adjusted for splits until then."""
    return [history for some in chunks(tickers) for history in _histories(connection, some, last)]


def chunks(tickers: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many at a time as one statement names."""
    for at in range(0, len(tickers), _TICKERS_PER_QUERY):
        yield tickers[at : at + _TICKERS_PER_QUERY]


def _histories(
    connection: Connection, tickers: Sequence[str], last: date
) -> Iterator[CloseHistory]:
    traded = STOCK_PRICES.c.open.is_not(None)
    closes = _by_ticker(connection, STOCK_PRICES.c.close, tickers, last, traded)
    factors = _by_ticker(connection, PRICE_FACTORS.c.factor, tickers, last)
    for ticker in tickers:
        days = list(closes[ticker])
        series = np.array(list(closes[ticker].values()), dtype=np.float64)
        yield CloseHistory(ticker, days, adjust_prices(days, series, factors[ticker]))


def _by_ticker(
    connection: Connection, column: Any, tickers: Sequence[str], last: date, *conditions: Any
) -> dict[str, dict[date, Any]]:
    """The values of a column of some shares, by their days, in order."""
    found: dict[str, dict[date, Any]] = {ticker: {} for ticker in tickers}
    table = column.table.c
    query = (
        select(table.ticker, table.date, column)
        .where(table.ticker.in_(tickers), table.date <= last, *conditions)
        .order_by(table.ticker, table.date)
    )
    for ticker, day, value in connection.execute(query):
        found[ticker][day] = value
    return found
