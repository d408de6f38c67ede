"""What leases of the market are called."""

from __future__ import annotations

from datetime import date
from typing import Final

__all__ = ["INDICATORS_KEY", "KEYS", "day_key"]

KEYS: Final = "market:"
"""How all of them begin."""
INDICATORS_KEY: Final = f"{KEYS}indicators"
"""Of whoever calculates: what one day leaves behind is where the next one begins."""


def day_key(day: date) -> str:
    """Of whoever collects a day."""
    return f"{KEYS}{day}"
