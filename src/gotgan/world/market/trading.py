"""What was traded on a day: prices that go on from those of the day before.

Some shares are halted for a month, and then go on from where they were. Once in a few years a share
is split, or several are merged into one; the price that a day is compared with is then not the
last close.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from gotgan.world.market.chances import Floats, Integers, fraction, steps_of, walk
from gotgan.world.market.days import previous_session
from gotgan.world.market.listings import WorldMarket, WorldShare, listings, places

__all__ = ["Trade", "trades"]

_SWING: Final = 0.043
_LOWEST, _RANGE = 1_000, 300
"""Prices lie about one and the other times it, to begin with."""
_FEWEST, _MORE = 5_000_000, 200
_HALTED: Final = 0.035
_LONGEST_HALT: Final = 12
_ACTIONS: Final = (700, 1_400)
"""After how many days a share is split, or merged back: at least, and how many more at most."""
_FACTORS: Final = np.array([2, 5, 10])
_PENNIES: Final = 400
"""Every so many places there is a share that costs little; on Fridays milliards are traded."""
_WILD: Final = 4
_PENNY, _MILLIARDS = 200, 20_000_000_000
_LATE: Final = 0.1
"""What part of the volume may still be missing before the evening."""
_DEARER: Final = np.array([2_000, 5_000, 20_000, 50_000, 200_000, 500_000])
_TICKS: Final = np.array([1, 5, 10, 50, 100, 500, 1_000])
"""In what steps prices go, up to each of these and beyond."""
_LIMIT: Final = 0.3


class Trade(NamedTuple):
    """A share on a day; one that was halted has no open, high and low, and no volume."""

    listing: WorldShare
    close: int
    base: int
    open: int
    high: int
    low: int
    volume: int
    value: int
    shares: int

    @property
    def is_halted(self) -> bool:
        """Whether it could not be traded."""
        return self.open == 0


@lru_cache(maxsize=16)
def trades(
    seed: int, market: WorldMarket, count: int, day: date, *, is_final: bool
) -> tuple[Trade, ...]:
    """Everything of a market on a trading day."""
    shares = listings(seed, market, count, day)
    columns = _Columns(seed, places(market, count), day).of_day(is_final=is_final)
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    return tuple(Trade(share, *row) for share, row in zip(shares, numbers, strict=True))


@dataclass(frozen=True)
class _Columns:
    """The numbers of all shares of a market, each an array."""

    seed: int
    who: Integers
    day: date

    def of_day(self, *, is_final: bool) -> Iterator[Any]:
        """Close, base, open, high, low, volume, value and how many shares there are."""
        now, before = self._last_traded(self.day), self._last_traded(previous_session(self.day))
        is_open = now == self.day.toordinal()
        close = self._close(now)
        adjusted = self._close(before) * self._scale(now) / self._scale(before)
        base = np.where(is_open, _to_tick(adjusted), close)
        opened, high, low = self._range(close, base)
        shares = np.rint(self._issued() / self._scale(now)).astype(np.int64)
        volume = self._volume(shares, is_final=is_final) * is_open
        yield from (close, base, opened * is_open, high * is_open, low * is_open, volume)
        yield volume * ((high + low + close) // 3)
        yield shares

    def _last_traded(self, day: date) -> Integers:
        """The day on which each was last traded, as a number: the day itself unless halted."""
        last = np.full(len(self.who), day.toordinal(), dtype=np.int64)
        halted = self._is_halted(day)
        for _ in range(_LONGEST_HALT):
            if not halted.any():
                break
            day = previous_session(day.replace(day=1))
            last[halted] = day.toordinal()
            halted &= self._is_halted(day)
        return last

    def _is_halted(self, day: date) -> Any:
        return self._chance("halt", day.year * 12 + day.month) < _HALTED

    def _close(self, ordinals: Integers) -> Integers:
        level = _LOWEST * _RANGE ** self._chance("level")
        level = np.where(self._is_penny, _PENNY, level)
        height = np.exp(_SWING * walk(self.seed, self.who, steps_of(ordinals)))
        return _to_tick(level * height * self._scale(ordinals))

    def _scale(self, ordinals: Integers) -> Floats:
        """What is left of a price by the splits and merges up to a day: they take turns."""
        least, more = _ACTIONS
        period = least + (self._chance("period") * more).astype(np.int64)
        phase = (self._chance("turn") * period).astype(np.int64)
        factor = _FACTORS[(self._chance("factor") * len(_FACTORS)).astype(np.int64)]
        is_split = (ordinals + phase) // period % 2 == 1
        return np.where(is_split & ~self._is_penny, 1 / factor, 1.0)

    def _issued(self) -> Floats:
        issued = np.rint(_FEWEST * _MORE ** self._chance("issued"))
        return np.where(self._is_penny, _MILLIARDS, issued)

    def _range(self, close: Integers, base: Integers) -> tuple[Integers, Integers, Integers]:
        """Open, high and low: within what an exchange allows in a day."""
        number = self.day.toordinal()
        opened = _to_tick(base * (0.98 + 0.04 * self._chance("open", number)))
        top, bottom = np.maximum(opened, close), np.minimum(opened, close)
        up = np.minimum(top * (1 + 0.03 * self._chance("high", number)), base * (1 + _LIMIT))
        down = np.maximum(bottom * (1 - 0.03 * self._chance("low", number)), base * (1 - _LIMIT))
        return opened, np.maximum(_to_tick(up), top), np.minimum(_to_tick(down), bottom)

    def _volume(self, shares: Integers, *, is_final: bool) -> Integers:
        number = self.day.toordinal()
        turnover = 0.0005 * 50 ** self._chance("turnover", number)
        is_wild = self._is_penny & (self.day.weekday() == _WILD)
        turnover = np.where(is_wild, 0.25 + turnover, turnover)
        volume: Integers = np.maximum(1, (shares * turnover).astype(np.int64))
        if is_final:
            return volume
        missing = np.maximum(0, self._chance("late", number) - 0.5) * 2 * _LATE
        known: Integers = np.floor(volume * (1 - missing)).astype(np.int64)
        return np.maximum(1, known)

    @property
    def _is_penny(self) -> Any:
        return self.who % _PENNIES == _PENNIES // 2

    def _chance(self, what: str, *about: int) -> Floats:
        return fraction(self.seed, what, self.who, *about)


def _to_tick(prices: Floats | Integers) -> Integers:
    """As prices may be: the larger, the coarser."""
    steps = _TICKS[np.searchsorted(_DEARER, prices, side="right")]
    whole: Integers = np.rint(prices / steps).astype(np.int64) * steps
    return np.maximum(1, whole)
