"""Moments as commands print them for people: in the zone of the settings, which is named."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

import click

from gotgan.settings import Settings

__all__ = ["localised", "moment", "remember_zone"]

_ZONE: Final = "gotgan.zone"
"""Where the context of the command keeps it."""
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def remember_zone(settings: Settings) -> None:
    """Print moments in the zone of these settings from now on, for this command."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_ZONE] = settings.zone


def moment(at: datetime, *, seconds: bool = False) -> str:
    """A moment to the minute: ``2026-11-16 18:03 KST``."""
    context = click.get_current_context(silent=True)
    zone = None if context is None else context.meta.get(_ZONE)
    local = at.astimezone(ZoneInfo(zone or Settings().zone))
    return f"{local:%Y-%m-%d %H:%M:%S %Z}" if seconds else f"{local:%Y-%m-%d %H:%M %Z}"


def localised(value: Any) -> Any:
    """A stored timestamp as a moment; any other value as it is."""
    if isinstance(value, str) and _STAMP.fullmatch(value):
        return moment(datetime.fromisoformat(value))
    return value
