"""The indicators of series of closes: a whole one by TA-Lib, and one more day for many of them.

One more day is calculated from the stored state of each series. Its averages begin as TA-Lib begins
them: Wilder's with the mean of the first 14 changes, the slow one with the mean of the first 26
closes, the fast one with that of the last 12 of these, and the signal's with the mean of the first
9 differences between the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gotgan.domains.market.models import INDICATORS

RSI_PERIOD: Final = 14
FAST_PERIOD: Final = 12
SLOW_PERIOD: Final = 26
SIGNAL_PERIOD: Final = 9
"""The MACD is the difference of a fast and a slow average; its signal is an average of that."""
MIN_PERIOD: Final = 5
BAND_PERIOD: Final = 20
"""Of the Bollinger bands; their middle is the plain average over as many closes."""
TREND_PERIOD: Final = 60
LONGEST_PERIOD: Final = 120
BAND_WIDTH: Final = 2.0
"""Standard deviations between the middle and each band."""
_ROUNDING_ERROR: Final = 1e-9
_VERSION: Final = b"\x01"
_AVERAGE_COUNT: Final = 5
_STATE_BYTES: Final = 8 * (1 + _AVERAGE_COUNT + LONGEST_PERIOD)
_MACD_MIN_CLOSES: Final = SLOW_PERIOD + SIGNAL_PERIOD - 1
"""The first MACD needs so many closes, its signal included."""

Floats: TypeAlias = NDArray[np.float64]
Indicators: TypeAlias = dict[str, Floats]
"""An array for each column, as long as the series; NaN where there is no value."""
COLUMNS: Final = INDICATORS


def calculate_series(closes: Floats) -> Indicators:
    """All indicators of one series without gaps: days on which it was halted are left out."""
    import talib  # noqa: PLC0415 - heavy, and most commands need none of it

    macd, signal, histogram = talib.MACD(closes, FAST_PERIOD, SLOW_PERIOD, SIGNAL_PERIOD)
    upper, middle, lower = talib.BBANDS(closes, BAND_PERIOD, BAND_WIDTH, BAND_WIDTH)
    return {
        "rsi_14": _relative_strength(talib, closes),
        "macd": macd,
        "macd_signal": signal,
        "macd_histogram": histogram,
        "sma_5": talib.SMA(closes, MIN_PERIOD),
        "sma_20": middle,
        "sma_60": talib.SMA(closes, TREND_PERIOD),
        "sma_120": talib.SMA(closes, LONGEST_PERIOD),
        "bb_upper": upper,
        "bb_middle": middle,
        "bb_lower": lower,
    }


def _relative_strength(talib: Any, closes: Floats) -> Floats:
    """The RSI; none where nothing has moved, for which TA-Lib returns 0 as for a fall."""
    strength: Floats = talib.RSI(closes, RSI_PERIOD)
    nothing = strength == 0
    if nothing.any():  # turned upside down, a fall is a rise, and no move stays none
        strength[nothing & (talib.RSI(-closes, RSI_PERIOD) == 0)] = np.nan
    return strength


def adjust_prices(days: Sequence[date], closes: Floats, factors: Mapping[date, float]) -> Floats:
    """Each close times the factors of all later days; days are in their order."""
    if not factors:
        return closes
    dates = sorted(factors)
    later = np.cumprod([1.0, *(factors[day] for day in reversed(dates))])[::-1]
    ordinals = [day.toordinal() for day in days]
    passed = np.searchsorted([day.toordinal() for day in dates], ordinals, side="right")
    adjusted = closes * later[passed]
    nearest = np.rint(adjusted)  # an unchanged price must not move because of rounding
    return np.where(np.abs(adjusted - nearest) < _ROUNDING_ERROR, nearest, adjusted)


@dataclass(frozen=True)
class SeriesStates:
    """The states of many series; an average that is not full yet is the sum of its values."""

    count: Floats
    """How many closes there were."""
    averages: Floats
    """Wilder's of gains and of losses, the fast, the slow and the signal's: a row for each."""
    window: Floats
    """The last closes of each series, the latest at the end; zeros where there were fewer."""

    @classmethod
    def new(cls, size: int) -> SeriesStates:
        """The states of so many series before their first close."""
        averages = np.zeros((_AVERAGE_COUNT, size))
        return cls(np.zeros(size), averages, np.zeros((size, LONGEST_PERIOD)))


@dataclass(frozen=True, slots=True)
class IndicatorState:
    """The stored state of one share."""

    ticker: str
    through: date
    """The last session that is included, whether the share was traded or halted."""
    packed: bytes


def pack(states: SeriesStates) -> list[bytes]:
    """The bytes of each series; the first one is the version of the format."""
    table = np.column_stack((states.count, states.averages.T, states.window))
    packed = table.astype("<f8").tobytes()
    return [_VERSION + packed[at : at + _STATE_BYTES] for at in range(0, len(packed), _STATE_BYTES)]


def is_readable(packed: bytes) -> bool:
    """Whether a state is of this version; any other is ignored."""
    return packed[:1] == _VERSION and len(packed) == len(_VERSION) + _STATE_BYTES


def unpack(rows: Sequence[bytes]) -> SeriesStates:
    """The states in readable rows, in their order."""
    floats = b"".join(row[1:] for row in rows)
    table = np.frombuffer(floats, "<f8").astype(np.float64).reshape(len(rows), _STATE_BYTES // 8)
    averages, window = np.split(table[:, 1:], [_AVERAGE_COUNT], axis=1)
    return SeriesStates(table[:, 0], averages.T, window)


def advance(states: SeriesStates, closes: Floats) -> tuple[Indicators, SeriesStates]:
    """The indicators and states after one more close of each series."""
    last = states.window[:, -1]
    averages = _next_averages(states.averages, last, closes, states.count)
    window = np.column_stack((states.window[:, 1:], closes))
    advanced = SeriesStates(states.count + 1, averages, window)
    return _indicators(advanced), advanced


def calculate_states(series: Sequence[Floats]) -> SeriesStates:
    """The states of whole series, calculated for all of them day by day."""
    order = sorted(range(len(series)), key=lambda at: -len(series[at]))
    lengths = np.array([len(series[at]) for at in order], dtype=np.int64)
    days = np.zeros((lengths[0] if series else 0, len(series)))
    for column, at in enumerate(order):
        days[: len(series[at]), column] = series[at]
    states = SeriesStates.new(len(series))
    averages = np.zeros_like(states.averages)
    for number, closes in enumerate(days):  # the longest series come first
        size = int(np.count_nonzero(lengths > number))
        last = days[max(number - 1, 0), :size]
        averages[:, :size] = _next_averages(averages[:, :size], last, closes[:size], number)
    states.count[order] = lengths
    states.averages[:, order] = averages
    for at, closes in enumerate(series):
        tail = closes[-LONGEST_PERIOD:]
        states.window[at, LONGEST_PERIOD - len(tail) :] = tail
    return states


def _next_averages(averages: Floats, last: Floats, closes: Floats, count: Floats | int) -> Floats:
    """All averages after one more close, of which there were ``count`` before it."""
    gain, loss, fast, slow, signal = averages
    change = np.where(count > 0, closes - last, 0.0)
    weight = np.where(count > RSI_PERIOD, RSI_PERIOD - 1.0, 1.0)
    share = np.where(count >= RSI_PERIOD, float(RSI_PERIOD), 1.0)
    fast = _next_exponential(fast, closes, count, SLOW_PERIOD - FAST_PERIOD, FAST_PERIOD)
    slow = _next_exponential(slow, closes, count, 0, SLOW_PERIOD)
    signal = _next_exponential(signal, fast - slow, count, SLOW_PERIOD - 1, SIGNAL_PERIOD)
    gain = (gain * weight + np.maximum(change, 0.0)) / share
    loss = (loss * weight + np.maximum(-change, 0.0)) / share
    return np.stack((gain, loss, fast, slow, signal))


def _next_exponential(
    average: Floats, value: Floats, count: Floats | int, first: int, period: int
) -> Floats:
    """An average that gathers ``period`` values from the ``first`` on, and moves from then on."""
    full = first + period - 1
    gathered = np.where(count >= first, average + value, 0.0)
    moved = (value - average) * (2.0 / (period + 1)) + average
    grown = np.where(count > full, moved, gathered)
    return np.where(count == full, grown / period, grown)


def _indicators(states: SeriesStates) -> Indicators:
    """The indicators of the last day of the states."""
    gain, loss, fast, slow, signal = states.averages
    moved = gain + loss
    has_strength = (states.count > RSI_PERIOD) & (moved > 0)
    macd = np.where(states.count >= _MACD_MIN_CLOSES, fast - slow, np.nan)
    signal = np.where(states.count >= _MACD_MIN_CLOSES, signal, np.nan)
    middle = _mean(states, BAND_PERIOD)
    band = BAND_WIDTH * states.window[:, -BAND_PERIOD:].std(axis=1)
    return {
        "rsi_14": np.where(has_strength, 100.0 * (gain / np.where(moved > 0, moved, 1.0)), np.nan),
        "macd": macd,
        "macd_signal": signal,
        "macd_histogram": macd - signal,
        "sma_5": _mean(states, MIN_PERIOD),
        "sma_20": middle,
        "sma_60": _mean(states, TREND_PERIOD),
        "sma_120": _mean(states, LONGEST_PERIOD),
        "bb_upper": middle + band,
        "bb_middle": middle,
        "bb_lower": middle - band,
    }


def _mean(states: SeriesStates, period: int) -> Floats:
    return np.where(states.count >= period, states.window[:, -period:].mean(axis=1), np.nan)
