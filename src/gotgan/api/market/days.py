"""``/v1/market/status``, ``days`` and ``gaps``: how days stand, what is next, what is missing."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.market.asking import DayBody, DayWanted, GapListing, StatusListing
from gotgan.api.paging import asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.who import app_of
from gotgan.domains.market.days import one_span, read_month
from gotgan.domains.market.records import day_record, gaps_record
from gotgan.domains.market.report_records import opened_record

__all__ = ["list_gaps", "open_day", "read_day", "read_status", "router"]

router = APIRouter(tags=["market"], route_class=StrictJson)

_TODAY = DayBody()
"""What is meant where nothing is sent."""


@router.get(
    "/market/status",
    **declared("Read the market's month", gives="MarketStatus", role="viewer", fails=(400,),
               query=StatusListing),
)  # fmt: skip
def read_status(request: Request) -> Response:
    """How each day of a month stands, and what will happen next and why."""
    market, listing = app_of(request).market, asked(request, StatusListing)
    today, wording = market.today(), market.wording()
    year, month = read_month(listing.month or f"{today:%Y-%m}")
    return ok(
        {
            "month": f"{year:04}-{month:02}",
            "today": str(today),
            "zone": wording.zone.key,
            "days": [day_record(day, wording) for day in market.status(year, month)],
        }
    )


@router.get(
    "/market/days/{day}",
    **declared("Read a day of the market", gives="MarketDay", role="viewer", fails=(400,)),
)
def read_day(request: Request, day: DayWanted) -> Response:
    """How a day stands: its logs, and what is decided about it now."""
    market = app_of(request).market
    [status] = market.status_between(day, day)
    return ok(day_record(status, market.wording()))


@router.get(
    "/market/gaps",
    **declared("List gaps of the market", gives="MarketGaps", role="viewer", fails=(400,),
               query=GapListing),
)  # fmt: skip
def list_gaps(request: Request) -> Response:
    """Sessions that are missing, those with too few shares, and holes of single shares."""
    listing = asked(request, GapListing)
    first, last = one_span(listing.span, listing.first, listing.last)
    return ok(gaps_record(app_of(request).market.gaps(first, last)))


@router.post(
    "/market/open-day",
    **declared("Open a day", gives="OpenedDay", role="editor", fails=(400,), body=True),
)
def open_day(request: Request, body: DayBody = _TODAY) -> Response:
    """Write the pending row of a day; one without trade gets none, one that is there stays."""
    return ok(opened_record(app_of(request).market.open_day(body.day)))
