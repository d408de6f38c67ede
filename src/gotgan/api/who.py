"""Who asks: a token in ``Authorization``, or for reading the session of the console."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from starlette.requests import Request

from gotgan.app import App
from gotgan.domains.site.models import Caller
from gotgan.domains.site.roles import Role, allows
from gotgan.domains.site.tokens import SESSION_COOKIE
from gotgan.errors import Forbidden, Unauthenticated

__all__ = ["app_of", "caller_if_any", "caller_of", "needs", "role_of"]

_READING: Final = frozenset({"GET", "HEAD"})


def app_of(request: Request) -> App:
    """The app that the server serves."""
    app: App = request.app.state.gotgan
    return app


@cache
def needs(role: Role) -> Callable[[Request], None]:
    """A check that whoever asks has at least this role."""

    def check(request: Request) -> None:
        caller = _authenticate(request)
        if not allows(caller.role, role):
            raise Forbidden(f"this takes the role {role}, and this token has {caller.role}")
        request.state.caller = caller

    return check


def caller_of(request: Request) -> Caller:
    """Who asks, of a route that needs a role."""
    caller: Caller = request.state.caller
    return caller


def role_of(request: Request) -> Role | None:
    """The role of whoever asks, where nobody must say who they are; None is the public."""
    caller = caller_if_any(request)
    return None if caller is None else caller.role


def caller_if_any(request: Request) -> Caller | None:
    """Who asks, where nobody must say who they are; None is the public."""
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
        raise Unauthenticated(
            "say who you are: Authorization: Bearer and a token, which gotgan site tokens create "
            "or an admin makes"
        )
    return app_of(request).site.tokens.authenticate(text)


def _credential(request: Request) -> str | None:
    """A session only reads: a page elsewhere could make a browser send it along."""
    header = request.headers.get("authorization")
    if header is not None:
        scheme, _, text = header.partition(" ")
        return text.strip() if scheme.lower() == "bearer" else ""
    return request.cookies.get(SESSION_COOKIE) if request.method in _READING else None
