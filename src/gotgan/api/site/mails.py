"""``/v1/mails``: what was sent, what waits, and why."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Consistent, Listing, asked, page_data, refuse_consistent
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import SOON, Wait, followed
from gotgan.api.versions import one
from gotgan.api.who import app_of
from gotgan.domains.site.running import start_send_mails

__all__ = ["list_mails", "read_mail", "retry_mail", "router", "send_mails", "sending"]

router = APIRouter(tags=["mails"], route_class=StrictJson)
sending = APIRouter(tags=["mails"], route_class=StrictJson)
"""What goes on after its answer, which a function of the cloud does not."""


class _OfShow(Listing):
    """What is asked of the mails."""

    show: Literal["waiting"] | None = Field(
        default=None, description="`waiting` are those still to be sent, those due first."
    )


@router.get(
    "/mails", **declared("List mails", gives="MailPage", role="viewer", fails=(400,), query=_OfShow)
)
def list_mails(request: Request) -> Response:
    """Mails, newest first: sent, being sent, or queued with the reason why."""
    listing = asked(request, _OfShow)
    refuse_consistent(listing.consistent)
    mails = app_of(request).site.mails
    read = mails.waiting_page if listing.show else mails.page
    return ok(page_data(read(limit=listing.limit, cursor=listing.cursor)))


@sending.post(
    "/mails/send",
    **declared("Send mails", gives="Run", role="editor", fails=(409,)),
)
async def send_mails(request: Request, wait: Wait = SOON) -> Response:
    """Send the mails that are due; joins a run that is under way."""
    app = app_of(request)
    return await followed(request, start_send_mails(app.runs, app.site.mails), wait)


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
