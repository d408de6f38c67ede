"""What a request must have before a page deals with it: an origin, a role, an honest form.

What asks nobody else is a coroutine: to hand it to a thread would take longer than it does itself.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import parse_qsl, quote, urlsplit

from fastapi import Depends, HTTPException
from starlette.requests import Request

from gotgan.console.viewer import Viewer, viewer
from gotgan.domains.site.roles import Role

__all__ = [
    "Form",
    "checked_form",
    "expect_own",
    "local_path",
    "read_form",
    "same_origin",
    "signed_in",
]

_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_LARGEST: Final = 1_500_000
"""The largest item, all Korean, with each of its bytes written as three."""
_MOST_FIELDS: Final = 1000
_FORM: Final = "application/x-www-form-urlencoded"


_UNSEEN: Final = re.compile(r"(csrf|version|zone|seen|code|token)$|was-")
"""The names of fields that nobody fills in by hand, or nobody should see again."""


@dataclass(frozen=True)
class Form:
    """What somebody filled in."""

    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def typed(self) -> list[tuple[str, str]]:
        """What somebody typed: not what goes along unseen."""
        return [(name, text) for name, text in self.pairs if text and not _UNSEEN.match(name)]

    def text(self, name: str, otherwise: str = "") -> str:
        """The value of a field; lines end as they do everywhere else, not as browsers send them."""
        return next(iter(self.every(name)), otherwise)

    def every(self, name: str) -> list[str]:
        """All values of a field that may come more than once."""
        return [value.replace("\r\n", "\n") for each, value in self.pairs if each == name]

    def __contains__(self, name: str) -> bool:
        return any(each == name for each, _ in self.pairs)


async def same_origin(request: Request) -> None:
    """Refuse a write that a page of another site sent.

    Browsers say where a request comes from, and pages cannot forge it; a program that is no browser
    says nothing, and has no cookies of ours that another could use.
    """
    if request.method in _READING:
        return
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.url.netloc
    if foreign or site not in {"same-origin", "none"}:
        raise HTTPException(403, "frame.error.cross_site")


def signed_in(needed: Role) -> Callable[[Request, Viewer], Awaitable[Viewer]]:
    """A dependency: somebody with this role, or the way to the sign-in page."""

    async def dependency(request: Request, who: Annotated[Viewer, Depends(viewer)]) -> Viewer:
        if who.caller is None:
            raise _sign_in_first(request)
        if not who.may(needed):
            raise HTTPException(403, "frame.error.role")
        return who

    return dependency


async def read_form(request: Request) -> Form:
    """The form of a request, read no further than a form of ours can be long."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != _FORM:
        raise HTTPException(415)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST:
            raise HTTPException(413)
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except ValueError:
        raise HTTPException(400) from None
    form = request.state.form = Form(tuple(pairs))
    return form


async def checked_form(
    form: Annotated[Form, Depends(read_form)], who: Annotated[Viewer, Depends(viewer)]
) -> Form:
    """The form of a request that came from a page of the same session."""
    expect_own(form, who)
    return form


def expect_own(form: Form, who: Viewer) -> None:
    """Refuse a form that no page of this session sent."""
    if not hmac.compare_digest(form.text("csrf").encode(), who.csrf.encode()):
        raise HTTPException(403, "frame.error.stale_form")


def local_path(text: str | None) -> str:
    r"""The path if it leads to a page of ours, or else the front page.

    Browsers take ``//host`` and ``/\host`` for another site, and skip tabs and line ends.
    """
    plain = text is not None and text.isprintable() and "\\" not in text
    return text if text and plain and text[0] == "/" and text[1:2] != "/" else "/"


def _sign_in_first(request: Request) -> HTTPException:
    """The way to the sign-in page, and back; nobody who writes is led away from their words."""
    if request.method not in _READING:
        return HTTPException(401)
    if request.headers.get("hx-request") == "true":
        shown = urlsplit(request.headers.get("hx-current-url", "/"))
        return HTTPException(401, headers={"HX-Redirect": _sign_in(shown.path, shown.query)})
    location = _sign_in(request.url.path, request.url.query)
    return HTTPException(303, headers={"Location": location})


def _sign_in(path: str, query: str) -> str:
    return f"/sign-in?next={quote(f'{path}?{query}' if query else path, safe='/')}"
