"""Which days have a page, and how they are written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Zone
from gotgan.errors import UsageError

__all__ = ["FIRST", "PLACES", "day_after", "day_before", "expect_come", "read_day", "today_in"]

FIRST: Final = date(2000, 1, 1)
"""The first day that has a page."""
PLACES: Final[Mapping[Zone, str]] = MappingProxyType(
    {"utc": "UTC", "ny": "New York", "kst": "Seoul"}
)
"""What people call a zone."""
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ONE: Final = timedelta(days=1)


def read_day(text: str) -> date:
    """A day such as 2025-11-06."""
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        raise UsageError(f"Not a date: {text[:50]!r}. Use a date such as 2025-11-06.")
    return day


def today_in(zone: Zone, now: datetime) -> date:
    """The date in a zone."""
    return now.astimezone(ZoneInfo(ZONES[zone])).date()


def expect_come(day: date, today: date, zone: Zone) -> date:
    """The day itself; refuses one in the future, and one before the first that has a page."""
    if day > today:
        raise UsageError(f"{day} is in the future. Today is {today} in {PLACES[zone]}.")
    if day < FIRST:
        raise UsageError(f"{day} has no page. Use a day from {FIRST} on.")
    return day


def day_before(day: date) -> date | None:
    """The day before; None where that has no page."""
    return day - _ONE if day > FIRST else None


def day_after(day: date, today: date) -> date | None:
    """The day after; None where that is in the future."""
    return day + _ONE if day < today else None
