"""The timetable: every job with its next time, and what came of its last ones, and why."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.sections import Page, Section
from gotgan.schedule import JOBS

__all__ = ["ROUTERS", "SECTION", "show_timetable"]

_router = APIRouter()
SECTION: Final = Section("schedule", (Page("timetable", "/schedule"),), domain="market")
ROUTERS: Final[tuple[APIRouter, ...]] = (_router,)
_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "done": "good",
        "running": "running",
        "waiting": "running",
        "skipped": "none",
        "failed": "bad",
    }
)
_MOST: Final = 50
"""How many ticks are told."""


@_router.get("/schedule")
def show_timetable(request: Request, _who: Reader, app: Gotgan, job: str = "") -> Response:
    """All jobs, and the last ticks of all or of one."""
    if job and job not in {each.name for each in JOBS}:
        raise HTTPException(404)
    return page(
        request,
        "schedule.html",
        lines=app.timetable(),
        job=job,
        ticks=_history(app, job or None),
        kinds=_KINDS,
        most=_MOST,
    )


def _history(app: App, job: str | None) -> list[object]:
    from gotgan.scheduler import Ticks  # noqa: PLC0415 - it loads SQLAlchemy

    return [*Ticks(app.database).history(job, limit=_MOST)]
