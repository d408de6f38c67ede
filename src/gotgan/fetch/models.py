"""The limits of fetching, requests, responses, and the transport between them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.message import Message
from typing import Final, Generic, Protocol, TypeVar

from gotgan.errors import FetchError
from gotgan.retry import Policy

HTML: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
"""The Accept header of a browser."""
_DEADLINE_S: Final = 90.0

T = TypeVar("T")


@dataclass(frozen=True)
class FetchRules:
    """The limits of everything that is fetched."""

    contact: str = ""
    """Where site owners can reach us; part of the user agent."""
    delay: float = 1.0
    """Minimum seconds between two requests to the same host."""
    at_once: int = 2
    """Maximum of simultaneous requests to the same host."""
    redirects: int = 10
    seconds: float = 30.0
    """How long one request may take, from the connection to the last byte."""
    deadline: float = _DEADLINE_S
    """How long all of it may take, from the first turn on: attempts, pauses, redirects."""
    most_on_the_wire: int = 20_000_000
    """Maximum bytes of a response as sent; a request limits the unpacked ones."""
    retry: Policy = field(
        default_factory=lambda: Policy(attempts=3, base=1.0, cap=10.0, deadline=_DEADLINE_S)
    )
    resolve: Mapping[str, str] = field(default_factory=dict)
    """Host names that are served from another place: ``*.shop.test`` to ``host:port``."""


@dataclass(frozen=True)
class Validators:
    """What tells a server which version of a document we have."""

    etag: str | None = None
    last_modified: str | None = None

    def headers(self) -> dict[str, str]:
        """The headers that ask for a response only if there is a later version."""
        values = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in values.items() if value and value.isprintable()}


def allow_any_url(_url: str) -> bool:
    """Allow redirects to all URLs that pass the guard."""
    return True


@dataclass(frozen=True)
class FetchRequest(Generic[T]):
    """A URL to fetch, and how."""

    url: str
    about: T
    """Returned to the caller with the result."""
    accept: str = HTML
    from_settings: bool = False
    """Whether the URL is from the settings: then its exact host and port are trusted."""
    validators: Validators = field(default_factory=Validators)
    most_bytes: int = 20_000_000
    """Maximum size of the unpacked response."""
    within: Callable[[str], bool] = allow_any_url
    """Which URLs a redirect may lead to."""
    body: bytes | None = None
    """Sent by POST; without one it is a GET."""
    headers: Mapping[str, str] = field(default_factory=dict)
    is_personal: bool = False
    """Whether it uses an account: robots.txt does not apply, the body of an error is kept, and
    the request body is a secret."""
    seconds: float | None = None
    """A longer time limit, for a language model; such a request is not retried."""

    @property
    def uses_account(self) -> bool:
        """Whether it uses an account or sends data: robots.txt is not about that."""
        return self.is_personal or self.body is not None


@dataclass(frozen=True)
class FetchResponse:
    """What a server sent in the end."""

    asked: str
    """The requested URL."""
    url: str
    """The URL that answered, after all redirects."""
    status: int
    headers: Mapping[str, str]
    """With names in lower case; several cookies are separated by line breaks."""
    body: bytes
    """Unpacked."""
    at: datetime

    @property
    def is_unchanged(self) -> bool:
        """Whether the server says that we have its latest version."""
        return self.status == 304  # noqa: PLR2004 - Not Modified

    @property
    def media_type(self) -> str:
        """The type of document, such as ``text/html``; empty if the server does not say."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def charset(self) -> str | None:
        """The encoding that the server names."""
        return _charset(self.headers.get("content-type", ""))

    @property
    def cookies(self) -> Mapping[str, str]:
        """The cookies that it sets, by name."""
        lines = self.headers.get("set-cookie", "").split("\n")
        pairs = (line.partition(";")[0].partition("=") for line in lines)
        return {name.strip(): value.strip() for name, sign, value in pairs if sign}

    @property
    def validators(self) -> Validators:
        """What to send next time to ask for a later version."""
        return Validators(self.headers.get("etag"), self.headers.get("last-modified"))


@functools.lru_cache(maxsize=64)
def _charset(content_type: str) -> str | None:
    """Cached, because all pages of a site have the same."""
    message = Message()
    message["content-type"] = content_type
    return message.get_content_charset()


@dataclass(frozen=True)
class FetchResult(Generic[T]):
    """The response to a request, or why there is none."""

    ask: FetchRequest[T]
    answer: FetchResponse | None
    error: FetchError | None = None


@dataclass(frozen=True)
class Hop:
    """One HTTP request; redirects make several of one fetch."""

    url: str
    headers: Mapping[str, str]
    is_trusted: bool
    """Whether the settings name this exact host and port."""
    most_bytes: int
    seconds: float
    """How long it may take, from the first byte sent to the last one received."""
    body: bytes | None = None
    """Sent by POST; without one it is a GET."""
    keeps_refusal: bool = False
    """Whether the body of an error is read."""
    is_personal: bool = False
    """Whether the body is a secret, such as a password."""


@dataclass(frozen=True)
class HopResponse:
    """The response to one HTTP request."""

    status: int
    headers: Mapping[str, str]
    """As in FetchResponse."""
    body: bytes
    """Unpacked; empty for a redirect, and for an error that is not kept."""


class Transport(Protocol):
    """Sends a request to a server and returns its response."""

    async def exchange(self, hop: Hop) -> HopResponse:
        """Send one request; raise FetchError if no complete response arrives."""

    async def close(self) -> None:
        """Close connections."""
