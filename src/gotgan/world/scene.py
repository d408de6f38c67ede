"""Sites are functions of a scene and a request: the same scene gives the same bytes."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Any, Final, Literal, get_args

Markup = Literal["2024", "2026-quote", "2026"]
MARKUPS: Final[tuple[Markup, ...]] = get_args(Markup)
"""The generations of the list page's markup."""
HTML: Final = "text/html; charset=utf-8"
SHARES: Final[Mapping[str, int]] = {"KOSPI": 960, "KOSDAQ": 1_800, "KONEX": 120}


@dataclass(frozen=True)
class Scene:
    """Everything that a page is made of."""

    seed: int
    now: datetime
    markup: Markup = "2026"
    cards: int = 55
    """The number of stories on a list page."""
    padding: int = 200_000
    """About the bytes of a list page beside its stories."""
    retry_after: int = 2
    """The Retry-After of throttled requests, in seconds."""
    shop_bytes: int = 12_000
    """About the bytes of a shop page beside its content, up to 150,000."""
    shares: Mapping[str, int] = field(default_factory=lambda: SHARES)
    """The number of shares of each market."""
    quota: int = 10_000
    """YouTube's units per key and day."""
    spent: int = 0
    """The units that the key of a request had used before."""


@dataclass(frozen=True)
class SceneRequest:
    """A request to a site."""

    host: str
    path: str
    query: str = ""
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    """With names in lower case."""
    body: bytes = b""
    port: int = 0
    """The port of the world."""

    @property
    def address(self) -> str:
        """The URL of the request."""
        return f"https://{self.host}{self.path}" + (f"?{self.query}" if self.query else "")


@dataclass(frozen=True)
class SceneResponse:
    """The response of a site."""

    body: bytes = b""
    status: int = 200
    kind: str = HTML
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def etag(self) -> str:
        """The ETag of the body."""
        return f'"{sha256(self.body).hexdigest()[:16]}"'


Site = Callable[[Scene, SceneRequest], SceneResponse]


def seeded_random(*about: object) -> Random:
    """A random generator that is the same for the same thing."""
    return Random("/".join(map(str, about)))  # noqa: S311 - repeatable is what it must be


def read_data(package: str, name: str) -> dict[str, Any]:
    """A TOML file of a package."""
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))


def plain_text(text: str, status: int = 200) -> SceneResponse:
    """A page of bare text."""
    return SceneResponse(text.encode(), status, "text/plain; charset=utf-8")


def redirect(to: str, status: int = 302) -> SceneResponse:
    """A redirect."""
    return SceneResponse(status=status, headers={"Location": to})


NOT_FOUND: Final = SceneResponse(
    b"<!doctype html><html lang=en><head><title>Not found</title></head>"
    b"<body><h1>There is nothing at this address</h1></body></html>",
    status=404,
)
