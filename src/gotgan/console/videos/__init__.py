"""The pages of the videos: all of them, each with its analysis, two side by side, and the jobs."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.sections import NavPage, Section
from gotgan.console.videos import (
    board,
    comparing,
    importing,
    jobs,
    sheet,
    spending,
    versions,
)

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section(
    "videos",
    (
        NavPage("list", "/videos"),
        NavPage("compare", "/videos/compare"),
        NavPage("jobs", "/videos/jobs"),
        NavPage("versions", "/videos/versions"),
    ),
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    board.router,
    comparing.router,
    importing.router,
    jobs.router,
    spending.router,
    versions.router,
    sheet.router,  # the last: its addresses are whatever the others leave
)
