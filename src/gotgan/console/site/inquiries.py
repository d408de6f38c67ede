"""The inbox: what visitors left, who was told of it, and what was answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, get_args

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Editor, Gotgan, Reader, Sent, app_of
from gotgan.console.listing import A_CALL, every
from gotgan.console.site.articles import user_names
from gotgan.console.site.checking import Misfilled, checked
from gotgan.console.site.delivery import Delivery
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.domains.site.bodies import ReplyBody
from gotgan.domains.site.mails import Mails
from gotgan.domains.site.models import ContactInquiry, Mail, Status
from gotgan.errors import ConditionFailed, Conflict

__all__ = ["inquiries_file", "list_inquiries", "read_inquiry", "reply", "router", "set_status"]

router = APIRouter()
_STATUSES: Final[tuple[Status, ...]] = get_args(Status)


@router.get("/site/inquiries")
def list_inquiries(
    request: Request,
    _who: Reader,
    app: Gotgan,
    status: str = "",
    cursor: str | None = None,
) -> Response:
    """The inquiries, newest first, each with where the notice of it went."""
    chosen = _status(status)
    found = app.site.inquiries.page(status=chosen, cursor=cursor)
    return page(
        request,
        "site/inquiries.html",
        found=found,
        notices=_notices(app.site.mails, found),
        delivery=Delivery.of(app),
        statuses=_STATUSES,
        chosen=status,
        cursor=cursor,
        elsewhere=elsewhere("inquiries", api="contact", status=status),
    )


@router.get("/site/inquiries.csv")
def inquiries_file(_who: Reader, site: TheSite, status: str = "") -> Response:
    """The same inquiries as a file."""
    chosen = _status(status)
    found = every(lambda cursor: site.inquiries.page(status=chosen, limit=A_CALL, cursor=cursor))
    return file_of("inquiries", ContactInquiry, found)


@router.get("/site/inquiries/{inquiry_id}")
def read_inquiry(request: Request, who: Reader, site: TheSite, inquiry_id: str) -> Response:
    """An inquiry, what was answered, and the form to answer it."""
    inquiry = site.inquiries.get(inquiry_id, consistent=True)
    return _show(request, inquiry, Filled.of(ReplyBody, None, who.zone))


@router.post("/site/inquiries/{inquiry_id}/reply")
def reply(request: Request, who: Editor, form: Sent, site: TheSite, inquiry_id: str) -> Response:
    """Answer an inquiry, unless somebody else did since its page was opened."""
    inquiry = site.inquiries.get(inquiry_id, consistent=True)
    filled = Filled.sent(ReplyBody, form)
    if form.text("seen") != str(len(inquiry.replies or [])):
        told = replace(filled, refusal=who.t("site.inquiries.answered_meanwhile"))
        return _show(request, inquiry, told)
    by = who.caller.user.id if who.caller else ""
    try:
        body = checked(filled, None, app_of(request).clock.now(), who.t)
        site.inquiries.reply(inquiry_id, body.message, by=by)
    except Misfilled as problem:
        return _show(request, inquiry, problem.filled)
    except ConditionFailed:
        told = replace(filled, refusal=who.t("site.changed_meanwhile"))
        return _show(request, site.inquiries.get(inquiry_id, consistent=True), told)
    except Conflict:
        told = replace(filled, refusal=who.t("site.inquiries.no_address"))
        return _show(request, inquiry, told)
    return redirect(f"/site/inquiries/{inquiry.id}", said="site.inquiries.replied")


@router.post("/site/inquiries/{inquiry_id}/status")
def set_status(_who: Editor, form: Sent, site: TheSite, inquiry_id: str) -> Response:
    """Say how far an inquiry is."""
    status = _status(form.text("status"))
    if status is None:
        raise HTTPException(422)
    inquiry = site.inquiries.set_status(inquiry_id, status)
    return redirect(f"/site/inquiries/{inquiry.id}", said="site.saved")


def _show(request: Request, inquiry: ContactInquiry, filled: Filled) -> Response:
    app, replies = app_of(request), inquiry.replies or []
    told = [inquiry.id, *(reply.mail_id for reply in replies if reply.mail_id)]
    return page(
        request,
        "site/inquiry.html",
        status=filled.status,
        inquiry=inquiry,
        mails=app.site.mails.of(told, consistent=True),
        delivery=Delivery.of(app),
        names=user_names(app.site, (reply.by for reply in replies)),
        statuses=_STATUSES,
        form=filled,
    )


def _notices(mails: Mails, inquiries: Iterable[ContactInquiry]) -> dict[str, Mail]:
    """The notices of inquiries that do not say themselves where theirs went."""
    asked = [inquiry.id for inquiry in inquiries if not inquiry.notified_email]
    read = mails.of(asked)
    # A notice that was made this moment is missed by a read that is not consistent.
    return read | mails.of([each for each in asked if each not in read], consistent=True)


def _status(word: str) -> Status | None:
    """A status by its word; none of an empty one, and any other is no address of ours."""
    found = next((status for status in _STATUSES if status == word), None)
    if word and found is None:
        raise HTTPException(404)
    return found
