"""The indicators of one series of closes, by the conventions of TA-Lib and by TA-Lib itself."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gotgan.domains.market.indicators import periods
from gotgan.domains.market.models import INDICATORS

__all__ = ["COLUMNS", "Floats", "Indicators", "indicators_of"]

Floats: TypeAlias = NDArray[np.float64]
Indicators: TypeAlias = dict[str, Floats]
"""An array for each column, as long as what was given; NaN where there is no value."""

COLUMNS: Final = INDICATORS


def indicators_of(closes: Floats) -> Indicators:
    """All indicators of one series, which has no holes: halted days are left out before."""
    import talib  # noqa: PLC0415 - heavy, and most commands need none of it

    macd, signal, histogram = talib.MACD(closes, periods.FAST, periods.SLOW, periods.SIGNAL)
    upper, middle, lower = talib.BBANDS(closes, periods.BAND, periods.WIDTH, periods.WIDTH)
    return {
        "rsi_14": _relative_strength(talib, closes),
        "macd": macd,
        "macd_signal": signal,
        "macd_histogram": histogram,
        "sma_5": talib.SMA(closes, periods.SHORTEST),
        "sma_20": middle,
        "sma_60": talib.SMA(closes, periods.TREND),
        "sma_120": talib.SMA(closes, periods.LONGEST),
        "bb_upper": upper,
        "bb_middle": middle,
        "bb_lower": lower,
    }


def _relative_strength(talib: Any, closes: Floats) -> Floats:
    """The RSI; none where nothing has moved, which TA-Lib calls 0 as if all had fallen."""
    strength: Floats = talib.RSI(closes, periods.RSI)
    nothing = strength == 0
    if nothing.any():  # turned upside down a fall is a rise, while standing still stays the same
        strength[nothing & (talib.RSI(-closes, periods.RSI) == 0)] = np.nan
    return strength
