"""The pages of the news: what was collected, each item, and the bodies that are missing."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.news import bodies, feed, item, runs
from gotgan.console.sections import Page, Section

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section("news", (Page("feed", "/news"), Page("bodies", "/news/bodies")))

ROUTERS: Final[tuple[APIRouter, ...]] = (feed.router, item.router, bodies.router, runs.router)
