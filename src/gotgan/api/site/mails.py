"""``/v1/mails``: what was sent, what waits, and why."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Consistent, Listing, asked, page_data, refuse_consistent
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.versions import one
from gotgan.api.who import app_of

__all__ = ["list_mails", "read_mail", "retry_mail", "router"]

router = APIRouter(tags=["mails"], route_class=StrictJson)


@router.get(
    "/mails", **declared("List mails", gives="MailPage", role="viewer", fails=(400,), query=Listing)
)
def list_mails(request: Request) -> Response:
    """Mails, newest first: sent, being sent, or queued with the reason why."""
    listing = asked(request, Listing)
    refuse_consistent(listing.consistent)
    mails = app_of(request).site.mails
    return ok(page_data(mails.page(limit=listing.limit, cursor=listing.cursor)))


@router.get(
    "/mails/{mail_id}",
    **declared("Read a mail", gives="Mail", role="viewer", fails=(404,), cached=True),
)
def read_mail(
    request: Request,
    mail_id: RecordId,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
) -> Response:
    """A mail."""
    return one(request, app_of(request).site.mails.get(mail_id, consistent=consistent))


@router.post(
    "/mails/{mail_id}/retry",
    **declared("Try a mail again", gives="Mail", role="editor", fails=(404, 409)),
)
def retry_mail(request: Request, mail_id: RecordId) -> Response:
    """Let a mail that waits be tried at once."""
    return one(request, app_of(request).site.mails.retry(mail_id))
