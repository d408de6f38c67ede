"""The caller: a token in ``Authorization``, or for reading the session of the console."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from starlette.requests import Request

from gotgan.api import messages
from gotgan.app import App
from gotgan.domains.site.auth import SESSION_COOKIE
from gotgan.domains.site.messages import role_word
from gotgan.domains.site.models import Caller, Role, allows
from gotgan.errors import Forbidden, Unauthenticated

_READ_METHODS: Final = frozenset({"GET", "HEAD"})


def get_app(request: Request) -> App:
    """The app that the server serves."""
    app: App = request.app.state.gotgan
    return app


@cache
def require_role(role: Role) -> Callable[[Request], None]:
    """A check that the caller has at least this role."""

    def check(request: Request) -> None:
        caller = _authenticate(request)
        if not allows(caller.role, role):
            needed, own = role_word(role), role_word(caller.role)
            raise Forbidden(messages.ROLE_NEEDED(needed=needed, role=own))
        request.state.caller = caller

    return check


def get_caller(request: Request) -> Caller:
    """The caller of a route that needs a role."""
    caller: Caller = request.state.caller
    return caller


def get_role(request: Request) -> Role | None:
    """The role of the caller of a public route; None without a credential."""
    caller = optional_caller(request)
    return None if caller is None else caller.role


def optional_caller(request: Request) -> Caller | None:
    """The caller of a public route; None without a credential."""
    if _credential(request) is None:
        return None
    try:
        return _authenticate(request)
    except Unauthenticated:
        if "authorization" in request.headers:
            raise
        return None  # the cookie of a session that has ended, which browsers send along


def _authenticate(request: Request) -> Caller:
    text = _credential(request)
    if text is None:
        raise Unauthenticated(messages.TOKEN_NEEDED())
    return get_app(request).site.tokens.authenticate(text)


def _credential(request: Request) -> str | None:
    """A session can only read: a page elsewhere could make a browser send it."""
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, text = header.partition(" ")
        return text.strip() if scheme.lower() == "bearer" else ""
    return request.cookies.get(SESSION_COOKIE) if request.method in _READ_METHODS else None
