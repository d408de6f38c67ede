"""Closes that can be compared with each other: splits and mergers taken out of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

import numpy as np

from gotgan.domains.market.indicators.kernels import Floats

__all__ = ["adjusted"]

_SLIP: Final = 1e-9


def adjusted(days: Sequence[date], closes: Floats, factors: Mapping[date, float]) -> Floats:
    """Each close times the factors of all later days; days are in their order."""
    if not factors:
        return closes
    dates = sorted(factors)
    later = np.cumprod([1.0, *(factors[day] for day in reversed(dates))])[::-1]
    ordinals = [day.toordinal() for day in days]
    passed = np.searchsorted([day.toordinal() for day in dates], ordinals, side="right")
    return _whole(closes * later[passed])


def _whole(closes: Floats) -> Floats:
    """Make whole again what only rounding has split: a share that stood still has not moved."""
    nearest = np.rint(closes)
    return np.where(np.abs(closes - nearest) < _SLIP, nearest, closes)
