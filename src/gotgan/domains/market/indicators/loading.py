"""Reading what indicators are calculated from, in few statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np
from sqlalchemy import Connection, Table, select

from gotgan.domains.market.indicators.adjusting import adjusted
from gotgan.domains.market.indicators.kernels import Floats
from gotgan.domains.market.indicators.planning import Board
from gotgan.domains.market.indicators.states import IndicatorState, is_readable
from gotgan.domains.market.tables import (
    INDICATOR_STATES,
    PRICE_FACTORS,
    STOCK_PRICES,
    TECHNICAL_INDICATORS,
)

__all__ = ["CloseHistory", "board_of", "chunks", "histories_of"]

_AT_ONCE: Final = 200
"""So many shares are asked for in one statement."""


@dataclass(frozen=True)
class CloseHistory:
    """The days on which a share was traded, and its adjusted closes."""

    ticker: str
    days: Sequence[date]
    closes: Floats


def board_of(connection: Connection, day: date) -> Board:
    """What is known of a day."""
    prices = STOCK_PRICES.c
    query = select(prices.ticker, prices.close, prices.open.is_(None)).where(prices.date == day)
    found = connection.execute(query).all()
    return Board(
        day,
        closes={ticker: close for ticker, close, is_untraded in found if not is_untraded},
        untraded=frozenset(ticker for ticker, _, is_untraded in found if is_untraded),
        with_factor=_tickers_of(connection, PRICE_FACTORS, day),
        with_row=_tickers_of(connection, TECHNICAL_INDICATORS, day),
        states=_states(connection),
    )


def histories_of(connection: Connection, tickers: Sequence[str], last: date) -> list[CloseHistory]:
    """The histories of shares up to a day, with what was split until then taken out."""
    return [history for some in chunks(tickers) for history in _histories(connection, some, last)]


def chunks(tickers: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many at a time as one statement may name."""
    for at in range(0, len(tickers), _AT_ONCE):
        yield tickers[at : at + _AT_ONCE]


def _tickers_of(connection: Connection, table: Table, day: date) -> frozenset[str]:
    return frozenset(connection.scalars(select(table.c.ticker).where(table.c.date == day)))


def _states(connection: Connection) -> dict[str, IndicatorState]:
    """The states of all shares; one that another version wrote is as good as none."""
    found = (IndicatorState(*row) for row in connection.execute(select(INDICATOR_STATES)))
    return {kept.ticker: kept for kept in found if is_readable(kept.packed)}


def _histories(
    connection: Connection, tickers: Sequence[str], last: date
) -> Iterator[CloseHistory]:
    closes = _closes(connection, tickers, last)
    factors = _factors(connection, tickers, last)
    for ticker in tickers:
        days, raw = closes[ticker]
        series = np.array(raw, dtype=np.float64)
        yield CloseHistory(ticker, days, adjusted(days, series, factors[ticker]))


def _closes(
    connection: Connection, tickers: Sequence[str], last: date
) -> dict[str, tuple[list[date], list[int]]]:
    """The days on which shares were traded, and the closes of these days."""
    found: dict[str, tuple[list[date], list[int]]] = {ticker: ([], []) for ticker in tickers}
    prices = STOCK_PRICES.c
    query = (
        select(prices.ticker, prices.date, prices.close)
        .where(prices.ticker.in_(tickers), prices.date <= last, prices.open.is_not(None))
        .order_by(prices.ticker, prices.date)
    )
    for ticker, day, close in connection.execute(query):
        days, closes = found[ticker]
        days.append(day)
        closes.append(close)
    return found


def _factors(
    connection: Connection, tickers: Sequence[str], last: date
) -> dict[str, dict[date, float]]:
    found: dict[str, dict[date, float]] = {ticker: {} for ticker in tickers}
    factors = PRICE_FACTORS.c
    query = select(factors.ticker, factors.date, factors.factor).where(
        factors.ticker.in_(tickers), factors.date <= last
    )
    for ticker, day, factor in connection.execute(query):
        found[ticker][day] = factor
    return found
