"""The page of the company, which says where notices of inquiries go."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Admin, Reader, Sent, app_of
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite, site_of
from gotgan.console.site.saving import Change, change
from gotgan.domains.site.additional import MAX_ATTRIBUTES, writable
from gotgan.domains.site.bodies import AttributeName, CompanyBody, Line
from gotgan.domains.site.company import Company
from gotgan.domains.site.models import CorpInfo

__all__ = ["CompanyForm", "change_company", "read_company", "router"]

router = APIRouter()


class CompanyForm(CompanyBody):
    """The form of the company: its additional attributes stand in one field, a line for each."""

    more: Annotated[dict[AttributeName, Line], Field(max_length=MAX_ATTRIBUTES)] | None = None


@router.get("/site/company")
def read_company(request: Request, who: Reader, site: TheSite) -> Response:
    """What there is to know about the company; admins write it here."""
    known = site.company.look(consistent=True)
    return _form(request, Filled.of(CompanyForm, known, who.zone), known)


@router.post("/site/company")
def change_company(request: Request, _who: Admin, form: Sent) -> Response:
    """Write the company for the first time, or change it."""
    verbs = site_of(request).company
    planned = Change(
        CompanyForm,
        read=lambda: verbs.look(consistent=True),
        write=lambda fields, version: verbs.write(_changes(fields, verbs), expected=version),
        show=lambda filled: _form(request, filled, verbs.look(consistent=True)),
        done=lambda: redirect("/site/company", said="site.saved"),
    )
    return change(request, form, planned)


def _changes(fields: dict[str, Any], company: Company) -> dict[str, Any]:
    """What a form changes; an additional attribute whose line was deleted is removed."""
    if "more" not in fields:
        return fields
    known = company.look(consistent=True)
    before = writable(known.more) if known else {}
    told = {name: value for name, value in fields.items() if name != "more"}
    return {**told, **dict.fromkeys(before), **(fields["more"] or {})}


def _form(request: Request, filled: Filled, known: CorpInfo | None) -> Response:
    app, more = app_of(request), known.more if known else {}
    return page(
        request,
        "site/company.html",
        status=filled.status,
        form=filled,
        company=known,
        fixed=[(name, value) for name, value in more.items() if name not in writable(more)],
        has_server=app.settings.smtp is not None,
        waiting=app.site.mails.count_waiting(),
    )
