"""The trading days of the exchange, and the prices of shares and indices on each.

Some shares are halted for a month, and then continue at their price. Once in a few years a share is
split, or merged; the base price of that day is then not the last close.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from gotgan.world.market.listings import (
    Floats,
    Integers,
    WorldMarket,
    WorldShare,
    listings,
    places,
    random_walk,
    uniform,
    workday_numbers,
)

_SEOUL: Final = ZoneInfo("Asia/Seoul")
_OPENS: Final = time(9)
_SETTLES: Final = time(20)
"""From then on the volumes of a day are final."""
_DAY: Final = timedelta(days=1)
_WORKDAYS: Final = 5


def is_session(day: date) -> bool:
    """Whether shares are traded on a day."""
    return day.weekday() < _WORKDAYS and day not in _holidays(day.year)


def previous_session(day: date) -> date:
    """The last trading day before a day."""
    day -= _DAY
    while not is_session(day):
        day -= _DAY
    return day


def sessions(first: date, last: date) -> Iterator[date]:
    """The trading days of a span, both ends included."""
    for number in range((last - first).days + 1):
        if is_session(day := first + number * _DAY):
            yield day


def has_traded(day: date, now: datetime) -> bool:
    """Whether a day has prices yet."""
    return is_session(day) and now >= datetime.combine(day, _OPENS, _SEOUL)


def is_final(day: date, now: datetime) -> bool:
    """Whether the volumes of a day are final."""
    return now >= datetime.combine(day, _SETTLES, _SEOUL)


@cache
def _holidays(year: int) -> Collection[date]:
    import holidays  # noqa: PLC0415 - loading it takes a moment, and most of the world has no need

    return frozenset(holidays.financial_holidays("XKRX", years=year))


_PRICE_SWING: Final = 0.043
_LOWEST, _RANGE = 1_000, 300
"""The lowest first price, and how many times it the highest one is."""
_FEWEST, _MORE = 5_000_000, 200
_HALTED: Final = 0.035
_LONGEST_HALT: Final = 12
_ACTIONS: Final = (700, 1_400)
"""Days until a share is split, or merged back: at least, and how many more at most."""
_FACTORS: Final = np.array([2, 5, 10])
_PENNIES: Final = 400
"""Every so many places there is a penny share; on Fridays milliards are traded."""
_FRIDAY: Final = 4
_PENNY, _MILLIARDS = 200, 20_000_000_000
_LATE: Final = 0.1
"""The part of the volume that may be missing before the evening."""
_DEARER: Final = np.array([2_000, 5_000, 20_000, 50_000, 200_000, 500_000])
_TICKS: Final = np.array([1, 5, 10, 50, 100, 500, 1_000])
"""Tick sizes up to each of these prices, and beyond."""
_LIMIT: Final = 0.3


class Trade(NamedTuple):
    """A share on a day; a halted one has no open, high, low and volume."""

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
        """Whether trading was halted."""
        return self.open == 0


@lru_cache(maxsize=16)
def trades(
    seed: int, market: WorldMarket, count: int, day: date, *, is_final: bool
) -> tuple[Trade, ...]:
    """All shares of a market on a trading day."""
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
        shares = np.rint(self._issued_shares() / self._scale(now)).astype(np.int64)
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
        height = np.exp(_PRICE_SWING * random_walk(self.seed, self.who, workday_numbers(ordinals)))
        return _to_tick(level * height * self._scale(ordinals))

    def _scale(self, ordinals: Integers) -> Floats:
        """The factor of a price after splits and merges, which alternate."""
        least, more = _ACTIONS
        period = least + (self._chance("period") * more).astype(np.int64)
        phase = (self._chance("turn") * period).astype(np.int64)
        factor = _FACTORS[(self._chance("factor") * len(_FACTORS)).astype(np.int64)]
        is_split = (ordinals + phase) // period % 2 == 1
        return np.where(is_split & ~self._is_penny, 1 / factor, 1.0)

    def _issued_shares(self) -> Floats:
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
        is_wild = self._is_penny & (self.day.weekday() == _FRIDAY)
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
        return uniform(self.seed, what, self.who, *about)


def _to_tick(prices: Floats | Integers) -> Integers:
    """Rounded to the tick size, which grows with the price."""
    steps = _TICKS[np.searchsorted(_DEARER, prices, side="right")]
    whole: Integers = np.rint(prices / steps).astype(np.int64) * steps
    return np.maximum(1, whole)


_INDEX_SWING: Final = 0.017


@dataclass(frozen=True)
class WorldIndex:
    """An index, as the exchange numbers it."""

    group: str
    number: str
    name: str
    family: str
    """The number of its group in lists."""
    level: float

    @property
    def who(self) -> int:
        """The number of its random walk."""
        return 10_000 * int(self.group) + int(self.number)


INDICES: Final = (
    WorldIndex("1", "001", "코스피", "02", 2_600.0),
    WorldIndex("2", "001", "코스닥", "03", 800.0),
    WorldIndex("5", "300", "KRX 300", "01", 1_500.0),
    WorldIndex("5", "600", "KTOP 30", "04", 9_000.0),
)


@dataclass(frozen=True)
class WorldIndexDay:
    """An index on a trading day."""

    day: date
    close: float
    previous: float
    open: float
    high: float
    low: float
    volume: int
    value: int


def index_days(seed: int, index: WorldIndex, days: Sequence[date]) -> Iterator[WorldIndexDay]:
    """An index on some trading days, the last one first."""
    closes = _index_closes(seed, index, days)
    before = _index_closes(seed, index, [previous_session(day) for day in days])
    pairs = zip(days, closes.tolist(), before.tolist(), strict=True)
    for day, close, previous in reversed(list(pairs)):
        yield _index_day(seed, index, day, close, previous)


def _index_closes(seed: int, index: WorldIndex, days: Sequence[date]) -> Floats:
    steps = workday_numbers(np.array([day.toordinal() for day in days], dtype=np.int64))
    return np.round(index.level * np.exp(_INDEX_SWING * random_walk(seed, index.who, steps)), 2)


def _index_day(
    seed: int, index: WorldIndex, day: date, close: float, previous: float
) -> WorldIndexDay:
    chances = (uniform(seed, what, index.who, day.toordinal())[0] for what in _INDEX_PARTS)
    opening, up, down, many, dear = map(float, chances)
    opened = round(previous * (0.995 + 0.01 * opening), 2)
    volume = int(400_000_000 * (1 + many))
    return WorldIndexDay(
        day=day,
        close=close,
        previous=previous,
        open=opened,
        high=round(max(opened, close) * (1 + 0.01 * up), 2),
        low=round(min(opened, close) * (1 - 0.01 * down), 2),
        volume=volume,
        value=int(volume * (10_000 + 10_000 * dear)),
    )


_INDEX_PARTS: Final = ("open", "high", "low", "volume", "value")
