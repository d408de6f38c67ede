"""What is asked of the web and what it answers, as values."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.message import Message
from typing import Final, Generic, Protocol, TypeVar

from gotgan.errors import FetchError

__all__ = [
    "HTML",
    "Ask",
    "FetchResponse",
    "Fetched",
    "Hop",
    "HopResponse",
    "Transport",
    "Validators",
    "anywhere",
]

HTML: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
"""What a browser says that it takes."""
MEGABYTE: Final = 1_000_000

T = TypeVar("T")


def anywhere(_url: str) -> bool:
    """Let redirects lead where they will; the guard looks at each of them all the same."""
    return True


@dataclass(frozen=True)
class Validators:
    """By what a server can tell whether we have its latest version."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True)
class Ask(Generic[T]):
    """An address to get, and what is known about it."""

    url: str
    about: T
    """Whatever the caller wants back with the answer."""
    accept: str = HTML
    from_settings: bool = False
    """Whether the address stands in the settings: then its exact host and port are trusted."""
    validators: Validators = field(default_factory=Validators)
    most_bytes: int = 20 * MEGABYTE
    """How large the answer may be once it is unpacked."""
    within: Callable[[str], bool] = anywhere
    """Which addresses a redirect may lead to."""
    body: bytes | None = None
    """What is handed over there, by POST; without one it is a GET."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What else the request says, such as what kind of document it hands over."""
    is_personal: bool = False
    """Whether it belongs to the use of somebody's own account, as everything does that is handed
    over: robots.txt is not about that, and what a refusal says is kept. What is handed over with
    it is a secret."""
    seconds: float | None = None
    """How long it may take in all, where it takes longer than a page, as a model does that thinks
    first; such an ask is never repeated by itself."""


@dataclass(frozen=True)
class FetchResponse:
    """What a server sent in the end."""

    asked: str
    """The address that was asked for."""
    url: str
    """The address that answered, after all redirects."""
    status: int
    headers: Mapping[str, str]
    """With names in lower case; several cookies stand in lines of their own."""
    body: bytes
    """Unpacked."""
    at: datetime

    @property
    def is_unchanged(self) -> bool:
        """Whether the server says that we have its latest version."""
        return self.status == 304  # noqa: PLR2004 - it is what HTTP calls it

    @property
    def media_type(self) -> str:
        """The kind of document, such as ``text/html``; empty where the server does not say."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The encoding that the server names."""
        return _charset_in(self.headers.get("content-type", ""))

    @property
    def cookies(self) -> Mapping[str, str]:
        """The cookies that it sets, by their names."""
        lines = self.headers.get("set-cookie", "").split("\n")
        pairs = (line.partition(";")[0].partition("=") for line in lines)
        return {name.strip(): value.strip() for name, sign, value in pairs if sign}

    @property
    def validators(self) -> Validators:
        """By what to ask next time whether it has changed."""
        return Validators(self.headers.get("etag"), self.headers.get("last-modified"))


@functools.lru_cache(maxsize=64)
def _charset_in(content_type: str) -> str | None:
    """Kept, because all pages of a site say the same."""
    message = Message()
    message["content-type"] = content_type
    return message.get_content_charset()


@dataclass(frozen=True)
class Fetched(Generic[T]):
    """What became of an ask: an answer, or why there is none."""

    ask: Ask[T]
    answer: FetchResponse | None
    error: FetchError | None = None


@dataclass(frozen=True)
class Hop:
    """One request on the way to an answer: redirects make several."""

    url: str
    headers: Mapping[str, str]
    is_trusted: bool
    """Whether this exact host and port stand in the settings."""
    most_bytes: int
    seconds: float
    """How long it may take from the first byte sent to the last one received."""
    body: bytes | None = None
    """What is handed over, by POST; without one it is a GET."""
    keeps_refusal: bool = False
    """Whether it matters what a refusal says."""
    is_personal: bool = False
    """Whether what is handed over is a secret, as a password is."""


@dataclass(frozen=True)
class HopResponse:
    """What came back for one hop."""

    status: int
    headers: Mapping[str, str]
    """With names in lower case; several cookies stand in lines of their own."""
    body: bytes
    """Unpacked; of a redirect nothing, nor of a refusal unless it matters."""


class Transport(Protocol):
    """Whatever can carry a hop to a server and bring the reply."""

    async def exchange(self, hop: Hop) -> HopResponse:
        """Send one request; raise FetchError where no whole reply came back."""

    async def close(self) -> None:
        """Let go of connections."""
