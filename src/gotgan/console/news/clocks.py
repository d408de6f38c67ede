"""One moment on several clocks, and the days that they show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, stamp_in

__all__ = ["Face", "faces", "neighbours"]

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Face:
    """A moment as the clock of one zone shows it."""

    zone: str
    """Its name, such as Asia/Seoul."""
    day: str
    time: str
    abbreviation: str
    """What the zone is called at that moment: EST or EDT."""
    iso: str


def faces(moment: datetime, own: str) -> list[Face]:
    """The viewer's clock at a moment, and the three of the news, without one twice."""
    return [_face(zone, moment) for zone in dict.fromkeys((own, *ZONES.values()))]


def neighbours(day: date, today: date) -> tuple[date, date | None]:
    """The day before and the day after; there is none after today."""
    return day - _DAY, (day + _DAY if day < today else None)


def _face(zone: str, moment: datetime) -> Face:
    stamp = stamp_in(moment, ZoneInfo(zone))
    return Face(zone, stamp.day, stamp.iso[11:19], stamp.abbreviation, stamp.iso)
