"""The pages of mails: what waits and why, what was sent to whom, and the button that sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import here, page, redirect
from gotgan.console.gate import local_path
from gotgan.console.given import Editor, Gotgan, Reader, Sent, app_of
from gotgan.console.listing import A_CALL, every
from gotgan.console.runs import RunCard, show_cards
from gotgan.console.site.delivery import Delivery
from gotgan.console.site.given import TheSite
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.domains.site.models import Mail
from gotgan.domains.site.running import SEND_MAILS_VERB, start_send_mails
from gotgan.domains.site.service import Site
from gotgan.errors import Conflict
from gotgan.store import Page

__all__ = [
    "list_mails",
    "mails_file",
    "read_mail",
    "retry_mail",
    "router",
    "send_mails",
    "sending",
    "show_runs",
]

router = APIRouter()
sending = APIRouter()
"""What goes on after its answer, which a function of the cloud does not."""
_WAITING: Final = "waiting"


@router.get("/site/mails")
def list_mails(
    request: Request, _who: Reader, app: Gotgan, show: str = "", cursor: str | None = None
) -> Response:
    """All mails, newest first, or those that wait, those that are due first."""
    read = _reader(app.site, show)
    return page(
        request,
        "site/mails.html",
        found=read(cursor=cursor),
        delivery=Delivery.of(app),
        shows=("", _WAITING),
        chosen=show,
        cursor=cursor,
        send=_sending(request, app),
        elsewhere=elsewhere("mails", show=show),
    )


@router.get("/site/mails.csv")
def mails_file(_who: Reader, site: TheSite, show: str = "") -> Response:
    """The same mails as a file."""
    read = _reader(site, show)
    return file_of("mails", Mail, every(lambda cursor: read(limit=A_CALL, cursor=cursor)))


@sending.get("/site/runs")
def show_runs(request: Request, _who: Reader, app: Gotgan, back: str = "/site/mails") -> Response:
    """How the sending stands."""
    return show_cards(
        request, "site/runs.html", [RunCard.of(app, SEND_MAILS_VERB, local_path(back))]
    )


@sending.post("/site/send-mails")
def send_mails(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to send the mails that are due; one that is under way is joined."""
    start_send_mails(app.runs, app.site.mails)
    return redirect(local_path(form.text("back")), said="site.mails.begun")


@router.get("/site/mails/{mail_id}")
def read_mail(request: Request, _who: Reader, site: TheSite, mail_id: str) -> Response:
    """A mail."""
    return _show(request, site.mails.get(mail_id, consistent=True))


@router.post("/site/mails/{mail_id}/retry")
def retry_mail(request: Request, who: Editor, _form: Sent, app: Gotgan, mail_id: str) -> Response:
    """Have a mail tried again now, unless it is known what keeps it from being sent."""
    mail = app.site.mails.get(mail_id, consistent=True)
    hindrance = Delivery.of(app).hindrance(mail)
    if hindrance is not None:
        return _show(request, mail, refusal=who.t(hindrance))
    try:
        app.site.mails.retry(mail_id)
    except Conflict as refusal:
        return _show(request, mail, refusal=refusal.message)
    return redirect(f"/site/mails?show={_WAITING}", said="site.mails.hastened")


def _sending(request: Request, app: App) -> RunCard | None:
    """How the sending stands; None where it is done elsewhere."""
    if "market" not in request.app.state.domains:
        return None
    return RunCard.of(app, SEND_MAILS_VERB, here(request, cursor=None))


def _reader(site: Site, show: str) -> Callable[..., Page[Mail]]:
    """What reads the mails that an address asks for."""
    if show not in {"", _WAITING}:
        raise HTTPException(404)
    return site.mails.waiting_page if show else site.mails.page


def _show(request: Request, mail: Mail, *, refusal: str | None = None) -> Response:
    status = 200 if refusal is None else 409
    return page(
        request,
        "site/mail.html",
        status=status,
        mail=mail,
        delivery=Delivery.of(app_of(request)),
        refusal=refusal,
    )
