"""The indices of the markets, day by day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

import numpy as np

from gotgan.world.market.chances import Floats, fraction, steps_of, walk
from gotgan.world.market.days import previous_session

__all__ = ["INDICES", "WorldIndex", "WorldIndexDay", "index_days"]

_SWING: Final = 0.017


@dataclass(frozen=True)
class WorldIndex:
    """An index, as the exchange numbers it."""

    group: str
    number: str
    name: str
    family: str
    """The number of those that it is listed with."""
    level: float

    @property
    def who(self) -> int:
        """Whose walk it goes."""
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
    closes = _closes(seed, index, days)
    before = _closes(seed, index, [previous_session(day) for day in days])
    pairs = zip(days, closes.tolist(), before.tolist(), strict=True)
    for day, close, previous in reversed(list(pairs)):
        yield _day(seed, index, day, close, previous)


def _closes(seed: int, index: WorldIndex, days: Sequence[date]) -> Floats:
    steps = steps_of(np.array([day.toordinal() for day in days], dtype=np.int64))
    return np.round(index.level * np.exp(_SWING * walk(seed, index.who, steps)), 2)


def _day(seed: int, index: WorldIndex, day: date, close: float, previous: float) -> WorldIndexDay:
    chances = (fraction(seed, what, index.who, day.toordinal())[0] for what in _WHATS)
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


_WHATS: Final = ("open", "high", "low", "volume", "value")
