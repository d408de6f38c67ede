"""The page of the company, with the address for notices of inquiries."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter
from pydantic import BaseModel, Field, create_model
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.session import Admin, Reader, SentForm, app_of
from gotgan.console.site.changes import FormChange, change_record
from gotgan.console.site.forms import FormFields, RecordForm
from gotgan.console.site.resource import CurrentSite, site_of
from gotgan.domains.site.models import CorpInfo
from gotgan.domains.site.params import MAX_ATTRIBUTES, AttributeName, Line, writable_attributes
from gotgan.domains.site.resources import Company

router = APIRouter()


_AdditionalAttributes = (
    Annotated[dict[AttributeName, Line], Field(max_length=MAX_ATTRIBUTES)] | None
)


def _with_attributes(fields: type[BaseModel]) -> type[BaseModel]:
    """The fields of the company, and one field for its additional attributes."""
    return create_model(
        f"{fields.__name__}_form", __base__=fields, more=(_AdditionalAttributes, None)
    )


_OWN_FIELDS: Final = FormFields.to_change("company")
_FIELDS: Final = FormFields(
    _with_attributes(_OWN_FIELDS.whole), _with_attributes(_OWN_FIELDS.some or _OWN_FIELDS.whole)
)


@router.get("/site/company")
def read_company(request: Request, who: Reader, site: CurrentSite) -> Response:
    """The company, with a form for admins."""
    known = site.company.look(consistent=True)
    return _form(request, RecordForm.of(_FIELDS, known, who.zone), known)


@router.post("/site/company")
def change_company(request: Request, _who: Admin, form: SentForm) -> Response:
    """Create or change the company."""
    verbs = site_of(request).company
    planned = FormChange(
        _FIELDS,
        read=lambda: verbs.look(consistent=True),
        write=lambda fields, version: _write(verbs, fields, version),
        show=lambda filled: _form(request, filled, verbs.look(consistent=True)),
        done=lambda: redirect("/site/company", notice="site.saved"),
    )
    return change_record(request, form, planned)


def _write(company: Company, fields: dict[str, Any], version: int | None) -> object:
    """Write the changes of a form; an additional attribute without a line is removed."""
    known = company.look(consistent=True)
    before = writable_attributes(known.more) if known and "more" in fields else {}
    more = {**dict.fromkeys(before), **(fields.pop("more", None) or {})}
    changes: Any = fields
    if version is None:
        return company.replace(changes, more=more)
    return company.update(changes, more=more, version=version)


def _form(request: Request, filled: RecordForm, known: CorpInfo | None) -> Response:
    app, more = app_of(request), known.more if known else {}
    writable = writable_attributes(more)
    return page(
        request,
        "site/company.html",
        status=filled.status,
        form=filled,
        company=known,
        fixed=[(name, value) for name, value in more.items() if name not in writable],
        has_server=app.settings.smtp is not None,
        waiting=app.site.mails.count_waiting(),
    )
