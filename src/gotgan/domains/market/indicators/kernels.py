"""The indicators of one series of closes, by the conventions of TA-Lib and by TA-Lib itself."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gotgan.domains.market.models import INDICATORS

__all__ = ["COLUMNS", "LONGEST", "Floats", "Indicators", "indicators_of"]

Floats: TypeAlias = NDArray[np.float64]
Indicators: TypeAlias = dict[str, Floats]
"""An array for each column, as long as what was given; NaN where there is no value."""

LONGEST: Final = 120
"""So many closes are in the longest window."""
COLUMNS: Final = INDICATORS


def indicators_of(closes: Floats) -> Indicators:
    """All indicators of one series, which has no holes: halted days are left out before."""
    import talib  # noqa: PLC0415 - heavy, and most commands need none of it

    macd, signal, histogram = talib.MACD(closes, 12, 26, 9)
    upper, middle, lower = talib.BBANDS(closes, 20, 2.0, 2.0)
    return {
        "rsi_14": _relative_strength(talib, closes),
        "macd": macd,
        "macd_signal": signal,
        "macd_histogram": histogram,
        "sma_5": talib.SMA(closes, 5),
        "sma_20": middle,
        "sma_60": talib.SMA(closes, 60),
        "sma_120": talib.SMA(closes, LONGEST),
        "bb_upper": upper,
        "bb_middle": middle,
        "bb_lower": lower,
    }


def _relative_strength(talib: Any, closes: Floats) -> Floats:
    """The RSI; none where nothing has moved, which TA-Lib calls 0 as if all had fallen."""
    strength: Floats = talib.RSI(closes, 14)
    nothing = strength == 0
    if nothing.any():  # turned upside down a fall is a rise, while standing still stays the same
        strength[nothing & (talib.RSI(-closes, 14) == 0)] = np.nan
    return strength
