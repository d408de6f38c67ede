"""The pages of mails: what waits and why, and what was sent to whom."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Editor, Gotgan, Reader, Sent, app_of
from gotgan.console.listing import A_CALL, every
from gotgan.console.site.delivery import Delivery
from gotgan.console.site.given import TheSite
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.domains.site.models import Mail
from gotgan.errors import Conflict

__all__ = ["list_mails", "mails_file", "read_mail", "retry_mail", "router"]

router = APIRouter()
_WAITING: Final = "waiting"


@router.get("/site/mails")
def list_mails(
    request: Request, _who: Reader, app: Gotgan, show: str = "", cursor: str | None = None
) -> Response:
    """All mails, newest first, or those that wait, those that are due first."""
    if show not in {"", _WAITING}:
        raise HTTPException(404)
    mails = app.site.mails
    return page(
        request,
        "site/mails.html",
        found=(mails.waiting_page if show else mails.page)(cursor=cursor),
        delivery=Delivery.of(app),
        shows=("", _WAITING),
        chosen=show,
        cursor=cursor,
        elsewhere=elsewhere("mails"),
    )


@router.get("/site/mails.csv")
def mails_file(_who: Reader, site: TheSite) -> Response:
    """The mails as a file."""
    found = every(lambda cursor: site.mails.page(limit=A_CALL, cursor=cursor))
    return file_of("mails", Mail, found)


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
