"""Over how many closes each indicator goes, and how wide the bands are."""

from __future__ import annotations

from typing import Final

__all__ = ["BAND", "FAST", "LONGEST", "RSI", "SHORTEST", "SIGNAL", "SLOW", "TREND", "WIDTH"]

RSI: Final = 14
FAST: Final = 12
SLOW: Final = 26
SIGNAL: Final = 9
"""The MACD is the difference of a fast and a slow average; its signal is an average of that."""
SHORTEST: Final = 5
BAND: Final = 20
"""Of the Bollinger bands; their middle is the plain average over as many closes."""
TREND: Final = 60
LONGEST: Final = 120
"""So many closes are in the longest window."""
WIDTH: Final = 2.0
"""How many standard deviations lie between the middle and each band."""
