"""The house itself: its timetable, what is to be set up, events, costs and settings."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.ops import costs, events, running, settings, setup, timetable
from gotgan.console.sections import Page, Section

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section(
    "ops",
    (
        Page("timetable", "/schedule"),
        Page("costs", "/ops/costs", needed="admin"),
        Page("events", "/ops/events", needed="admin"),
        Page("settings", "/ops/settings", needed="admin"),
        Page("setup", "/setup"),
    ),
    domain="market",
)
ROUTERS: Final[tuple[APIRouter, ...]] = (
    timetable.router,
    running.router,
    costs.router,
    events.router,
    settings.router,
    setup.router,
)
