"""The page around every page: who looks at it, where they are, and what was just done."""

from __future__ import annotations

from functools import cache, partial
from typing import Any, Final
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Match

from gotgan.app import App
from gotgan.console.headers import content_policy
from gotgan.console.rendering import render
from gotgan.console.sections import visible
from gotgan.console.texts import LANGUAGES, catalogue
from gotgan.console.viewer import THEMES, Viewer

__all__ = ["back_of", "forget", "fragment_of", "here", "page", "redirect", "remember"]

_SAID: Final = "gotgan_said"
"""The cookie that holds the key of what the next page says was done."""
_SAID_SECONDS: Final = 60
_YEAR: Final = 365 * 24 * 3600


def page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    foreign_images: bool = False,
    **context: Any,
) -> HTMLResponse:
    """A template as an answer: whole, or the fragment that htmx asked for."""
    fragment = fragment_of(request)
    said = None if fragment else _said(request)
    names = {**_surroundings(request, Viewer.of(request)), "said": said, **context}
    response = HTMLResponse(render(template, names, fragment), status)
    response.headers["Content-Security-Policy"] = content_policy(foreign_images=foreign_images)
    response.headers["Vary"] = "Cookie, Accept-Language, HX-Request, HX-Target"
    if said:
        response.delete_cookie(_SAID)
    return response


def redirect(path: str, *, said: str | None = None) -> RedirectResponse:
    """Go and see another page, which says what was done."""
    response = RedirectResponse(path, status_code=303)
    if said:
        response.set_cookie(_SAID, said, max_age=_SAID_SECONDS, httponly=True, samesite="lax")
    return response


def here(request: Request, **changes: Any) -> str:
    """This address with another query; without what is None, and without the old one's cursor."""
    dropped = set(changes) | ({"cursor"} if changes else set())
    kept = [pair for pair in request.query_params.multi_items() if pair[0] not in dropped]
    added = [(name, str(value)) for name, value in changes.items() if value is not None]
    query = urlencode([*kept, *added])
    return f"{request.url.path}?{query}" if query else request.url.path


def remember(response: RedirectResponse, name: str, value: str) -> None:
    """Let the browser keep how somebody likes the pages."""
    response.set_cookie(f"gotgan_{name}", value, max_age=_YEAR, httponly=True, samesite="lax")


def forget(response: RedirectResponse, name: str) -> None:
    """Remove from the browser what ``remember`` stored there."""
    response.delete_cookie(f"gotgan_{name}")


def fragment_of(request: Request) -> str | None:
    """The id of the element that htmx wants to replace; a step back in history wants it all."""
    headers = request.headers
    if headers.get("hx-request") != "true" or "hx-history-restore-request" in headers:
        return None
    return headers.get("hx-target")


def back_of(request: Request) -> str:
    """This page, or the nearest above it that can be opened where this one was sent to."""
    if request.method in {"GET", "HEAD"}:
        return here(request)
    parts = request.url.path.rstrip("/").split("/")
    above = ("/".join(parts[:length]) for length in range(len(parts), 1, -1))
    return next((path for path in above if _opens(request, path)), "/")


def _opens(request: Request, path: str) -> bool:
    scope = {**request.scope, "path": path, "method": "GET"}
    return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)


def _said(request: Request) -> str | None:
    key = request.cookies.get(_SAID)
    return key if key in catalogue() else None


def _surroundings(request: Request, viewer: Viewer) -> dict[str, Any]:
    """What every template can use."""

    def csrf_field() -> Markup:
        return Markup('<input type="hidden" name="csrf" value="{}">').format(viewer.csrf)

    app: App = request.app.state.gotgan
    return {
        "viewer": viewer,
        "demo_at": app.clock.now() if app.is_demo else None,
        "t": viewer.t,
        "here": cache(partial(here, request)),
        "back": back_of(request),
        "path": request.url.path,
        "origin": str(request.base_url).rstrip("/"),
        "csrf_field": csrf_field,
        "sections": visible(request.app.state.sections, viewer),
        "languages": [(word, viewer.t(f"frame.language.{word}")) for word in LANGUAGES],
        "themes": [(word, viewer.t(f"frame.theme.{word}")) for word in THEMES],
        "zones": viewer.zone_choices(),
    }
