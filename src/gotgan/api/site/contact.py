"""``/v1/contact``: everybody may write, the staff reads, answers and closes."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Consistent, Listing, asked, page_data, refuse_consistent
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.versions import expected_version, one
from gotgan.api.who import app_of, caller_of
from gotgan.clock import utc_iso
from gotgan.domains.site.bodies import ContactBody, ReplyBody, StatusBody
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import Status
from gotgan.events import emit

__all__ = [
    "leave_message",
    "list_inquiries",
    "read_inquiry",
    "reply_to_inquiry",
    "router",
    "set_inquiry_status",
]

router = APIRouter(tags=["contact"], route_class=StrictJson)


@router.post(
    "/contact",
    **declared(
        "Leave a message", gives="Receipt", role=None, status=201, fails=(400, 429), body=True
    ),
)
def leave_message(request: Request, body: ContactBody) -> Response:
    """Leave a message for the company; five are taken from an address within ten minutes."""
    app = app_of(request)
    fields = body.fields()
    if fields.pop("website"):
        # A program filled in what people do not see. It is told what it wants to hear.
        emit("site.contact.trapped", level="info")
        now = app.clock.now()
        return _receipt(new_id(now), utc_iso(now))
    address = "" if request.client is None else request.client.host
    inquiry = app.site.inquiries.receive(**fields, address=address)
    return _receipt(inquiry.id, utc_iso(inquiry.created_at))


class _OfStatus(Listing):
    """What is asked of the inquiries."""

    status: Status | None = Field(
        default=None,
        description="Only those with this status. This is a filtered read: every inquiry on the "
        "way is read and billed, as `read` says.",
    )


@router.get(
    "/contact",
    **declared(
        "List inquiries",
        gives="ContactInquiryPage",
        role="viewer",
        fails=(400,),
        query=_OfStatus,
    ),
)
def list_inquiries(request: Request) -> Response:
    """Inquiries, newest first."""
    listing = asked(request, _OfStatus)
    refuse_consistent(listing.consistent)
    page = app_of(request).site.inquiries.page(
        status=listing.status, limit=listing.limit, cursor=listing.cursor
    )
    return ok(page_data(page))


@router.get(
    "/contact/{inquiry_id}",
    **declared("Read an inquiry", gives="ContactInquiry", role="viewer", fails=(404,), cached=True),
)
def read_inquiry(
    request: Request,
    inquiry_id: RecordId,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
) -> Response:
    """An inquiry, with where the notice of it was sent."""
    return one(request, app_of(request).site.inquiries.get(inquiry_id, consistent=consistent))


@router.post(
    "/contact/{inquiry_id}/reply",
    **declared(
        "Answer an inquiry",
        gives="ContactInquiry",
        role="editor",
        fails=(400, 404, 409, 412),
        body=True,
    ),
)
def reply_to_inquiry(request: Request, inquiry_id: RecordId, body: ReplyBody) -> Response:
    """Write back to the visitor; the mail is queued with the answer, in one transaction."""
    expected = expected_version(request, body.version, required=False)
    by = caller_of(request).user.id
    inquiries = app_of(request).site.inquiries
    return one(request, inquiries.reply(inquiry_id, body.message, by=by, expected=expected))


@router.post(
    "/contact/{inquiry_id}/status",
    **declared(
        "Say how far an inquiry is",
        gives="ContactInquiry",
        role="editor",
        fails=(400, 404, 409, 412),
        body=True,
    ),
)
def set_inquiry_status(request: Request, inquiry_id: RecordId, body: StatusBody) -> Response:
    """Set the status of an inquiry: new, in_progress or done."""
    expected = expected_version(request, body.version, required=False)
    inquiries = app_of(request).site.inquiries
    return one(request, inquiries.set_status(inquiry_id, body.status, expected=expected))


def _receipt(inquiry_id: str, at: str) -> Response:
    return ok({"id": inquiry_id, "status": "new", "CreatedAt": at}, status=201)
