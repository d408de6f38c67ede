"""The page of a day, which joins all domains, and what the overview tells of the last thirty."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.day import pages
from gotgan.console.frame import NavPage, Section

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section("day", (NavPage("day", "/day"),), domain="market")
ROUTERS: Final[tuple[APIRouter, ...]] = (pages.router,)
