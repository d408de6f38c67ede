"""The page of the company, which says where notices of inquiries go."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter
from pydantic import BaseModel, Field, create_model
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Admin, Reader, Sent, app_of
from gotgan.console.site.filled import Fields, Filled
from gotgan.console.site.given import TheSite, site_of
from gotgan.console.site.saving import FormChange, change
from gotgan.domains.site.additional import MAX_ATTRIBUTES, writable
from gotgan.domains.site.company import Company
from gotgan.domains.site.models import CorpInfo
from gotgan.domains.site.params import AttributeName, Line

__all__ = ["change_company", "read_company", "router"]

router = APIRouter()


_More = Annotated[dict[AttributeName, Line], Field(max_length=MAX_ATTRIBUTES)] | None


def _with_more(fields: type[BaseModel]) -> type[BaseModel]:
    """The fields of the company, and its additional attributes: one field, a line for each."""
    return create_model(f"{fields.__name__}_form", __base__=fields, more=(_More, None))


_BARE: Final = Fields.to_change("company")
_FIELDS: Final = Fields(_with_more(_BARE.whole), _with_more(_BARE.some or _BARE.whole))


@router.get("/site/company")
def read_company(request: Request, who: Reader, site: TheSite) -> Response:
    """What there is to know about the company; admins write it here."""
    known = site.company.look(consistent=True)
    return _form(request, Filled.of(_FIELDS, known, who.zone), known)


@router.post("/site/company")
def change_company(request: Request, _who: Admin, form: Sent) -> Response:
    """Write the company for the first time, or change it."""
    verbs = site_of(request).company
    planned = FormChange(
        _FIELDS,
        read=lambda: verbs.look(consistent=True),
        write=lambda fields, version: _write(verbs, fields, version),
        show=lambda filled: _form(request, filled, verbs.look(consistent=True)),
        done=lambda: redirect("/site/company", said="site.saved"),
    )
    return change(request, form, planned)


def _write(company: Company, fields: dict[str, Any], version: int | None) -> object:
    """Write what a form changed; an additional attribute whose line was deleted is removed."""
    known = company.look(consistent=True)
    before = writable(known.more) if known and "more" in fields else {}
    more = {**dict.fromkeys(before), **(fields.pop("more", None) or {})}
    changes: Any = fields
    if version is None:
        return company.replace(changes, more=more)
    return company.update(changes, more=more, version=version)


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
