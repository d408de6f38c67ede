"""The inbox: what visitors left, who was told of it, and what was answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, get_args

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Editor, Reader, Sent, app_of
from gotgan.console.site.articles import user_names
from gotgan.console.site.checking import Misfilled, checked
from gotgan.console.site.delivery import MailDelivery
from gotgan.console.site.filled import Fields, Filled
from gotgan.console.site.given import TheSite
from gotgan.console.site.resource import ResourceList
from gotgan.domains.site.mails import Mails
from gotgan.domains.site.models import ContactInquiry, Mail, Status
from gotgan.errors import ConditionFailed, Conflict
from gotgan.store import Page

__all__ = ["read_inquiry", "reply", "router", "set_status"]

router = APIRouter()
_STATUSES: Final[tuple[Status, ...]] = get_args(Status)
_REPLY: Final = Fields.of("inquiries.reply")


def _values(request: Request, found: Page[Any]) -> dict[str, Any]:
    app = app_of(request)
    return {
        "notices": _notices(app.site.mails, found),
        "delivery": MailDelivery.of(app),
        "statuses": _STATUSES,
    }


ResourceList("inquiries", values=_values).add_to(router)


@router.get("/site/inquiries/{record_id}")
def read_inquiry(request: Request, who: Reader, site: TheSite, record_id: str) -> Response:
    """An inquiry, what was answered, and the form to answer it."""
    inquiry = site.inquiries.get(record_id, consistent=True)
    return _show(request, inquiry, Filled.of(_REPLY, None, who.zone))


@router.post("/site/inquiries/{record_id}/reply")
def reply(request: Request, who: Editor, form: Sent, site: TheSite, record_id: str) -> Response:
    """Answer an inquiry, unless somebody else did since its page was opened."""
    inquiry = site.inquiries.get(record_id, consistent=True)
    filled = Filled.sent(_REPLY, form)
    if form.text("seen") != str(len(inquiry.replies or [])):
        told = replace(filled, refusal=who.t("site.inquiries.answered_meanwhile"))
        return _show(request, inquiry, told)
    try:
        fields = checked(filled, None, app_of(request).clock.now(), who.t)
        site.inquiries.reply(record_id, fields["message"], by=who.caller)
    except Misfilled as problem:
        return _show(request, inquiry, problem.filled)
    except ConditionFailed:
        told = replace(filled, refusal=who.t("site.changed_meanwhile"))
        return _show(request, site.inquiries.get(record_id, consistent=True), told)
    except Conflict:
        told = replace(filled, refusal=who.t("site.inquiries.no_address"))
        return _show(request, inquiry, told)
    return redirect(f"/site/inquiries/{inquiry.id}", said="site.inquiries.replied")


@router.post("/site/inquiries/{record_id}/status")
def set_status(_who: Editor, form: Sent, site: TheSite, record_id: str) -> Response:
    """Say how far an inquiry is."""
    word = form.text("status")
    status = next((each for each in _STATUSES if each == word), None)
    if status is None:
        raise HTTPException(404 if word else 422)
    inquiry = site.inquiries.set_status(record_id, status)
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
        delivery=MailDelivery.of(app),
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
