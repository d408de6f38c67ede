"""Days in three zones, and which part of which UTC day each of them is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Zone
from gotgan.errors import UsageError

__all__ = ["ZONES", "UtcDayPart", "Zone", "latest_days", "parts_of", "today_in"]

_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True)
class UtcDayPart:
    """A stretch of one UTC day, both ends included."""

    day: date
    first: datetime
    last: datetime


def parts_of(day: date, zone: Zone) -> list[UtcDayPart]:
    """The stretches of UTC days that make up a day of a zone, the latest first.

    A day of New York or Seoul begins on one UTC day and ends on another; when clocks change it is
    an hour longer or shorter.
    """
    try:
        first, following = _midnight(day, zone), _midnight(day + _DAY, zone)
        return list(_parts(first, following - _SECOND))
    except OverflowError:
        raise UsageError(f"{day} is at the edge of the calendar; choose another day") from None


def latest_days(today: date, days: int) -> list[date]:
    """The last so many days, today first."""
    try:
        return [today - number * _DAY for number in range(days)]
    except OverflowError:
        raise UsageError(f"{today} is at the edge of the calendar; choose another day") from None


def today_in(zone: Zone, now: datetime) -> date:
    """The date in a zone."""
    return now.astimezone(ZoneInfo(ZONES[zone])).date()


def _parts(first: datetime, last: datetime) -> Iterator[UtcDayPart]:
    day = last.date()
    while day >= first.date():
        begin = datetime.combine(day, time.min, UTC)
        yield UtcDayPart(day, max(first, begin), min(last, begin + _DAY - _SECOND))
        day -= _DAY


def _midnight(day: date, zone: Zone) -> datetime:
    return datetime.combine(day, time.min, ZoneInfo(ZONES[zone])).astimezone(UTC)
