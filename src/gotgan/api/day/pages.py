"""``/v1/day``: the page of a day, which tells of all domains at once."""

from __future__ import annotations

from datetime import date

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.day.asking import DayListing, DayWanted, PublishBody
from gotgan.api.envelope import ok
from gotgan.api.paging import asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.who import app_of

__all__ = ["publish_day", "read_day_page", "read_today", "router"]

router = APIRouter(tags=["day"], route_class=StrictJson)


@router.get("/day", **declared("Read today", gives="DayPage", role="viewer", query=DayListing))
def read_today(request: Request) -> Response:
    """What today has brought so far: that of a day."""
    return _page(request, None)


@router.get(
    "/day/{day}",
    **declared("Read a day", gives="DayPage", role="viewer", fails=(400,), query=DayListing),
)
def read_day_page(request: Request, day: DayWanted) -> Response:
    """What was collected, what is new, what changed, what failed, and what comes next.

    A part that cannot be read has an `error` in place of its `value`; the others are there.
    """
    return _page(request, day)


@router.post(
    "/day/{day}/publish",
    **declared("Publish a day", gives="PublishedDay", role="editor", fails=(400, 404, 409),
               body=True),
)  # fmt: skip
def publish_day(request: Request, day: DayWanted, body: PublishBody) -> Response:
    """Have the page as a post in a category: one for a day and a zone, however often it is asked.

    It is changed only where its text has changed since, and moved where the category is another.
    """
    from gotgan.day.records import published_record  # noqa: PLC0415 - it loads SQLAlchemy

    return ok(published_record(app_of(request).day.publish(day, body.zone, body.category)))


def _page(request: Request, day: date | None) -> Response:
    from gotgan.day.records import page_record  # noqa: PLC0415 - it loads SQLAlchemy

    return ok(page_record(app_of(request).day.page(day, asked(request, DayListing).zone)))
