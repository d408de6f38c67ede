"""Learning by logistic regression, in numpy alone: the same data gives the same numbers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from gotgan.domains.videos.metrics.sentiment.model import Floats

__all__ = ["Bags", "Pairs", "classes", "minimised", "odds"]

Slope = Callable[[Floats], tuple[float, Floats]]
"""What is to be made small at a point, and which way it rises there."""

_MEMORY: Final = 8
_SMALLEST_STEP: Final = 1e-6
_ENOUGH: Final = 1e-4


@dataclass(frozen=True)
class Bags:
    """Many texts as the buckets that each of them has."""

    rows: npt.NDArray[np.int64]
    buckets: npt.NDArray[np.int64]
    size: int
    width: int
    """How many buckets there are."""

    def sums(self, weights: Floats) -> Floats:
        """What each text weighs."""
        sums = np.bincount(self.rows, weights=weights[self.buckets], minlength=self.size)
        return np.asarray(sums * self._norms)

    def spread(self, amounts: Floats) -> Floats:
        """An amount for each text, handed on to its buckets."""
        shares = (amounts * self._norms)[self.rows]
        return np.asarray(
            np.bincount(self.buckets, weights=shares, minlength=self.width), np.float64
        )

    def rarity(self) -> Floats:
        """How rare each bucket is; what is rare may weigh more."""
        counts = np.bincount(self.buckets, minlength=self.width)
        return np.maximum(np.log((1 + self.size) / (1 + counts)), 0)

    def only(self, chosen: npt.NDArray[np.bool_]) -> Bags:
        """Some of the texts, in the same order."""
        kept = chosen[self.rows]
        places = np.cumsum(chosen) - 1
        return Bags(places[self.rows[kept]], self.buckets[kept], int(chosen.sum()), self.width)

    def __add__(self, other: Bags) -> Bags:
        rows = np.concatenate([self.rows, other.rows + self.size])
        buckets = np.concatenate([self.buckets, other.buckets])
        return Bags(rows, buckets, self.size + other.size, self.width)

    @cached_property
    def _norms(self) -> Floats:
        counts = np.bincount(self.rows, minlength=self.size)
        return np.asarray(1 / np.sqrt(np.maximum(counts, 1)))


def odds(
    bags: Bags, aims: Floats, worth: Floats, decay: float, rounds: int
) -> tuple[Floats, float]:
    """Weights and a bias that give each text the logarithm of the odds that it aims at."""
    rarity = bags.rarity()

    def slope(point: Floats) -> tuple[float, Floats]:
        said = bags.sums(point[:-1] * rarity) + point[-1]
        loss = _sum(worth * (np.logaddexp(0, said) - aims * said)) + decay / 2 * _sum(
            point[:-1] ** 2
        )
        errors = worth * (1 / (1 + np.exp(-said)) - aims)
        rise = bags.spread(errors) * rarity + decay * point[:-1]
        return loss, np.append(rise, errors.sum())

    point = minimised(slope, np.zeros(bags.width + 1), rounds)
    return point[:-1] * rarity, float(point[-1])


@dataclass(frozen=True)
class Pairs:
    """Texts of which only two classes are told apart: the first and the last."""

    known: Floats
    is_first: npt.NDArray[np.bool_]
    worth: Floats


def classes(
    known: Floats, aims: Floats, worth: Floats, decay: float, pairs: Pairs | None
) -> Floats:
    """A column of weights for each class; the last row, which is always one, may weigh freely."""
    shape = (known.shape[1], aims.shape[1])
    decays = np.full(shape, decay)
    decays[-1] = decay / 1000

    def slope(flat: Floats) -> tuple[float, Floats]:
        point = flat.reshape(shape)
        said = known @ point
        said = said - np.log(np.exp(said).sum(axis=1, keepdims=True))
        loss = -_sum(worth[:, None] * aims * said) + _sum(decays * point**2) / 2
        rise = known.T @ (worth[:, None] * (np.exp(said) - aims)) + decays * point
        if pairs is not None:
            leaning = pairs.known @ (point[:, 0] - point[:, -1])
            loss += _sum(pairs.worth * (np.logaddexp(0, leaning) - pairs.is_first * leaning))
            error = pairs.worth * (1 / (1 + np.exp(-leaning)) - pairs.is_first)
            rise[:, 0] += pairs.known.T @ error
            rise[:, -1] -= pairs.known.T @ error
        return loss, rise.ravel()

    return minimised(slope, np.zeros(known.shape[1] * aims.shape[1]), 300).reshape(shape)


def minimised(slope: Slope, point: Floats, rounds: int) -> Floats:
    """Where the slope has led after so many rounds, or as low as it gets: L-BFGS, backtracking."""
    past: deque[tuple[Floats, Floats]] = deque(maxlen=_MEMORY)
    height, rise = slope(point)
    for _ in range(rounds):
        way = _way(rise, past)
        step = 1.0
        lower, next_rise = slope(point - step * way)
        while lower > height - _ENOUGH * step * _sum(rise * way) and step > _SMALLEST_STEP:
            step /= 2
            lower, next_rise = slope(point - step * way)
        if step <= _SMALLEST_STEP:
            break
        moved, bent = -step * way, next_rise - rise
        if _sum(moved * bent) > 0:
            past.append((moved, bent))
        point, height, rise = point + moved, lower, next_rise
    return point


def _way(rise: Floats, past: deque[tuple[Floats, Floats]]) -> Floats:
    """Downhill, corrected by how the slope has bent before."""
    if not past:
        return np.asarray(rise / np.sqrt(_sum(rise**2)))
    way = rise.copy()
    taken = []
    for moved, bent in reversed(past):
        taken.append(_sum(moved * way) / _sum(moved * bent))
        way -= taken[-1] * bent
    moved, bent = past[-1]
    way *= _sum(moved * bent) / _sum(bent**2)
    for (moved, bent), share in zip(past, reversed(taken), strict=True):
        way += moved * (share - _sum(bent * way) / _sum(moved * bent))
    return way


def _sum(values: Floats) -> float:
    """A sum in one fixed order, which a product of matrices has not."""
    return float(np.sum(values))
