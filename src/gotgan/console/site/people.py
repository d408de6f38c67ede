"""The pages of users and their tokens: who works on the site, and with which role."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.binder import VerbForm, add_form
from gotgan.console.frame import page, redirect
from gotgan.console.gate import Form
from gotgan.console.given import Admin, Reader, Sent
from gotgan.console.site.articles import user_names
from gotgan.console.site.filled import Fields, Filled
from gotgan.console.site.given import TheSite, site_of
from gotgan.console.site.resource import ResourceList
from gotgan.console.site.saving import FormChange, change, create, removed
from gotgan.console.viewer import Viewer
from gotgan.domains.site.models import User
from gotgan.domains.site.roles import ROLES, Role, allows
from gotgan.domains.site.service import Site
from gotgan.domains.site.tokens import IssuedToken
from gotgan.store import Page
from gotgan.verbs import verbs_of

__all__ = [
    "address",
    "begin_user",
    "change_user",
    "create_token",
    "create_user",
    "delete_user",
    "read_user",
    "router",
    "show",
]

router = APIRouter()
_LIST: Final = "/site/people"
_NEW: Final = Fields.of("users.create")
_CHANGED: Final = Fields.to_change("users")
_TOKEN: Final = Fields.of("tokens.create")
_LIFE: Final = "90"
"""How many days a token lasts, unless somebody says otherwise."""


def _token_values(request: Request, found: Page[Any]) -> dict[str, Any]:
    return {"names": user_names(site_of(request), (token.user_id for token in found))}


ResourceList("users", path="people").add_to(router)
ResourceList("tokens", values=_token_values).add_to(router)


@router.get("/site/people/new")
def begin_user(request: Request, who: Admin) -> Response:
    """The form of a new user."""
    return _new(request, Filled.of(_NEW, None, who.zone))


@router.post("/site/people/new")
def create_user(request: Request, _who: Admin, form: Sent) -> Response:
    """Make a user; a token is made apart."""

    def make(fields: dict[str, Any]) -> Response:
        created: Any = fields
        user = site_of(request).users.create(**created)
        return redirect(address(user.id), said="site.people.created")

    def again(filled: Filled) -> Response:
        return _new(request, filled)

    return create(request, form, _NEW, make=make, show=again)


@router.get("/site/people/{user_id}")
def read_user(request: Request, _who: Reader, site: TheSite, user_id: str) -> Response:
    """A user; for admins with the forms to change it and the tokens."""
    return show(request, site.users.get(user_id, consistent=True))


@router.post("/site/people/{user_id}")
def change_user(request: Request, who: Admin, form: Sent, site: TheSite, user_id: str) -> Response:
    """Change a user."""
    planned = FormChange(
        _CHANGED,
        read=lambda: site.users.get(user_id, consistent=True),
        write=lambda fields, version: _update(site, user_id, fields, version, who),
        show=lambda filled: show(request, site.users.get(user_id, consistent=True), user=filled),
        done=lambda: redirect(address(user_id), said="site.saved"),
        gone=lambda filled: _new(request, replace(filled, fields=_NEW)),
        words={"role": {role: who.t(f"frame.role.{role}") for role in ROLES}},
    )
    return change(request, form, planned)


@router.post("/site/people/{user_id}/delete")
def delete_user(request: Request, who: Admin, form: Sent, site: TheSite, user_id: str) -> Response:
    """Delete a user with all tokens."""
    current = site.users.get(user_id, consistent=True)

    def delete(version: int | None) -> Response:
        site.users.delete(user_id, version=version, by=who.caller)
        return redirect(_LIST, said="site.people.deleted")

    def again(filled: Filled) -> Response:
        return show(request, current, user=filled)

    return removed(request, form, _CHANGED, current, delete=delete, show=again)


@router.post("/site/people/{user_id}/tokens")
def create_token(
    request: Request, _who: Admin, form: Sent, site: TheSite, user_id: str
) -> Response:
    """Make a token; its text is on the page that answers, and nowhere else."""
    user = site.users.get(user_id, consistent=True)

    def make(fields: dict[str, Any]) -> Response:
        return show(request, user, issued=site.tokens.create(**fields))

    def again(filled: Filled) -> Response:
        return show(request, user, token=replace(filled, marks={}))

    named = Form((*form.pairs, ("user_id", user_id)))
    return create(request, named, _TOKEN, make=make, show=again)


def show(
    request: Request,
    record: User,
    *,
    user: Filled | None = None,
    token: Filled | None = None,
    issued: IssuedToken | None = None,
) -> Response:
    """The page of a user, with forms that were not saved, or a token that is shown once."""
    who, site = Viewer.of(request), site_of(request)
    user = user or Filled.of(_CHANGED, record, who.zone)
    token = token or Filled(_TOKEN, {"role": record.role, "expires_in_days": _LIFE})
    return page(
        request,
        "site/person.html",
        status=max(user.status, token.status),
        person=record,
        address=address(record.id),
        form=user,
        token_form=token,
        tokens=site.tokens.of(record.id) if who.may("admin") else [],
        issued=issued,
        roles=_roles(who, "admin"),
        token_roles=_roles(who, record.role),
    )


def address(user_id: str) -> str:
    """Where the page of a user is."""
    return f"{_LIST}/{quote(user_id, safe='')}"


def _new(request: Request, filled: Filled) -> Response:
    roles = _roles(Viewer.of(request), "admin")
    return page(request, "site/person_new.html", status=filled.status, form=filled, roles=roles)


def _roles(who: Viewer, greatest: Role) -> list[tuple[str, str]]:
    """The roles up to one, as choices."""
    return [(role, who.t(f"frame.role.{role}")) for role in ROLES if allows(greatest, role)]


def _update(
    site: Site, user_id: str, fields: dict[str, Any], version: int | None, who: Viewer
) -> User:
    changes: Any = fields
    return site.users.update(user_id, changes, version=version, by=who.caller)


add_form(
    router,
    verbs_of(Site)["tokens.revoke"],
    VerbForm(
        f"{_LIST}/{{user_id}}/tokens/{{token_id}}/revoke",
        done=lambda token: (address(token.user_id), "site.tokens.revoked"),
    ),
)
