"""What is to be done for each share on a day: go one day on, stay, or be worked through anew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from gotgan.domains.market.indicators.states import IndicatorState

__all__ = ["Board", "IndicatorPlan", "plan"]

_Fate = Literal["advanced", "carried", "settled", "anew"]


@dataclass(frozen=True)
class Board:
    """What is known of a day before its indicators are calculated."""

    day: date
    closes: Mapping[str, int]
    """Of the shares that were traded."""
    untraded: frozenset[str]
    """Halted, or without a buyer: their last close is no new one."""
    with_factor: frozenset[str]
    with_row: frozenset[str]
    """The shares that have indicators for the day already."""
    states: Mapping[str, IndicatorState]


@dataclass(frozen=True)
class IndicatorPlan:
    """The shares of a day, by what is to be done for them."""

    advanced: tuple[str, ...]
    """One more close is taken into account."""
    carried: tuple[str, ...]
    """They were not traded: their states stay, and are now those of the day."""
    anew: tuple[str, ...]
    """Their whole history is worked through."""
    settled: int
    """How many rows of the day stay as they are."""


def plan(board: Board, previous: date) -> IndicatorPlan:
    """Decide for every share of a day; ``previous`` is the session before it."""
    concerned = board.closes.keys() | board.untraded | board.with_factor | board.with_row
    fates = {ticker: _fate(ticker, board, previous) for ticker in sorted(concerned)}

    def with_fate(fate: _Fate) -> tuple[str, ...]:
        return tuple(ticker for ticker, found in fates.items() if found == fate)

    settled = board.with_row.intersection(with_fate("settled"))
    return IndicatorPlan(
        with_fate("advanced"), with_fate("carried"), with_fate("anew"), len(settled)
    )


def _fate(ticker: str, board: Board, previous: date) -> _Fate:
    """A share goes on from a state that is of the session before, and only where all fits it."""
    state = board.states.get(ticker)
    was_traded, has_row = ticker in board.closes, ticker in board.with_row
    if state is None or (has_row and not was_traded):
        return "anew"
    if state.through >= board.day:  # whoever changes a day that was taken into account forgets it
        return "settled"
    if state.through != previous or ticker in board.with_factor:
        return "anew"
    return "advanced" if was_traded else "carried"
