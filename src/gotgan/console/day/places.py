"""Where the page of a day is, and whose day is meant."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from fastapi import HTTPException
from starlette.requests import Request

from gotgan.clock import ZONES, Zone, day_zone
from gotgan.console.given import app_of
from gotgan.console.sections import Section
from gotgan.console.viewer import Viewer
from gotgan.day.calendar import read_day
from gotgan.errors import UsageError
from gotgan.schedule import jobs

if TYPE_CHECKING:
    from gotgan.day.page import DayFailure

__all__ = ["address", "asked_zone", "day_named", "mended_at", "zone_of"]


def address(day: date, zone: Zone, **query: str | None) -> str:
    """The page of a day."""
    given = {name: value for name, value in query.items() if value}
    return f"/day/{day}?zone={zone}{'&' if given else ''}{urlencode(given)}"


def asked_zone(request: Request, zone: str = "") -> Zone:
    """The zone that an address names; that of the settings where it names none, as for programs."""
    named = zone or day_zone(app_of(request).settings.zone)
    chosen = next((known for known in ZONES if known == named), None)
    if chosen is None:
        raise HTTPException(422)
    return chosen


def zone_of(request: Request) -> Zone:
    """The zone of somebody's pages, where days are counted in it; else that of the settings."""
    return day_zone(Viewer.of(request).zone, app_of(request).settings.zone)


def day_named(sections: Iterable[Section], words: str, zone: Zone) -> str | None:
    """The page of a day that somebody names as 2025-11-06, where they may see it."""
    is_there = any(section.key == "day" for section in sections)
    return address(date.fromisoformat(words.strip()), zone) if is_there and _is_day(words) else None


def _is_day(words: str) -> bool:
    try:
        read_day(words.strip())
    except UsageError:
        return False
    return True


def mended_at(failure: DayFailure, day: date) -> str:
    """The page where something that failed is looked at, and mended."""
    what = quote(failure.what, safe="")
    if failure.what in {job.name for job in jobs()}:
        return f"/schedule?job={what}&status=failed#ticks"
    return {
        "news": "/news/bodies?show=dead",
        "shops": f"/shops/shop?domain={what}",
        "market": f"/market/days/{day}",
        "videos": "/videos/jobs?status=failed",
    }[failure.domain]
