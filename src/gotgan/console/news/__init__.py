"""The pages of the news: what was collected, each item, and the bodies that are missing."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.news import bodies, feed, item, runs, uploading
from gotgan.console.sections import NavPage, Section

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section(
    "news",
    (
        NavPage("feed", "/news"),
        NavPage("bodies", "/news/bodies"),
        NavPage("upload", "/news/upload"),
    ),
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    feed.router,
    item.router,
    bodies.router,
    uploading.router,
    runs.router,
)
