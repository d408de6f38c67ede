"""The house itself: its timetable, what is to be set up, events, costs and settings."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.api.ops import house, timetable

__all__ = ["ROUTERS"]

ROUTERS: Final[tuple[APIRouter, ...]] = (timetable.router, house.router)
