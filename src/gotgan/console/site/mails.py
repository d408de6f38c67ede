"""The pages of mails: what waits and why, what was sent to whom, and the button that sends."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.binder import VerbForm, VerbForms
from gotgan.console.frame import here, page, redirect
from gotgan.console.given import Editor, Gotgan, Reader, Sent, app_of
from gotgan.console.runs import RunCard
from gotgan.console.site.delivery import MailDelivery
from gotgan.console.site.given import TheSite
from gotgan.console.site.resource import ResourceList
from gotgan.domains.site.models import Mail
from gotgan.domains.site.service import Site
from gotgan.errors import Conflict
from gotgan.store import Page

__all__ = [
    "read_mail",
    "retry_mail",
    "router",
    "sending",
]

router = APIRouter()
sending = VerbForms(
    Site,
    {"send_mails": VerbForm()},
    by_hand=("adopt",),  # a job of the schedule, with its button there
).router
"""What goes on after its answer, which a function of the cloud does not."""
_WAITING: Final = "waiting"
_SEND: Final = "site.send_mails"


def _values(request: Request, _found: Page[Any]) -> dict[str, Any]:
    app = app_of(request)
    return {
        "delivery": MailDelivery.of(app),
        "shows": ("", _WAITING),
        "send": _sending(request, app),
    }


ResourceList("mails", values=_values).add_to(router)


@router.get("/site/mails/{record_id}")
def read_mail(request: Request, _who: Reader, site: TheSite, record_id: str) -> Response:
    """A mail."""
    return _show(request, site.mails.get(record_id, consistent=True))


@router.post("/site/mails/{record_id}/retry")
def retry_mail(request: Request, who: Editor, _form: Sent, app: Gotgan, record_id: str) -> Response:
    """Have a mail tried again now, unless it is known what keeps it from being sent."""
    mail = app.site.mails.get(record_id, consistent=True)
    hindrance = MailDelivery.of(app).hindrance(mail)
    if hindrance is not None:
        return _show(request, mail, refusal=who.t(hindrance))
    try:
        app.site.mails.retry(record_id)
    except Conflict as refusal:
        return _show(request, mail, refusal=refusal.message)
    return redirect(f"/site/mails?show={_WAITING}", said="site.mails.hastened")


def _sending(request: Request, app: App) -> RunCard | None:
    """How the sending stands; None where it is done elsewhere."""
    if "market" not in request.app.state.domains:
        return None
    return RunCard.of(app, _SEND, here(request, cursor=None))


def _show(request: Request, mail: Mail, *, refusal: str | None = None) -> Response:
    status = 200 if refusal is None else 409
    return page(
        request,
        "site/mail.html",
        status=status,
        mail=mail,
        delivery=MailDelivery.of(app_of(request)),
        refusal=refusal,
    )
