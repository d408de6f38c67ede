"""Days that have a page: parsing and checking dates, and the days before and after."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Zone
from gotgan.day import messages
from gotgan.errors import UsageError

FIRST_DAY: Final = date(2000, 1, 1)
"""The first day that has a page."""
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ONE_DAY: Final = timedelta(days=1)


def parse_day(text: str) -> date:
    """A day such as 2025-11-06."""
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        raise UsageError(messages.NOT_A_DATE(text=repr(text[:50])))
    return day


def today_in(zone: Zone, now: datetime) -> date:
    """The date in a zone."""
    return now.astimezone(ZoneInfo(ZONES[zone])).date()


def check_day(day: date, today: date, zone: Zone) -> date:
    """The day itself; refuses one in the future, and one before the first that has a page."""
    if day > today:
        raise UsageError(messages.IN_FUTURE(day=day, today=today, place=messages.PLACES[zone]()))
    if day < FIRST_DAY:
        raise UsageError(messages.NO_PAGE(day=day, first=FIRST_DAY))
    return day


def day_before(day: date) -> date | None:
    """The day before; None where that has no page."""
    return day - _ONE_DAY if day > FIRST_DAY else None


def day_after(day: date, today: date) -> date | None:
    """The day after; None where that is in the future."""
    return day + _ONE_DAY if day < today else None
