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
from gotgan.domains.site.models import Caller, User
from gotgan.domains.site.roles import Role, allows
from gotgan.domains.site.tokens import SESSION_COOKIE
from gotgan.errors import Unauthenticated
from gotgan.settings import Secret, parsers

__all__ = [
    "AUTOMATIC",
    "THEMES",
    "ZONES",
    "ZONE_CHOICES",
    "Theme",
    "Viewer",
    "known_zone",
    "viewer",
]

Theme = Literal["auto", "light", "dark"]

THEMES: Final[tuple[Theme, ...]] = ("auto", "light", "dark")
ZONES: Final[Mapping[str, str]] = {"utc": "UTC", "new-york": NEW_YORK, "seoul": SEOUL}
"""The zones that somebody can choose, by our words for them."""
AUTOMATIC: Final = "auto"
ZONE_CHOICES: Final = (AUTOMATIC, *ZONES)
"""Automatic is the zone of the browser; until that is known, and without scripts, GOTGAN_ZONE."""
_BROWSER_ZONE: Final = "gotgan_browser_zone"
"""The cookie that the page's script writes the browser's zone into."""

_Word = TypeVar("_Word", bound=str)


@dataclass(frozen=True)
class Viewer:
    """Somebody at a page; without a caller it is the public."""

    caller: Caller | None = None
    language: Language = "en"
    theme: Theme = "auto"
    zone: str = SEOUL
    """The name of the zone that times are shown in, such as Asia/Seoul."""
    zone_choice: str = AUTOMATIC
    """A word of ``ZONE_CHOICES``, or the name of another zone."""
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
        csrf = _csrf(app.settings.secret(), token)
        return cls(caller, csrf=csrf, **_likings(request, caller.user))

    @property
    def role(self) -> Role | None:
        """What they may do; None is what everybody may."""
        return self.caller.role if self.caller else None

    @property
    def place(self) -> ZoneInfo:
        """The zone that times are shown in."""
        return ZoneInfo(self.zone)

    def zone_name(self, zone: str | None = None) -> str:
        """What a zone is called in their language: their own, where none is given."""
        wanted = zone or self.zone
        word = _zone_choice(wanted)
        return self.t(f"frame.zone.{word}") if word in ZONES else wanted

    def zone_choices(self) -> list[tuple[str, str]]:
        """The zones to choose from, each with its label; one set through the API is among them."""
        labelled = [(word, self.t(f"frame.zone.{word}")) for word in ZONE_CHOICES]
        is_other = self.zone_choice not in ZONE_CHOICES
        return [*labelled, (self.zone_choice, self.zone_choice)] if is_other else labelled

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


def known_zone(name: str) -> str | None:
    """A name of a zone that this machine knows; None of any other."""
    try:
        return parsers.zone(name)
    except ValueError:
        return None


def _likings(request: Request, user: User | None = None) -> dict[str, Any]:
    """The account's choice, else the one made in this browser, else what the browser says."""
    cookies = request.cookies
    saved_zone, saved_language = (user.zone, user.language) if user else (None, None)
    zone = known_zone(saved_zone or "") or ZONES.get(cookies.get("gotgan_zone", ""))
    app: App = request.app.state.gotgan
    accepted = _first_accepted(request.headers.get("accept-language", ""))
    language = _one_of(LANGUAGES, cookies.get("gotgan_language"), accepted)
    return {
        "language": _one_of(LANGUAGES, saved_language, language),
        "theme": _one_of(THEMES, cookies.get("gotgan_theme"), "auto"),
        "zone": zone or known_zone(cookies.get(_BROWSER_ZONE, "")) or app.settings.zone,
        "zone_choice": _zone_choice(zone) if zone else AUTOMATIC,
    }


def _zone_choice(zone: str) -> str:
    """Our word for a zone, or its name where there is none."""
    return next((word for word, name in ZONES.items() if name == zone), zone)


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
