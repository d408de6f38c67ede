"""The first step: calculate the indicators of a day, and write nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np

from gotgan.domains.market.indicators.advancing import advance, states_of
from gotgan.domains.market.indicators.calculated import Calculated, Rows
from gotgan.domains.market.indicators.kernels import indicators_of
from gotgan.domains.market.indicators.loading import History, board_of, histories_of
from gotgan.domains.market.indicators.planning import Board, Plan, plan
from gotgan.domains.market.indicators.states import Kept, pack, unpack
from gotgan.sql import Database

__all__ = ["calculate"]


def calculate(database: Database, day: date, previous_session: date, last: date) -> Calculated:
    """The indicators of a day; ``last`` is the latest day that was collected whole.

    A share goes on from its state where it can. Any other is worked through anew up to the last
    day, so that the days after this one find nothing left to do for it.
    """
    with database.read() as connection:
        board = board_of(connection, day)
        planned = plan(board, previous_session)
        histories = histories_of(connection, planned.anew, last)
    advanced, states = _gone_on(board, planned)
    return Calculated(
        day,
        rows=(advanced, *map(_rows, histories)),
        states=(*states, *_carried(board, planned), *_kept(histories, last)),
        replaced=planned.anew,
        advanced=len(planned.advanced),
        settled=planned.settled,
    )


def _gone_on(board: Board, planned: Plan) -> tuple[Rows, list[Kept]]:
    """One more day for all shares that can go on."""
    tickers = planned.advanced
    states = unpack([board.states[ticker].packed for ticker in tickers])
    closes = np.array([board.closes[ticker] for ticker in tickers], dtype=np.float64)
    indicators, after = advance(states, closes)
    rows = Rows.of(tickers, [board.day] * len(tickers), indicators)
    return rows, _stored(tickers, board.day, pack(after))


def _carried(board: Board, planned: Plan) -> list[Kept]:
    packed = [board.states[ticker].packed for ticker in planned.carried]
    return _stored(planned.carried, board.day, packed)


def _rows(history: History) -> Rows:
    tickers = [history.ticker] * len(history.days)
    return Rows.of(tickers, history.days, indicators_of(history.closes))


def _kept(histories: Sequence[History], last: date) -> list[Kept]:
    packed = pack(states_of([history.closes for history in histories]))
    return _stored([history.ticker for history in histories], last, packed)


def _stored(tickers: Sequence[str], through: date, packed: Sequence[bytes]) -> list[Kept]:
    return [Kept(ticker, through, state) for ticker, state in zip(tickers, packed, strict=True)]
