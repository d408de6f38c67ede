"""``/v1/schedule``: every job that comes round by itself, and what came of it."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.ops.asking import TickListing
from gotgan.api.paging import asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.who import app_of

__all__ = ["list_ticks", "read_timetable", "router"]

router = APIRouter(tags=["ops"], route_class=StrictJson)


@router.get("/schedule", **declared("Read the timetable", gives="Timetable", role="viewer"))
def read_timetable(request: Request) -> Response:
    """Every job with its next time and its last tick."""
    from gotgan.scheduler.records import line_record  # noqa: PLC0415 - it loads SQLAlchemy

    return ok({"items": [line_record(line) for line in app_of(request).timetable()]})


@router.get(
    "/schedule/ticks",
    **declared("List ticks", gives="TickPage", role="viewer", fails=(400,), query=TickListing),
)
def list_ticks(request: Request) -> Response:
    """Every time that a job came round in thirty days, the latest first, and why it was skipped."""
    from gotgan.scheduler.history import TickHistory  # noqa: PLC0415 - it loads SQLAlchemy
    from gotgan.scheduler.records import tick_record  # noqa: PLC0415 - the same

    wanted = asked(request, TickListing)
    found = TickHistory(app_of(request).database).page(
        wanted.job, status=wanted.status, limit=wanted.limit, cursor=wanted.cursor
    )
    return ok({"items": [tick_record(tick) for tick in found.items], "cursor": found.cursor})
