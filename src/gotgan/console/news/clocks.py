"""One moment on three clocks, and the days that they show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final

from gotgan.clock import Stamp, new_york_stamp, seoul_stamp, utc_stamp
from gotgan.console import viewer
from gotgan.domains.news import days

__all__ = ["DAY_ZONES", "Face", "faces", "neighbours"]

DAY_ZONES: Final[Mapping[viewer.Zone, days.Zone]] = MappingProxyType(
    {"utc": "utc", "new-york": "ny", "seoul": "kst"}
)
"""What the zones of the console are called where a day is chosen."""
_STAMPS: Final[Mapping[viewer.Zone, Callable[[datetime], Stamp]]] = MappingProxyType(
    {"utc": utc_stamp, "new-york": new_york_stamp, "seoul": seoul_stamp}
)
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Face:
    """A moment as the clock of one zone shows it."""

    zone: viewer.Zone
    day: str
    time: str
    abbreviation: str
    """What the zone is called at that moment: EST or EDT."""
    iso: str


def faces(moment: datetime, first: viewer.Zone) -> list[Face]:
    """The three clocks at a moment, the viewer's own before the others."""
    zones = sorted(_STAMPS, key=lambda zone: zone != first)
    return [_face(zone, _STAMPS[zone](moment)) for zone in zones]


def neighbours(day: date, today: date) -> tuple[date, date | None]:
    """The day before and the day after; there is none after today."""
    return day - _DAY, (day + _DAY if day < today else None)


def _face(zone: viewer.Zone, stamp: Stamp) -> Face:
    return Face(zone, stamp.day, stamp.iso[11:19], stamp.abbreviation, stamp.iso)
