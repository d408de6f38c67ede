"""Who sends a request: the viewer with preferences and role, and the forms that they send.

Dependencies that need no I/O are coroutines: a thread would take longer than they do.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, Self, TypeVar, cast
from urllib.parse import parse_qsl, quote, urlsplit
from zoneinfo import ZoneInfo

from fastapi import Depends, HTTPException
from markupsafe import Markup
from starlette.requests import Request

from gotgan.app import App
from gotgan.clock import NEW_YORK, SEOUL
from gotgan.console.texts import help_line, text, translate
from gotgan.domains.site.auth import SESSION_COOKIE
from gotgan.domains.site.models import Caller, Role, User, allows
from gotgan.errors import Unauthenticated
from gotgan.settings import parsers
from gotgan.texts import LANGUAGES, Language, accepted_language

Theme = Literal["auto", "light", "dark"]
Colours = Literal["korean", "western"]

THEMES: Final[tuple[Theme, ...]] = ("auto", "light", "dark")
COLOURS: Final[tuple[Colours, ...]] = ("korean", "western")
"""Of a rise and a fall: red and blue, as the Korean exchange shows them, or green and red."""
ZONES: Final[Mapping[str, str]] = {"utc": "UTC", "new-york": NEW_YORK, "seoul": SEOUL}
"""The zones to choose from, by our words for them."""
AUTOMATIC: Final = "auto"
ZONE_CHOICES: Final = (AUTOMATIC, *ZONES)
"""Automatic is the zone of the browser, or GOTGAN_ZONE while that is not known."""
_BROWSER_ZONE: Final = "gotgan_browser_zone"
"""The cookie with the browser's zone, which a script of the page writes."""

_Choice = TypeVar("_Choice", bound=str)


@dataclass(frozen=True)
class Viewer:
    """The user of a page; the public has no caller."""

    caller: Caller | None = None
    language: Language = "en"
    theme: Theme = "auto"
    colours: Colours = "korean"
    zone: str = SEOUL
    """The zone of all times, such as Asia/Seoul."""
    zone_choice: str = AUTOMATIC
    """A word of ``ZONE_CHOICES``, or the name of another zone."""
    csrf: str = ""
    """The token of their forms, so that no other site can send one for them."""

    @classmethod
    def of(cls, request: Request) -> Viewer:
        """The sender of a request, read from the store once."""
        if not hasattr(request.state, "viewer"):
            request.state.viewer = cls._signed_in(request) or cls.stranger(request)
        return cast("Viewer", request.state.viewer)

    @classmethod
    def stranger(cls, request: Request) -> Self:
        """A sender who is not signed in."""
        return cls(**_preferences(request))

    @classmethod
    def _signed_in(cls, request: Request) -> Self | None:
        token = request.cookies.get(SESSION_COOKIE)
        if not token:
            return None
        app = app_of(request)
        try:
            caller = app.site.tokens.authenticate(token)
        except Unauthenticated:
            return None
        secret, message = app.settings.secret().reveal(), f"gotgan console form\n{token}"
        csrf = hmac.new(secret.encode(), message.encode(), hashlib.sha256).hexdigest()
        return cls(caller, csrf=csrf, **_preferences(request, caller.user))

    @property
    def role(self) -> Role | None:
        """Their role; None for the public."""
        return self.caller.role if self.caller else None

    @property
    def place(self) -> ZoneInfo:
        """The zone of all times."""
        return ZoneInfo(self.zone)

    def zone_name(self, zone: str | None = None) -> str:
        """The name of a zone, by default their own, in their language."""
        wanted = zone or self.zone
        word = _zone_choice(wanted)
        return self.t(f"frame.zone.{word}") if word in ZONES else wanted

    def zone_choices(self) -> list[tuple[str, str]]:
        """The zones to choose from, with the present one where it was set through the API."""
        other = [] if self.zone_choice in ZONE_CHOICES else [(self.zone_choice, self.zone_choice)]
        return self.options("frame.zone", ZONE_CHOICES) + other

    def may(self, needed: Role | None) -> bool:
        """Whether their role is enough."""
        return allows(self.role, needed)

    def t(self, key: str, **values: Any) -> str:
        """A text of the console in their language."""
        return text(self.language, key, **values)

    def say(self, words: str) -> Markup:
        """A message in their language and zone; other words as they are, marked as English."""
        return translate(self.language, words, self.place)

    def help(self, english: str) -> Markup:
        """A text of the help in their language."""
        return help_line(self.language, english)

    def options(self, prefix: str, words: Iterable[str], blank: str = "") -> list[tuple[str, str]]:
        """Words as the options of a field, each with its text; ``blank`` is that of none."""
        none = [("", self.t(blank))] if blank else []
        return none + [(word, self.t(f"{prefix}.{word}")) for word in words]


CurrentViewer = Annotated[Viewer, Depends(Viewer.of)]


def app_of(request: Request) -> App:
    """The app of the console."""
    app: App = request.app.state.gotgan
    return app


async def _current_app(request: Request) -> App:
    return app_of(request)


def known_zone(name: str) -> str | None:
    """A name of a zone, if this machine knows it."""
    try:
        return parsers.zone(name)
    except ValueError:
        return None


def _preferences(request: Request, user: User | None = None) -> dict[str, Any]:
    """The choices of the account, else those of this browser, else its defaults."""
    cookies = request.cookies
    saved_zone, saved_language = (user.zone, user.language) if user else (None, None)
    zone = known_zone(saved_zone or "") or ZONES.get(cookies.get("gotgan_zone", ""))
    default_zone = known_zone(cookies.get(_BROWSER_ZONE, "")) or app_of(request).settings.zone
    accepted = accepted_language(request.headers.get("accept-language", ""))
    language = _choice(LANGUAGES, cookies.get("gotgan_language"), accepted)
    return {
        "language": _choice(LANGUAGES, saved_language, language),
        "theme": _choice(THEMES, cookies.get("gotgan_theme"), "auto"),
        "colours": _choice(COLOURS, cookies.get("gotgan_colours"), "korean"),
        "zone": zone or default_zone,
        "zone_choice": _zone_choice(zone) if zone else AUTOMATIC,
    }


def _zone_choice(zone: str) -> str:
    """Our word for a zone, or its name if there is none."""
    return next((word for word, name in ZONES.items() if name == zone), zone)


def _choice(words: Iterable[_Choice], wanted: str | None, otherwise: _Choice) -> _Choice:
    return next((word for word in words if word == wanted), otherwise)


# Forms

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_MAX_FORM_BYTES: Final = 1_500_000
"""The largest item, all Korean, percent-encoded."""
_MAX_FIELDS: Final = 1000
_FORM_TYPE: Final = "application/x-www-form-urlencoded"
_HIDDEN_FIELDS: Final = re.compile(r"(csrf|version|zone|seen|code|token)$|was-")
"""The names of fields that are not typed, or that must not be shown again."""


@dataclass(frozen=True)
class Form:
    """The fields of a form that was sent."""

    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def typed(self) -> list[tuple[str, str]]:
        """The fields that were typed, without the hidden ones."""
        return [
            (name, text) for name, text in self.pairs if text and not _HIDDEN_FIELDS.match(name)
        ]

    def text(self, name: str, otherwise: str = "") -> str:
        """The first value of a field."""
        return next(iter(self.every(name)), otherwise)

    def every(self, name: str) -> list[str]:
        """All values of a field, with plain line ends instead of those that browsers send."""
        return [value.replace("\r\n", "\n") for each, value in self.pairs if each == name]

    def __contains__(self, name: str) -> bool:
        return any(each == name for each, _ in self.pairs)


async def same_origin(request: Request) -> None:
    """Refuse a write that a page of another site sent.

    Browsers send the origin of a request, and pages cannot forge it. Other programs send none, and
    have no cookies of ours that another site could use.
    """
    if request.method in _SAFE_METHODS:
        return
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.url.netloc
    if foreign or site not in {"same-origin", "none"}:
        raise HTTPException(403, "frame.error.cross_site")


def signed_in(needed: Role) -> Callable[[Request, Viewer], Awaitable[Viewer]]:
    """A dependency: a viewer with this role, or a redirect to the sign-in page."""

    async def dependency(request: Request, who: CurrentViewer) -> Viewer:
        if who.caller is None:
            raise _sign_in_required(request)
        if not who.may(needed):
            raise HTTPException(403, "frame.error.role")
        return who

    return dependency


async def read_form(request: Request) -> Form:
    """The form of a request, up to the length that our forms can have."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != _FORM_TYPE:
        raise HTTPException(415)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_FORM_BYTES:
            raise HTTPException(413)
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MAX_FIELDS,
        )
    except ValueError:
        raise HTTPException(400) from None
    form = request.state.form = Form(tuple(pairs))
    return form


async def checked_form(form: Annotated[Form, Depends(read_form)], who: CurrentViewer) -> Form:
    """A form that was sent by a page of the same session."""
    check_csrf(form, who)
    return form


def check_csrf(form: Form, who: Viewer) -> None:
    """Refuse a form that was not sent by a page of this session."""
    if not hmac.compare_digest(form.text("csrf").encode(), who.csrf.encode()):
        raise HTTPException(403, "frame.error.stale_form")


def local_path(text: str | None) -> str:
    r"""The path if it leads to a page of the console, or else the front page.

    Browsers take ``//host`` and ``/\host`` for another site, and skip tabs and line ends.
    """
    plain = text is not None and text.isprintable() and "\\" not in text
    return text if text and plain and text[0] == "/" and text[1:2] != "/" else "/"


def _sign_in_required(request: Request) -> HTTPException:
    """A redirect to the sign-in page and back; a write is not redirected, so no text is lost."""
    if request.method not in _SAFE_METHODS:
        return HTTPException(401)
    is_htmx = request.headers.get("hx-request") == "true"
    url = urlsplit(request.headers.get("hx-current-url", "/") if is_htmx else str(request.url))
    back = f"{url.path}?{url.query}" if url.query else url.path
    location = f"/sign-in?next={quote(back, safe='/')}"
    if is_htmx:
        return HTTPException(401, headers={"HX-Redirect": location})
    return HTTPException(303, headers={"Location": location})


Reader = Annotated[Viewer, Depends(signed_in("viewer"))]
Editor = Annotated[Viewer, Depends(signed_in("editor"))]
Admin = Annotated[Viewer, Depends(signed_in("admin"))]
SentForm = Annotated[Form, Depends(checked_form)]
CurrentApp = Annotated[App, Depends(_current_app)]
