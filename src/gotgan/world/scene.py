"""What the sites of the world are: functions from a moment and a request to a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from random import Random
from typing import Final, Literal, get_args

__all__ = [
    "HTML",
    "MARKUPS",
    "MISSING",
    "SHARES",
    "Markup",
    "Scene",
    "SceneRequest",
    "SceneResponse",
    "Site",
    "chance",
    "moved",
    "plain",
]

Markup = Literal["2024", "2026-quote", "2026"]
MARKUPS: Final[tuple[Markup, ...]] = get_args(Markup)
"""The generations of the list page's markup."""
HTML: Final = "text/html; charset=utf-8"
SHARES: Final[Mapping[str, int]] = {"KOSPI": 960, "KOSDAQ": 1_800, "KONEX": 120}


@dataclass(frozen=True)
class Scene:
    """Everything that a page is made of: the same scene gives the same bytes."""

    seed: int
    now: datetime
    markup: Markup = "2026"
    cards: int = 55
    """How many stories a list page shows."""
    padding: int = 200_000
    """About how many bytes a list page has beside its stories."""
    retry_after: int = 2
    """How many seconds a client is asked to wait that is told to come less often."""
    shop_bytes: int = 12_000
    """About how many bytes a page of a shop has beside what it shows, up to 150,000."""
    shares: Mapping[str, int] = field(default_factory=lambda: SHARES)
    """How many shares each market of the exchange has."""
    quota: int = 10_000
    """How many units of YouTube's a key may use in a day."""
    spent: int = 0
    """How many of them the key of a request had used before it."""


@dataclass(frozen=True)
class SceneRequest:
    """A request, as a site sees it."""

    host: str
    path: str
    query: str = ""
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    """With names in lower case."""
    body: bytes = b""
    port: int = 0
    """The port that the world itself listens on."""

    @property
    def address(self) -> str:
        """The address that was asked for, under its name."""
        return f"https://{self.host}{self.path}" + (f"?{self.query}" if self.query else "")


@dataclass(frozen=True)
class SceneResponse:
    """What a site answers."""

    body: bytes = b""
    status: int = 200
    kind: str = HTML
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def etag(self) -> str:
        """By what it is told from another version of itself."""
        return f'"{sha256(self.body).hexdigest()[:16]}"'


Site = Callable[[Scene, SceneRequest], SceneResponse]


def chance(*about: object) -> Random:
    """Chance that falls the same way each time for the same thing."""
    return Random("/".join(map(str, about)))  # noqa: S311 - repeatable is what it must be


def plain(text: str, status: int = 200) -> SceneResponse:
    """A page of bare text."""
    return SceneResponse(text.encode(), status, "text/plain; charset=utf-8")


def moved(to: str, status: int = 302) -> SceneResponse:
    """A redirect."""
    return SceneResponse(status=status, headers={"Location": to})


MISSING: Final = SceneResponse(
    b"<!doctype html><html lang=en><head><title>Not found</title></head>"
    b"<body><h1>There is nothing at this address</h1></body></html>",
    status=404,
)
