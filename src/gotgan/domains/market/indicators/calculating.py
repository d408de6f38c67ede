"""The first step: calculate the indicators of a day, and write nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

import numpy as np

from gotgan.domains.market.indicators.advancing import advance, states_of
from gotgan.domains.market.indicators.calculated import Calculated, IndicatorBatch, IndicatorRows
from gotgan.domains.market.indicators.kernels import indicators_of
from gotgan.domains.market.indicators.loading import CloseHistory, board_of, histories_of
from gotgan.domains.market.indicators.planning import Board, IndicatorPlan, plan
from gotgan.domains.market.indicators.states import IndicatorState, pack, unpack
from gotgan.sql import Database

__all__ = ["calculate"]

_AT_ONCE: Final = 50_000
"""So many rows are written together; while they are, nobody else writes to a SQLite file."""


def calculate(database: Database, day: date, previous_session: date, last: date) -> Calculated:
    """The indicators of a day; ``last`` is the latest day that was collected whole.

    A share goes on from its state where it can. Any other is worked through anew up to the last
    day, so that the days after this one find nothing left to do for it.
    """
    with database.read() as connection:
        board = board_of(connection, day)
        planned = plan(board, previous_session)
        histories = histories_of(connection, planned.anew, last)
    parts = (_gone_on(board, planned), *_worked_through(histories, last))
    return Calculated(day, parts, advanced=len(planned.advanced), settled=planned.settled)


def _gone_on(board: Board, planned: IndicatorPlan) -> IndicatorBatch:
    """One more day for all shares that can go on."""
    tickers = planned.advanced
    states = unpack([board.states[ticker].packed for ticker in tickers])
    closes = np.array([board.closes[ticker] for ticker in tickers], dtype=np.float64)
    indicators, after = advance(states, closes)
    rows = IndicatorRows.of(tickers, [board.day] * len(tickers), indicators)
    kept = _stored(tickers, board.day, pack(after))
    return IndicatorBatch((rows,), (*kept, *_carried(board, planned)))


def _carried(board: Board, planned: IndicatorPlan) -> list[IndicatorState]:
    packed = [board.states[ticker].packed for ticker in planned.carried]
    return _stored(planned.carried, board.day, packed)


def _worked_through(histories: Sequence[CloseHistory], last: date) -> Iterator[IndicatorBatch]:
    """Whole histories, as many shares at a time as may be written together."""
    kept = _kept(histories, last)
    for at in _slices([len(history.days) for history in histories]):
        some = histories[at]
        replaced = tuple(history.ticker for history in some)
        yield IndicatorBatch(tuple(map(_rows, some)), tuple(kept[at]), replaced)


def _slices(lengths: Sequence[int]) -> Iterator[slice]:
    begins, rows = 0, 0
    for at, length in enumerate(lengths):
        if rows + length > _AT_ONCE and at > begins:
            yield slice(begins, at)
            begins, rows = at, 0
        rows += length
    if lengths:
        yield slice(begins, len(lengths))


def _rows(history: CloseHistory) -> IndicatorRows:
    tickers = [history.ticker] * len(history.days)
    return IndicatorRows.of(tickers, history.days, indicators_of(history.closes))


def _kept(histories: Sequence[CloseHistory], last: date) -> list[IndicatorState]:
    packed = pack(states_of([history.closes for history in histories]))
    return _stored([history.ticker for history in histories], last, packed)


def _stored(tickers: Sequence[str], through: date, packed: Sequence[bytes]) -> list[IndicatorState]:
    return [
        IndicatorState(ticker, through, state)
        for ticker, state in zip(tickers, packed, strict=True)
    ]
