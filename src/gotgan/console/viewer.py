"""Who looks at a page, and how they like it: language, theme and zone."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Self, TypeVar, cast
from zoneinfo import ZoneInfo

from starlette.requests import Request

from gotgan.app import App
from gotgan.clock import NEW_YORK, SEOUL
from gotgan.console.texts import LANGUAGES, Language, text
from gotgan.domains.site.roles import Role, allows
from gotgan.domains.site.tokens import SESSION_COOKIE, Caller
from gotgan.errors import Unauthenticated
from gotgan.settings import Secret

__all__ = ["THEMES", "ZONES", "Theme", "Viewer", "Zone", "viewer"]

Theme = Literal["auto", "light", "dark"]
Zone = Literal["utc", "new-york", "seoul"]

THEMES: Final[tuple[Theme, ...]] = ("auto", "light", "dark")
ZONES: Final[Mapping[Zone, str]] = {"utc": "UTC", "new-york": NEW_YORK, "seoul": SEOUL}

_Word = TypeVar("_Word", bound=str)


@dataclass(frozen=True)
class Viewer:
    """Somebody at a page; without a caller it is the public."""

    caller: Caller | None = None
    language: Language = "en"
    theme: Theme = "auto"
    zone: Zone = "utc"
    csrf: str = ""
    """What their forms carry, so that no other site can send one in their name."""

    @classmethod
    def of(cls, request: Request) -> Viewer:
        """Who sent the request; asked of the store once."""
        if not hasattr(request.state, "viewer"):
            request.state.viewer = cls._signed_in(request) or cls.stranger(request)
        return cast("Viewer", request.state.viewer)

    @classmethod
    def stranger(cls, request: Request) -> Self:
        """Whoever sent the request, known only by what they like."""
        return cls(**_likings(request))

    @classmethod
    def _signed_in(cls, request: Request) -> Self | None:
        token = request.cookies.get(SESSION_COOKIE)
        if not token:
            return None
        app: App = request.app.state.gotgan
        try:
            caller = app.site.tokens.authenticate(token)
        except Unauthenticated:
            return None
        return cls(caller, csrf=_csrf(app.settings.secret(), token), **_likings(request))

    @property
    def role(self) -> Role | None:
        """What they may do; None is what everybody may."""
        return self.caller.role if self.caller else None

    @property
    def place(self) -> ZoneInfo:
        """The zone that times are shown in."""
        return ZoneInfo(ZONES[self.zone])

    def may(self, needed: Role | None) -> bool:
        """Whether their role is enough."""
        return allows(self.role, needed)

    def t(self, key: str, **values: Any) -> str:
        """A text of the console in their language."""
        return text(self.language, key, **values)


def viewer(request: Request) -> Viewer:
    """Who sent the request, as a dependency of a page."""
    return Viewer.of(request)


def _csrf(secret: Secret, token: str) -> str:
    message = f"gotgan console form\n{token}".encode()
    return hmac.new(secret.reveal().encode(), message, hashlib.sha256).hexdigest()


def _likings(request: Request) -> dict[str, Any]:
    cookies = request.cookies
    accepted = _first_accepted(request.headers.get("accept-language", ""))
    return {
        "language": _one_of(LANGUAGES, cookies.get("gotgan_language"), accepted),
        "theme": _one_of(THEMES, cookies.get("gotgan_theme"), "auto"),
        "zone": _one_of(ZONES, cookies.get("gotgan_zone"), "utc"),
    }


def _one_of(words: Iterable[_Word], wanted: str | None, otherwise: _Word) -> _Word:
    return next((word for word in words if word == wanted), otherwise)


def _first_accepted(header: str) -> Language:
    """The language of ours that a browser likes best; English where it likes neither."""
    weighed = [_weighed(part) for part in header.split(",")]
    for _, name in sorted(weighed, key=lambda pair: -pair[0]):
        for language in LANGUAGES:
            if name.partition("-")[0] == language:
                return language
    return "en"


def _weighed(part: str) -> tuple[float, str]:
    name, _, parameter = part.partition(";")
    try:
        weight = float(parameter.strip().removeprefix("q=") or 1)
    except ValueError:
        weight = 0.0
    return weight, name.strip().lower()
