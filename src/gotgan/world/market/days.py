"""On which days the exchange trades, and what of a day is there to be asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

__all__ = ["has_traded", "is_final", "is_session", "previous_session", "sessions"]

_SEOUL: Final = ZoneInfo("Asia/Seoul")
_OPENS: Final = time(9)
_SETTLES: Final = time(20)
"""From then on the volumes of a day do not change any more."""
_DAY: Final = timedelta(days=1)
_WORKDAYS: Final = 5


def is_session(day: date) -> bool:
    """Whether shares are traded on a day."""
    return day.weekday() < _WORKDAYS and day not in _holidays(day.year)


def previous_session(day: date) -> date:
    """The last day before a day on which shares were traded."""
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
    """Whether there is anything of a day yet."""
    return is_session(day) and now >= datetime.combine(day, _OPENS, _SEOUL)


def is_final(day: date, now: datetime) -> bool:
    """Whether the volumes of a day are its last ones."""
    return now >= datetime.combine(day, _SETTLES, _SEOUL)


@cache
def _holidays(year: int) -> Collection[date]:
    import holidays  # noqa: PLC0415 - loading it takes a moment, and most of the world has no need

    return frozenset(holidays.financial_holidays("XKRX", years=year))
