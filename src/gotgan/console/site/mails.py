"""The pages of mails and of inquiries: what waits and why, what was received and answered."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.binder import VerbForm, VerbForms
from gotgan.console.frame import current_url, page, redirect
from gotgan.console.hints import message_with_links
from gotgan.console.lists import one_of
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Editor, Reader, SentForm, app_of
from gotgan.console.site.articles import user_names
from gotgan.console.site.forms import FormFields, InvalidForm, RecordForm, validated_values
from gotgan.console.site.resource import CurrentSite, ResourceList
from gotgan.domains.site.mail import Mails
from gotgan.domains.site.mail_text import parse_mailbox
from gotgan.domains.site.models import ContactInquiry, CorpInfo, Mail, Status
from gotgan.domains.site.resource import skip_bad_item
from gotgan.domains.site.service import Site
from gotgan.errors import BadItem, ConditionFailed, Conflict
from gotgan.store import Page


@dataclass(frozen=True)
class MailDelivery:
    """Whether the settings allow mails to be sent; a server may still refuse them."""

    has_server: bool
    has_address: bool
    """Whether the company has an e-mail address, where notices go."""
    has_sender: bool

    @classmethod
    def of(cls, app: App) -> MailDelivery:
        """The present settings."""
        company: CorpInfo | None = None
        try:
            company = app.site.company.look(consistent=True)
        except BadItem as misfit:
            skip_bad_item(misfit)
        has_address = company is not None and parse_mailbox(company.email or "") is not None
        settings = app.settings
        return cls(settings.smtp is not None, has_address, has_address or bool(settings.mail_from))

    def hindrance(self, mail: Mail | None) -> str | None:
        """The key of the text that says why a mail cannot be sent; None if it can."""
        if mail is None or mail.status == "sent":
            return None
        if not self.has_server:
            return "site.hindrance.server"
        if mail.purpose == "notice" and not self.has_address:
            return "site.hindrance.address"
        return None if self.has_sender else "site.hindrance.sender"


# Mails

router = APIRouter()
sending_router = VerbForms(
    Site,
    {"send_mails": VerbForm()},
    by_hand=("adopt",),  # a job of the schedule, with its button there
).router
"""It runs after its response, which a function of the cloud does not."""


def _mail_list_values(request: Request, _found: Page[Any]) -> dict[str, Any]:
    app, back = app_of(request), current_url(request, cursor=None)
    is_here = "market" in request.app.state.domains  # else mails are sent elsewhere
    return {
        "delivery": MailDelivery.of(app),
        "shows": ("", "waiting"),
        "send": RunCard.of(app, "site.send_mails", back) if is_here else None,
    }


ResourceList("mails", values=_mail_list_values).add_to(router)


@router.get("/site/mails/{record_id}")
def read_mail(request: Request, _who: Reader, site: CurrentSite, record_id: str) -> Response:
    """A mail."""
    return _show_mail(request, site.mails.get(record_id, consistent=True))


@router.post("/site/mails/{record_id}/retry")
def retry_mail(
    request: Request, who: Editor, _form: SentForm, app: CurrentApp, record_id: str
) -> Response:
    """Queue a mail again, unless it is known why it cannot be sent."""
    mail = app.site.mails.get(record_id, consistent=True)
    hindrance = MailDelivery.of(app).hindrance(mail)
    if hindrance is not None:
        return _show_mail(request, mail, refusal=who.t(hindrance))
    try:
        app.site.mails.retry(record_id)
    except Conflict as refusal:
        return _show_mail(request, mail, refusal=message_with_links(who, refusal.message))
    return redirect("/site/mails?show=waiting", notice="site.mails.hastened")


def _show_mail(request: Request, mail: Mail, *, refusal: str | None = None) -> Response:
    return page(
        request,
        "site/mail.html",
        status=200 if refusal is None else 409,
        mail=mail,
        delivery=MailDelivery.of(app_of(request)),
        refusal=refusal,
    )


# Inquiries

_STATUSES: Final[tuple[Status, ...]] = get_args(Status)
_REPLY_FIELDS: Final = FormFields.of("inquiries.reply")


def _inquiry_list_values(request: Request, found: Page[Any]) -> dict[str, Any]:
    app = app_of(request)
    return {
        "notices": _notices(app.site.mails, found),
        "delivery": MailDelivery.of(app),
        "statuses": _STATUSES,
    }


ResourceList("inquiries", values=_inquiry_list_values).add_to(router)


@router.get("/site/inquiries/{record_id}")
def read_inquiry(request: Request, who: Reader, site: CurrentSite, record_id: str) -> Response:
    """An inquiry with its replies, and the form of a reply."""
    inquiry = site.inquiries.get(record_id, consistent=True)
    return _show_inquiry(request, inquiry, RecordForm.of(_REPLY_FIELDS, None, who.zone))


@router.post("/site/inquiries/{record_id}/reply")
def reply(
    request: Request, who: Editor, form: SentForm, site: CurrentSite, record_id: str
) -> Response:
    """Reply to an inquiry, unless another reply was sent since its page was opened."""
    inquiry = site.inquiries.get(record_id, consistent=True)
    filled, refusal = RecordForm.sent(_REPLY_FIELDS, form), None
    if form.text("seen") != str(len(inquiry.replies or [])):
        refusal = "site.inquiries.answered_meanwhile"
    else:
        try:
            fields = validated_values(filled, None, app_of(request).clock.now(), who.t)
            site.inquiries.reply(record_id, fields["message"], by=who.caller)
        except InvalidForm as problem:
            return _show_inquiry(request, inquiry, problem.filled)
        except ConditionFailed:
            refusal = "site.changed_meanwhile"
            inquiry = site.inquiries.get(record_id, consistent=True)
        except Conflict:
            refusal = "site.inquiries.no_address"
    if refusal is not None:
        return _show_inquiry(request, inquiry, replace(filled, refusal=who.t(refusal)))
    return redirect(f"/site/inquiries/{inquiry.id}", notice="site.inquiries.replied")


@router.post("/site/inquiries/{record_id}/status")
def set_status(_who: Editor, form: SentForm, site: CurrentSite, record_id: str) -> Response:
    """Set the status of an inquiry."""
    word = form.text("status")
    if word and word not in _STATUSES:
        raise HTTPException(404)
    inquiry = site.inquiries.set_status(record_id, one_of(_STATUSES, word))
    return redirect(f"/site/inquiries/{inquiry.id}", notice="site.saved")


def _show_inquiry(request: Request, inquiry: ContactInquiry, filled: RecordForm) -> Response:
    app, replies = app_of(request), inquiry.replies or []
    mail_ids = [inquiry.id, *(reply.mail_id for reply in replies if reply.mail_id)]
    return page(
        request,
        "site/inquiry.html",
        status=filled.status,
        inquiry=inquiry,
        mails=app.site.mails.get_many(mail_ids, consistent=True),
        delivery=MailDelivery.of(app),
        names=user_names(app.site, (reply.by for reply in replies)),
        statuses=_STATUSES,
        form=filled,
    )


def _notices(mails: Mails, inquiries: Iterable[ContactInquiry]) -> dict[str, Mail]:
    """The notices of inquiries that do not name the address of theirs."""
    wanted = [inquiry.id for inquiry in inquiries if not inquiry.notified_email]
    found = mails.get_many(wanted)
    # A read that is not consistent misses a notice that was just made.
    return found | mails.get_many([each for each in wanted if each not in found], consistent=True)
