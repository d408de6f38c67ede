"""Chance for many at once, and prices that walk: any day can be told without the days before it.

A walk is a sum of waves: one that has a new value each day, one that has one every second day and
lies in between on the others, and so on. The slower a wave, the higher it is; so the sum goes up
and down as prices do, by a few per cent from day to day and by more over the years.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Floats", "Integers", "fraction", "steps_of", "walk"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_WAVES: Final = 11
_APART: Final = 40
_WORKDAYS: Final = 5
_GOLDEN: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB
_MASK: Final = (1 << 64) - 1
_EXACT: Final = 11
"""How many bits of a hash a float has no room for."""


def fraction(seed: int, what: str, *about: Integers | int) -> Floats:
    """A number from 0 to 1 for each, that is the same for the same seed and the same thing."""
    mixed = np.full(1, (seed * _GOLDEN + int.from_bytes(what.encode())) & _MASK, dtype=np.uint64)
    for part in about:
        mixed = _mix(mixed ^ np.atleast_1d(np.asarray(part, dtype=np.int64)).view(np.uint64))
    return (mixed >> np.uint64(_EXACT)).astype(np.float64) * 2.0 ** (_EXACT - 64)


def walk(seed: int, who: Integers | int, step: Integers | int) -> Floats:
    """Where each of them is at a step: about 0.6 from the step before, and within 30 of 0."""
    steps = np.asarray(step, dtype=np.int64)
    height = np.zeros(1)
    for wave in range(_WAVES):
        place = steps >> wave
        between = (steps & ((1 << wave) - 1)) / (1 << wave)
        here = fraction(seed, "wave", who, (wave << _APART) + place)
        there = fraction(seed, "wave", who, (wave << _APART) + place + 1)
        height = height + 2 ** (wave / 2) * (here + (there - here) * between - 0.5)
    return height


def steps_of(ordinals: Integers) -> Integers:
    """The numbers of days among those that are no weekend."""
    weeks, weekdays = np.divmod(ordinals - 1, 7)
    return weeks * _WORKDAYS + np.minimum(weekdays, _WORKDAYS - 1)


def _mix(number: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter: near numbers come out far apart (the finaliser of SplitMix64)."""
    mixed = number + np.uint64(_GOLDEN)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_SECOND)
    return mixed ^ (mixed >> np.uint64(31))
