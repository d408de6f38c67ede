"""The pages of users: who works on the site, with which role and which tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Admin, Reader, Sent
from gotgan.console.listing import A_CALL, every
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite, site_of
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.console.site.saving import Change, change, create, removed
from gotgan.console.viewer import Viewer
from gotgan.domains.site.bodies import TokenNew, UserBody, UserNew
from gotgan.domains.site.models import User
from gotgan.domains.site.roles import ROLES, Role, allows
from gotgan.domains.site.tokens import Issued

__all__ = [
    "address",
    "begin_user",
    "change_user",
    "create_user",
    "delete_user",
    "list_users",
    "read_user",
    "router",
    "show",
    "users_file",
]

router = APIRouter()
_LIST: Final = "/site/people"
_LIFE: Final = "90"
"""How many days a token lasts, unless somebody says otherwise."""


@router.get("/site/people")
def list_users(
    request: Request, _who: Reader, site: TheSite, cursor: str | None = None
) -> Response:
    """The users, newest first."""
    listed = elsewhere("users")
    return page(
        request,
        "site/people.html",
        found=site.users.page(cursor=cursor),
        cursor=cursor,
        elsewhere=listed,
    )


@router.get("/site/users.csv")
def users_file(_who: Reader, site: TheSite) -> Response:
    """The users as a file."""
    found = every(lambda cursor: site.users.page(limit=A_CALL, cursor=cursor))
    return file_of("users", User, found)


@router.get("/site/people/new")
def begin_user(request: Request, who: Admin) -> Response:
    """The form of a new user."""
    return _new(request, Filled.of(UserNew, None, who.zone))


@router.post("/site/people/new")
def create_user(request: Request, _who: Admin, form: Sent) -> Response:
    """Make a user; a token is made apart."""

    def make(body: UserNew) -> Response:
        user = site_of(request).users.create(user_id=body.id, **body.fields())
        return redirect(address(user.id), said="site.people.created")

    def again(filled: Filled) -> Response:
        return _new(request, filled)

    return create(request, form, UserNew, make=make, show=again)


@router.get("/site/people/{user_id}")
def read_user(request: Request, _who: Reader, site: TheSite, user_id: str) -> Response:
    """A user; for admins with the forms to change it and the tokens."""
    return show(request, site.users.get(user_id, consistent=True))


@router.post("/site/people/{user_id}")
def change_user(request: Request, who: Admin, form: Sent, site: TheSite, user_id: str) -> Response:
    """Change a user."""
    by = _me(who)
    planned = Change(
        UserBody,
        read=lambda: site.users.get(user_id, consistent=True),
        write=lambda fields, version: site.users.change(user_id, fields, expected=version, by=by),
        show=lambda filled: show(request, site.users.get(user_id, consistent=True), user=filled),
        done=lambda: redirect(address(user_id), said="site.saved"),
        gone=lambda filled: _new(request, replace(filled, body=UserNew)),
        words={"role": {role: who.t(f"frame.role.{role}") for role in ROLES}},
    )
    return change(request, form, planned)


@router.post("/site/people/{user_id}/delete")
def delete_user(request: Request, who: Admin, form: Sent, site: TheSite, user_id: str) -> Response:
    """Delete a user with all tokens."""
    current = site.users.get(user_id, consistent=True)

    def delete(version: int | None) -> Response:
        site.users.remove(user_id, expected=version, by=_me(who))
        return redirect(_LIST, said="site.people.deleted")

    def again(filled: Filled) -> Response:
        return show(request, current, user=filled)

    return removed(request, form, UserBody, current, delete=delete, show=again)


def show(
    request: Request,
    record: User,
    *,
    user: Filled | None = None,
    token: Filled | None = None,
    issued: Issued | None = None,
) -> Response:
    """The page of a user, with forms that were not saved, or a token that is shown once."""
    who, site = Viewer.of(request), site_of(request)
    user = user or Filled.of(UserBody, record, who.zone)
    token = token or Filled(TokenNew, {"role": record.role, "expires_in_days": _LIFE})
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


def _me(who: Viewer) -> str | None:
    return who.caller.user.id if who.caller else None
