"""The house itself: its timetable, what is to be set up, events, costs and settings."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.ops import costs, events, running, settings, setup, timetable
from gotgan.console.sections import NavPage, Section

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section(
    "ops",
    (
        NavPage("timetable", "/schedule"),
        NavPage("costs", "/ops/costs", needed="admin"),
        NavPage("events", "/ops/events", needed="admin"),
        NavPage("settings", "/ops/settings", needed="admin"),
        NavPage("setup", "/setup"),
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
