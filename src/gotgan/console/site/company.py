"""The page of the company, which says where notices of inquiries go."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Admin, Reader, Sent, app_of
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite, site_of
from gotgan.console.site.saving import Change, change
from gotgan.domains.site.bodies import CompanyBody
from gotgan.domains.site.models import CorpInfo

__all__ = ["change_company", "read_company", "router"]

router = APIRouter()


@router.get("/site/company")
def read_company(request: Request, who: Reader, site: TheSite) -> Response:
    """What there is to know about the company; admins write it here."""
    known = site.company.look(consistent=True)
    return _form(request, Filled.of(CompanyBody, known, who.zone), known)


@router.post("/site/company")
def change_company(request: Request, _who: Admin, form: Sent) -> Response:
    """Write the company for the first time, or change it."""
    verbs = site_of(request).company
    planned = Change(
        CompanyBody,
        read=lambda: verbs.look(consistent=True),
        write=lambda fields, version: verbs.write(fields, expected=version),
        show=lambda filled: _form(request, filled, verbs.look(consistent=True)),
        done=lambda: redirect("/site/company", said="site.saved"),
    )
    return change(request, form, planned)


def _form(request: Request, filled: Filled, known: CorpInfo | None) -> Response:
    app = app_of(request)
    return page(
        request,
        "site/company.html",
        status=filled.status,
        form=filled,
        company=known,
        has_server=app.settings.smtp is not None,
        waiting=app.site.mails.count_waiting(),
    )
