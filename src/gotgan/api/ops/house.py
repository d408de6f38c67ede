"""``/v1/setup``, ``events``, ``costs`` and ``settings``: how the house is set, and what it does."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.ops.asking import BillListing, EventListing, SettingListing
from gotgan.api.ops.records import bill_record, event_record, setting_record
from gotgan.api.paging import asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.who import app_of
from gotgan.settings import shown

__all__ = ["list_events", "list_settings", "read_bill", "read_setup", "router"]

router = APIRouter(tags=["ops"], route_class=StrictJson)


@router.get("/setup", **declared("Read what is set up", gives="Setup", role="viewer"))
def read_setup(request: Request) -> Response:
    """What each domain needs or can make use of, and what of it is missing."""
    from gotgan.scheduler.setup import step_record  # noqa: PLC0415 - it loads SQLAlchemy

    return ok({"items": [step_record(step) for step in app_of(request).setup()]})


@router.get(
    "/events",
    **declared("List events", gives="EventPage", role="admin", fails=(400,), query=EventListing),
)
def list_events(request: Request) -> Response:
    """The latest events of this process, a thousand at most, the latest first."""
    wanted = asked(request, EventListing)
    found = app_of(request).recent.page(
        wanted.name, level=wanted.level, limit=wanted.limit, cursor=wanted.cursor
    )
    return ok({"items": [event_record(each) for each in found.items], "cursor": found.cursor})


@router.get("/costs", **declared("Read the bill", gives="Bill", role="admin", query=BillListing))
def read_bill(request: Request) -> Response:
    """The read and write units that this process took since it began, and what they come to."""
    by = asked(request, BillListing).by
    return ok(bill_record(app_of(request).store.calls.meter, by))


@router.get(
    "/settings",
    **declared("List settings", gives="SettingList", role="admin", query=SettingListing),
)
def list_settings(request: Request) -> Response:
    """Every setting, where it came from and what it is for; of a secret only that it is set."""
    found = shown(app_of(request).settings, origin=asked(request, SettingListing).origin)
    return ok({"items": [setting_record(each) for each in found]})
