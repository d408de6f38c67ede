"""The pages of users and their tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.binder import VerbForm, add_form
from gotgan.console.frame import page, redirect
from gotgan.console.session import Admin, Form, Reader, SentForm, Viewer
from gotgan.console.site.articles import user_names
from gotgan.console.site.changes import FormChange, change_record, create_record, delete_record
from gotgan.console.site.forms import FormFields, RecordForm
from gotgan.console.site.resource import CurrentSite, ResourceList, site_of
from gotgan.domains.site.auth import IssuedToken
from gotgan.domains.site.models import ROLES, Role, User, allows
from gotgan.domains.site.service import Site
from gotgan.store import Page
from gotgan.verbs import verbs_of

router = APIRouter()
_LIST_PATH: Final = "/site/people"
_NEW_FIELDS: Final = FormFields.of("users.create")
_CHANGE_FIELDS: Final = FormFields.to_change("users")
_TOKEN_FIELDS: Final = FormFields.of("tokens.create")
_DEFAULT_DAYS: Final = "90"
"""The default life of a token."""


def _token_values(request: Request, found: Page[Any]) -> dict[str, Any]:
    return {"names": user_names(site_of(request), (token.user_id for token in found))}


ResourceList("users", path="people").add_to(router)
ResourceList("tokens", values=_token_values).add_to(router)


@router.get("/site/people/new")
def begin_user(request: Request, who: Admin) -> Response:
    """The form of a new user."""
    return _show_new_user(request, RecordForm.of(_NEW_FIELDS, None, who.zone))


@router.post("/site/people/new")
def create_user(request: Request, _who: Admin, form: SentForm) -> Response:
    """Create a user; tokens are created separately."""

    def make(fields: dict[str, Any]) -> Response:
        created: Any = fields
        user = site_of(request).users.create(**created)
        return redirect(_user_path(user.id), notice="site.people.created")

    show = partial(_show_new_user, request)
    return create_record(request, form, _NEW_FIELDS, make=make, show=show)


@router.get("/site/people/{user_id}")
def read_user(request: Request, _who: Reader, site: CurrentSite, user_id: str) -> Response:
    """A user; for admins with the forms to change it and the tokens."""
    return _show_user(request, site.users.get(user_id, consistent=True))


@router.post("/site/people/{user_id}")
def change_user(
    request: Request, who: Admin, form: SentForm, site: CurrentSite, user_id: str
) -> Response:
    """Change a user."""
    read = partial(site.users.get, user_id, consistent=True)
    update: Callable[..., User] = partial(site.users.update, user_id, by=who.caller)
    planned = FormChange(
        _CHANGE_FIELDS,
        read=read,
        write=lambda fields, version: update(fields, version=version),
        show=lambda filled: _show_user(request, read(), user=filled),
        done=lambda: redirect(_user_path(user_id), notice="site.saved"),
        gone=lambda filled: _show_new_user(request, replace(filled, fields=_NEW_FIELDS)),
        words={"role": dict(who.options("frame.role", ROLES))},
    )
    return change_record(request, form, planned)


@router.post("/site/people/{user_id}/delete")
def delete_user(
    request: Request, who: Admin, form: SentForm, site: CurrentSite, user_id: str
) -> Response:
    """Delete a user with all tokens."""
    current = site.users.get(user_id, consistent=True)

    def delete(version: int | None) -> Response:
        site.users.delete(user_id, version=version, by=who.caller)
        return redirect(_LIST_PATH, notice="site.people.deleted")

    def show(filled: RecordForm) -> Response:
        return _show_user(request, current, user=filled)

    return delete_record(request, form, _CHANGE_FIELDS, current, delete=delete, show=show)


@router.post("/site/people/{user_id}/tokens")
def create_token(
    request: Request, _who: Admin, form: SentForm, site: CurrentSite, user_id: str
) -> Response:
    """Create a token; its text is shown once, on the page of the response."""
    user = site.users.get(user_id, consistent=True)

    def make(fields: dict[str, Any]) -> Response:
        return _show_user(request, user, issued=site.tokens.create(**fields))

    def again(filled: RecordForm) -> Response:
        return _show_user(request, user, token=replace(filled, marks={}))

    named = Form((*form.pairs, ("user_id", user_id)))
    return create_record(request, named, _TOKEN_FIELDS, make=make, show=again)


def _show_user(
    request: Request,
    record: User,
    *,
    user: RecordForm | None = None,
    token: RecordForm | None = None,
    issued: IssuedToken | None = None,
) -> Response:
    """The page of a user, with forms that were not saved, or the text of a new token."""
    who, site = Viewer.of(request), site_of(request)
    user = user or RecordForm.of(_CHANGE_FIELDS, record, who.zone)
    token = token or RecordForm(
        _TOKEN_FIELDS, {"role": record.role, "expires_in_days": _DEFAULT_DAYS}
    )
    return page(
        request,
        "site/person.html",
        status=max(user.status, token.status),
        person=record,
        address=_user_path(record.id),
        form=user,
        token_form=token,
        tokens=site.tokens.for_user(record.id) if who.may("admin") else [],
        issued=issued,
        roles=_role_options(who, "admin"),
        token_roles=_role_options(who, record.role),
    )


def _user_path(user_id: str) -> str:
    return f"{_LIST_PATH}/{quote(user_id, safe='')}"


def _show_new_user(request: Request, filled: RecordForm) -> Response:
    roles = _role_options(Viewer.of(request), "admin")
    return page(request, "site/person_new.html", status=filled.status, form=filled, roles=roles)


def _role_options(who: Viewer, greatest: Role) -> list[tuple[str, str]]:
    """The roles up to one as options."""
    return who.options("frame.role", [role for role in ROLES if allows(greatest, role)])


add_form(
    router,
    verbs_of(Site)["tokens.revoke"],
    VerbForm(
        "/site/people/{user_id}/tokens/{token_id}/revoke",
        done=lambda token: (_user_path(token.user_id), "site.tokens.revoked"),
    ),
)
