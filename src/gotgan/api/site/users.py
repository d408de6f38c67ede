"""``/v1/users`` and ``/v1/me``: who works on the site; admins write users, all their own page."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Consistent, Listing, asked, page_data, refuse_consistent
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.versions import expected_version, one
from gotgan.api.who import app_of, caller_of
from gotgan.domains.site.bodies import PreferencesBody, UserBody, UserNew, patch_of
from gotgan.domains.site.models import User
from gotgan.domains.site.showing import shown
from gotgan.domains.site.tokens import Caller

__all__ = [
    "change_user",
    "create_user",
    "delete_user",
    "list_users",
    "read_user",
    "replace_user",
    "router",
    "set_preferences",
    "who_am_i",
]

router = APIRouter(tags=["users"], route_class=StrictJson)
_Patch: Any = patch_of(UserBody)
_Preferences: Any = patch_of(PreferencesBody)


@router.get(
    "/me",
    **declared("Ask who you are", gives="Me", role="viewer"),
)
def who_am_i(request: Request) -> Response:
    """The user and the token that this request came with, and the role that counts."""
    caller = caller_of(request)
    return _me(caller, caller.user)


@router.patch(
    "/me",
    **declared("Set your preferences", gives="Me", role="viewer", fails=(400, 404), body=True),
)
def set_preferences(request: Request, body: _Preferences) -> Response:
    """Set the zone and the language that pages use for you; null removes a choice."""
    caller = caller_of(request)
    users = app_of(request).site.users
    return _me(caller, users.set_preferences(caller.user.id, body.fields()))


@router.get(
    "/users", **declared("List users", gives="UserPage", role="viewer", fails=(400,), query=Listing)
)
def list_users(request: Request) -> Response:
    """Users, newest first."""
    listing = asked(request, Listing)
    refuse_consistent(listing.consistent)
    users = app_of(request).site.users
    return ok(page_data(users.page(limit=listing.limit, cursor=listing.cursor)))


@router.post(
    "/users",
    **declared("Make a user", gives="User", role="admin", status=201, fails=(409,), body=True),
)
def create_user(request: Request, body: UserNew) -> Response:
    """Make a user; a token is made apart."""
    users = app_of(request).site.users
    return one(request, users.create(user_id=body.id, **body.fields()), status=201)


@router.get(
    "/users/{user_id}",
    **declared("Read a user", gives="User", role="viewer", fails=(404,), cached=True),
)
def read_user(
    request: Request,
    user_id: RecordId,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
) -> Response:
    """A user."""
    return one(request, app_of(request).site.users.get(user_id, consistent=consistent))


@router.put(
    "/users/{user_id}",
    **declared(
        "Replace a user", gives="User", role="admin", fails=(400, 404, 409, 412, 428), body=True
    ),
)
def replace_user(request: Request, user_id: RecordId, body: UserBody) -> Response:
    """Write all fields of a user anew."""
    return _change(request, user_id, body)


@router.patch(
    "/users/{user_id}",
    **declared(
        "Change a user", gives="User", role="admin", fails=(400, 404, 409, 412, 428), body=True
    ),
)
def change_user(request: Request, user_id: RecordId, body: _Patch) -> Response:
    """Change some fields of a user."""
    return _change(request, user_id, body)


@router.delete(
    "/users/{user_id}",
    **declared("Delete a user", gives="Nothing", role="admin", fails=(400, 404, 409, 412)),
)
def delete_user(request: Request, user_id: RecordId) -> Response:
    """Delete a user with all tokens; nobody deletes their own account."""
    expected = expected_version(request, required=False)
    by = caller_of(request).user.id
    app_of(request).site.users.remove(user_id, expected=expected, by=by)
    return ok(None)


def _me(caller: Caller, user: User) -> Response:
    return ok({"user": shown(user), "token": shown(caller.token), "role": caller.role})


def _change(request: Request, user_id: str, body: Any) -> Response:
    expected = expected_version(request, body.version)
    by = caller_of(request).user.id
    users = app_of(request).site.users
    return one(request, users.change(user_id, body.fields(), expected=expected, by=by))
