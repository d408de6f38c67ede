"""The frame of every page: navigation, notices, preferences and security headers."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gotgan.console.render import render
from gotgan.console.session import COLOURS, THEMES, Viewer, app_of
from gotgan.console.texts import catalogue
from gotgan.domains.site.models import Role
from gotgan.texts import LANGUAGES

# Sections


@dataclass(frozen=True)
class NavPage:
    """A page in the navigation."""

    key: str
    path: str
    needed: Role | None = "viewer"
    title: str = ""
    """The key of its title, if it is not in the section's catalogue."""

    def holds(self, path: str) -> bool:
        """Whether a path is this page, or one below it."""
        return path == self.path or path.startswith(f"{self.path}/")


@dataclass(frozen=True)
class Section:
    """The pages of a domain.

    The catalogue of its name has ``section.title``, ``section.line`` and ``pages.<key>``.
    """

    key: str
    pages: tuple[NavPage, ...]
    domain: str = ""
    """The domain that it needs; by default the one of its name."""

    def comes_with(self, domains: Collection[str]) -> bool:
        """Whether a server with these domains has it."""
        return (self.domain or self.key) in domains

    @property
    def path(self) -> str:
        """The path of its first page."""
        return self.pages[0].path

    @property
    def title_key(self) -> str:
        """The key of its title."""
        return f"{self.key}.section.title"

    @property
    def line_key(self) -> str:
        """The key of its description."""
        return f"{self.key}.section.line"

    def page_key(self, page: NavPage) -> str:
        """The key of the title of a page."""
        return page.title or f"{self.key}.pages.{page.key}"

    def holds(self, path: str) -> bool:
        """Whether it has a path."""
        return self.page_at(path) is not None

    def page_at(self, path: str) -> NavPage | None:
        """The nearest page at or above a path."""
        held = [page for page in self.pages if page.holds(path)]
        return max(held, key=lambda page: len(page.path), default=None)


def visible_sections(sections: Iterable[Section], viewer: Viewer) -> list[Section]:
    """The sections with the pages that the viewer may see, if there are any."""
    seen = [
        Section(section.key, tuple(page for page in section.pages if viewer.may(page.needed)))
        for section in sections
    ]
    return [section for section in seen if section.pages]


def find_page(sections: Iterable[Section], viewer: Viewer, words: str) -> str | None:
    """The path of the page whose title in the viewer's language is or starts with words."""
    wanted = words.strip().casefold()
    names = [(viewer.t(key).casefold(), path) for key, path in _page_keys(sections)]
    exact = [path for name, path in names if name == wanted]
    near = [path for name, path in names if wanted and name.startswith(wanted)]
    return next(iter([*exact, *near]), None)


def page_name(sections: Iterable[Section], viewer: Viewer, path: str) -> str:
    """The title of the page at a path."""
    keys = {path: key for key, path in reversed(_page_keys(sections))}
    return viewer.t(keys[path])


def _page_keys(sections: Iterable[Section]) -> list[tuple[str, str]]:
    """The keys of all titles, with their paths; the front page belongs to no section."""
    keys = list[tuple[str, str]]()
    for section in sections:
        keys.append((section.title_key, section.path))
        keys += [(section.page_key(page), page.path) for page in section.pages]
    return [*keys, ("frame.overview.title", "/")]


# Headers

_COMMON_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def content_policy(*, foreign_images: bool = False) -> str:
    """What a page may load: our own files, and foreign images where it shows them."""
    images = "'self' data: https:" if foreign_images else "'self' data:"
    return (
        f"default-src 'self'; script-src 'self'; style-src 'self'; img-src {images}; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    )


class SecurityHeaders:
    """Adds the headers that a response does not have."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, and add the headers when the response starts."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_COMMON_HEADERS)
                headers.setdefault("Content-Security-Policy", content_policy())
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_with_headers)


# Pages


@dataclass(frozen=True)
class ChartLibrary:
    """The script that draws charts, and what its licence asks a page to say."""

    script: str
    name: str
    notice: str
    site: str


CHARTS: Final = ChartLibrary(
    script="vendor/lightweight-charts-5.2.1.standalone.production.js",
    name="TradingView Lightweight Charts",
    notice="Copyright (c) 2023 TradingView, Inc.",
    site="https://www.tradingview.com/",
)
_NOTICE_COOKIE: Final = "gotgan_said"
"""The cookie with the key of the notice on the next page."""
_NOTICE_S: Final = 60


def page(
    request: Request,
    template: str,
    *,
    status: int = 200,
    foreign_images: bool = False,
    charts: bool = False,
    **context: Any,
) -> HTMLResponse:
    """A template as a response: the whole page, or the fragment that htmx requested.

    A page with a chart loads the scripts that draw it, and names their makers.
    """
    fragment, notice = fragment_id(request), request.cookies.get(_NOTICE_COOKIE)
    said = notice if not fragment and notice in catalogue() else None
    shared = _shared_context(request, Viewer.of(request))
    names = {**shared, "said": said, "charts": CHARTS if charts else None, **context}
    response = HTMLResponse(render(template, names, fragment), status)
    response.headers["Content-Security-Policy"] = content_policy(foreign_images=foreign_images)
    response.headers["Vary"] = "Cookie, Accept-Language, HX-Request, HX-Target"
    if said:
        response.delete_cookie(_NOTICE_COOKIE)
    return response


def redirect(path: str, *, notice: str | None = None) -> RedirectResponse:
    """Go to another page, which shows a notice."""
    response = RedirectResponse(path, status_code=303)
    if notice:
        response.set_cookie(
            _NOTICE_COOKIE, notice, max_age=_NOTICE_S, httponly=True, samesite="lax"
        )
    return response


def current_url(request: Request, **changes: Any) -> str:
    """This URL with changes of its query; None removes a value, and any change the cursor."""
    dropped = set(changes) | ({"cursor"} if changes else set())
    kept = [pair for pair in request.query_params.multi_items() if pair[0] not in dropped]
    added = [(name, str(value)) for name, value in changes.items() if value is not None]
    query = urlencode([*kept, *added])
    return f"{request.url.path}?{query}" if query else request.url.path


def fragment_id(request: Request) -> str | None:
    """The id of the element that htmx replaces; None for a whole page, as in history."""
    headers = request.headers
    if headers.get("hx-request") != "true" or "hx-history-restore-request" in headers:
        return None
    return headers.get("hx-target")


def return_path(request: Request) -> str:
    """This page, or after a POST the nearest one above it that can be opened."""
    if request.method in {"GET", "HEAD"}:
        return current_url(request)
    parts = request.url.path.rstrip("/").split("/")
    for length in range(len(parts), 1, -1):
        path = "/".join(parts[:length])
        scope = {**request.scope, "path": path, "method": "GET"}
        if any(route.matches(scope)[0] is Match.FULL for route in request.app.routes):
            return path
    return "/"


def _shared_context(request: Request, viewer: Viewer) -> dict[str, Any]:
    """The names that every template can use."""

    def csrf_field() -> Markup:
        return Markup('<input type="hidden" name="csrf" value="{}">').format(viewer.csrf)

    app = app_of(request)
    return {
        "viewer": viewer,
        "demo_at": app.clock.now() if app.is_demo else None,
        "t": viewer.t,
        "here": cache(partial(current_url, request)),
        "back": return_path(request),
        "path": request.url.path,
        "origin": str(request.base_url).rstrip("/"),
        "csrf_field": csrf_field,
        "sections": visible_sections(request.app.state.sections, viewer),
        "languages": viewer.options("frame.language", LANGUAGES),
        "themes": viewer.options("frame.theme", THEMES),
        "zones": viewer.zone_choices(),
        "colours": viewer.options("frame.colours", COLOURS),
    }
