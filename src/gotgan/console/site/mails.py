"""The pages of mails: what waits and why, and what was sent to whom."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.site.given import Editor, Gotgan, Reader, Sent, TheSite
from gotgan.console.site.listing import A_CALL, as_csv, elsewhere, every
from gotgan.domains.site.mails import AT_ONCE
from gotgan.domains.site.models import Mail
from gotgan.errors import Conflict

__all__ = ["list_mails", "mails_file", "read_mail", "retry_mail", "router"]

router = APIRouter()


@router.get("/site/mails")
def list_mails(request: Request, _who: Reader, app: Gotgan, cursor: str | None = None) -> Response:
    """The mails that wait, and all mails, newest first."""
    return page(
        request,
        "site/mails.html",
        waiting=app.site.mails.waiting(),
        most=AT_ONCE,
        found=app.site.mails.page(cursor=cursor),
        has_server=app.settings.smtp is not None,
        cursor=cursor,
        elsewhere=elsewhere("mails"),
    )


@router.get("/site/mails.csv")
def mails_file(_who: Reader, site: TheSite) -> Response:
    """The mails as a file."""
    found = every(lambda cursor: site.mails.page(limit=A_CALL, cursor=cursor))
    return as_csv("mails", Mail, found)


@router.get("/site/mails/{mail_id}")
def read_mail(request: Request, _who: Reader, site: TheSite, mail_id: str) -> Response:
    """A mail."""
    return _show(request, site.mails.get(mail_id, consistent=True))


@router.post("/site/mails/{mail_id}/retry")
def retry_mail(
    request: Request, _who: Editor, _form: Sent, site: TheSite, mail_id: str
) -> Response:
    """Have a mail tried again now."""
    try:
        site.mails.retry(mail_id)
    except Conflict as refusal:
        mail = site.mails.get(mail_id, consistent=True)
        return _show(request, mail, refusal=refusal.message)
    return redirect("/site/mails", said="site.mails.hastened")


def _show(request: Request, mail: Mail, *, refusal: str | None = None) -> Response:
    status = 200 if refusal is None else 409
    return page(request, "site/mail.html", status=status, mail=mail, refusal=refusal)
