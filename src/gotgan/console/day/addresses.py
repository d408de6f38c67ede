"""The path of a day, and the zone of its pages."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from starlette.requests import Request

from gotgan.clock import ZONES, Zone, day_zone
from gotgan.console.lists import one_of
from gotgan.console.session import Viewer, app_of
from gotgan.schedule import jobs

if TYPE_CHECKING:
    from gotgan.day.page import DayFailure


def day_path(day: date, zone: Zone, **query: str | None) -> str:
    """The page of a day."""
    given = {name: value for name, value in query.items() if value}
    return f"/day/{day}?zone={zone}{'&' if given else ''}{urlencode(given)}"


def requested_zone(request: Request, zone: str = "") -> Zone:
    """The zone of an address; by default that of the settings, as for programs."""
    return one_of(ZONES, zone or day_zone(app_of(request).settings.zone))


def viewer_zone(request: Request) -> Zone:
    """The viewer's zone if days are counted in it, else that of the settings."""
    return day_zone(Viewer.of(request).zone, app_of(request).settings.zone)


def failure_path(failure: DayFailure, day: date) -> str:
    """The page where a failure is shown and fixed."""
    what = quote(failure.what, safe="")
    if failure.what in {job.name for job in jobs()}:
        return f"/schedule?job={what}&status=failed#ticks"
    return {
        "news": "/news/bodies?show=dead",
        "shops": f"/shops/shop?domain={what}",
        "market": f"/market/days/{day}",
        "videos": "/videos/jobs?status=failed",
    }[failure.domain]
