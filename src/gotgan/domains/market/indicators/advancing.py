"""One more day for many series at once, from their states; and the states of whole series.

The averages begin as TA-Lib begins them: Wilder's with the mean of the first 14 changes, the slow
one with the mean of the first 26 closes, the fast one with that of the last 12 of these, and the
signal's with the mean of the first 9 differences between the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from gotgan.domains.market.indicators.kernels import Floats, Indicators
from gotgan.domains.market.indicators.periods import (
    BAND,
    FAST,
    LONGEST,
    RSI,
    SHORTEST,
    SIGNAL,
    SLOW,
    TREND,
    WIDTH,
)
from gotgan.domains.market.indicators.states import States

__all__ = ["advance", "states_of"]

_FIRST_FAST: Final = SLOW - FAST
_FIRST_SIGNAL: Final = SLOW - 1
_FROM_MACD: Final = SLOW + SIGNAL - 1
"""So many closes are needed for the first MACD, its signal included."""


def advance(states: States, closes: Floats) -> tuple[Indicators, States]:
    """Take one more close into account for each series."""
    last = states.window[:, -1]
    averages = _smoothed(states.averages, last, closes, states.count)
    window = np.column_stack((states.window[:, 1:], closes))
    advanced = States(states.count + 1, averages, window)
    return _indicators(advanced), advanced


def states_of(series: Sequence[Floats]) -> States:
    """The states of whole series, calculated for all of them day by day."""
    order = sorted(range(len(series)), key=lambda at: -len(series[at]))
    lengths = np.array([len(series[at]) for at in order], dtype=np.int64)
    averages = _folded([series[at] for at in order], lengths)
    states = States.new(len(series))
    states.count[order] = lengths
    states.averages[:, order] = averages
    for at, closes in enumerate(series):
        tail = closes[-LONGEST:]
        states.window[at, LONGEST - len(tail) :] = tail
    return states


def _folded(series: Sequence[Floats], lengths: Any) -> Floats:
    """The averages of series that are sorted by length, the longest first."""
    averages = States.new(len(series)).averages
    days = _by_day(series)
    for at, closes in enumerate(days):
        going = int(np.count_nonzero(lengths > at))
        last = days[max(at - 1, 0), :going]
        averages[:, :going] = _smoothed(averages[:, :going], last, closes[:going], at)
    return averages


def _by_day(series: Sequence[Floats]) -> Floats:
    longest = len(series[0]) if series else 0
    days = np.zeros((longest, len(series)))
    for at, closes in enumerate(series):
        days[: len(closes), at] = closes
    return days


def _smoothed(averages: Floats, last: Floats, closes: Floats, count: Floats | int) -> Floats:
    """All averages after one more close, of which there were ``count`` before it."""
    gain, loss, fast, slow, signal = averages
    change = np.where(count > 0, closes - last, 0.0)
    weight = np.where(count > RSI, RSI - 1.0, 1.0)
    share = np.where(count >= RSI, float(RSI), 1.0)
    fast = _exponential(fast, closes, count, _FIRST_FAST, FAST)
    slow = _exponential(slow, closes, count, 0, SLOW)
    return np.stack(
        (
            (gain * weight + np.maximum(change, 0.0)) / share,
            (loss * weight + np.maximum(-change, 0.0)) / share,
            fast,
            slow,
            _exponential(signal, fast - slow, count, _FIRST_SIGNAL, SIGNAL),
        )
    )


def _exponential(
    average: Floats, value: Floats, count: Floats | int, first: int, period: int
) -> Floats:
    """An average that gathers ``period`` values from the ``first`` on, and moves from then on."""
    full = first + period - 1
    gathered = np.where(count >= first, average + value, 0.0)
    moved = (value - average) * (2.0 / (period + 1)) + average
    grown = np.where(count > full, moved, gathered)
    return np.where(count == full, grown / period, grown)


def _indicators(states: States) -> Indicators:
    """What the states say of their last day."""
    gain, loss, fast, slow, signal = states.averages
    moved = gain + loss
    has_strength = (states.count > RSI) & (moved > 0)
    macd = _where(states.count >= _FROM_MACD, fast - slow)
    signal = _where(states.count >= _FROM_MACD, signal)
    middle = _mean(states, BAND)
    band = WIDTH * states.window[:, -BAND:].std(axis=1)
    return {
        "rsi_14": _where(has_strength, 100.0 * (gain / np.where(moved > 0, moved, 1.0))),
        "macd": macd,
        "macd_signal": signal,
        "macd_histogram": macd - signal,
        "sma_5": _mean(states, SHORTEST),
        "sma_20": middle,
        "sma_60": _mean(states, TREND),
        "sma_120": _mean(states, LONGEST),
        "bb_upper": middle + band,
        "bb_middle": middle,
        "bb_lower": middle - band,
    }


def _mean(states: States, period: int) -> Floats:
    return _where(states.count >= period, states.window[:, -period:].mean(axis=1))


def _where(is_there: Any, values: Floats) -> Floats:
    return np.where(is_there, values, np.nan)
