"""The transport: one HTTP request by aiohttp, guarded where it connects, bounded in its size."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
from collections.abc import Mapping
from typing import Final

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.http_exceptions import HttpProcessingError
from yarl import URL

from gotgan.errors import (
    AddressRefused,
    FetchError,
    FetchTimeout,
    TooLarge,
    Truncated,
    Undecodable,
    Unreachable,
)
from gotgan.fetch import messages
from gotgan.fetch.addresses import Address, display_url, parse_url
from gotgan.fetch.decompression import BodyDecoder
from gotgan.fetch.guard import Guard, Lookup, resolve_host
from gotgan.fetch.models import FetchRules, Hop, HopResponse
from gotgan.fetch.statuses import is_error, is_success
from gotgan.messages import Message, Template, text

TRANSPORT_ERRORS: Final = (aiohttp.ClientError, HttpProcessingError, OSError, ValueError)
"""Everything that a request is known to raise."""
_FETCH_ERRORS: Final[
    tuple[tuple[tuple[type[Exception], ...], type[FetchError], Template, Template | None], ...]
] = (
    ((aiohttp.ClientPayloadError,), Truncated, messages.ENDED_EARLY, None),
    (
        (aiohttp.ClientConnectorDNSError,),
        Unreachable,
        messages.NO_CONNECTION,
        messages.HOST_NOT_FOUND,
    ),
    (
        (ssl.SSLCertVerificationError,),
        Unreachable,
        messages.NO_CONNECTION,
        messages.CERTIFICATE,
    ),
    (
        (ssl.SSLError, aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch),
        Unreachable,
        messages.NO_CONNECTION,
        messages.TLS,
    ),
    (
        (aiohttp.ClientResponseError, HttpProcessingError),
        Undecodable,
        messages.NOT_HTTP,
        None,
    ),
    ((TimeoutError,), FetchTimeout, messages.TIMED_OUT, None),
    (
        (aiohttp.NonHttpUrlClientError, ValueError),
        AddressRefused,
        messages.BAD_ADDRESS,
        None,
    ),
    ((Exception,), Unreachable, messages.NO_CONNECTION, None),
)
"""The first that matches counts."""
_MAX_CAUSE_LENGTH: Final = 200
_MAX_CONNECTIONS: Final = 64
_MAX_HEADER_BYTES: Final = 65_536
"""Large sites send security policies that are longer than aiohttp's 8 KB."""
_CHUNK_BYTES: Final = 65_536
_COOKIES: Final = "set-cookie"


def fetch_error(error: Exception, url: str) -> FetchError:
    """The FetchError of an error that a request raised."""
    kind, template, why = next(row[1:] for row in _FETCH_ERRORS if isinstance(error, row[0]))
    cause = _cause(error)
    values = {"cause": cause, "why": why(cause=cause) if why is not None else cause}
    return kind(template(url=display_url(url), **values))


def _cause(error: Exception) -> Message:
    """The cause on one line: "connection refused" instead of its number."""
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return messages.DISCONNECTED()
    cause = getattr(error, "os_error", None) or error
    if isinstance(cause, OSError) and cause.errno is not None and cause.errno in errno.errorcode:
        known = messages.CAUSES.get(cause.errno)
        return text(os.strerror(cause.errno).lower()) if known is None else known()
    words = getattr(error, "message", "") or cause
    return text(" ".join(str(words).split())[:_MAX_CAUSE_LENGTH] or type(error).__name__)


class AiohttpTransport:
    """A transport by aiohttp, in one event loop.

    Trusted requests have their own connections: one that was opened into this network, because the
    settings name it, is never reused for a link to the same place.
    """

    def __init__(self, rules: FetchRules, *, lookup: Lookup = resolve_host) -> None:
        self._rules = rules
        self._guard = Guard(rules.resolve, lookup)
        self._sessions: dict[bool, aiohttp.ClientSession] = {}

    async def exchange(self, hop: Hop) -> HopResponse:
        """Send one request; raise FetchError if no complete response arrives."""
        address = parse_url(hop.url)
        self._guard.admit(address, is_trusted=hop.is_trusted)
        try:
            async with asyncio.timeout(hop.seconds):
                return await self._request(hop, address)
        except TRANSPORT_ERRORS as error:
            raise fetch_error(error, hop.url) from error

    async def close(self) -> None:
        """Close connections."""
        for session in self._sessions.values():
            await session.close()
        self._sessions.clear()

    async def _request(self, hop: Hop, address: Address) -> HopResponse:
        place = self._guard.place_of(address)
        session = self._session(is_trusted=hop.is_trusted or place is not None)
        url = f"http://{place}{address.target}" if place else address.url
        headers = {**hop.headers, "Host": address.host_header}
        async with session.request(
            "GET" if hop.body is None else "POST",
            URL(url, encoded=True),
            headers=headers,
            data=hop.body,
            allow_redirects=False,
        ) as response:
            received, body = _headers(response), b""
            if is_success(response.status):
                body = await self._body(hop, response, received)
            elif hop.keeps_refusal and is_error(response.status):
                body = await self._error_body(hop, response, received)
            return HopResponse(response.status, received, body)

    async def _error_body(
        self, hop: Hop, response: aiohttp.ClientResponse, headers: Mapping[str, str]
    ) -> bytes:
        """The body of an error; empty if it does not arrive complete."""
        try:
            return await self._body(hop, response, headers)
        except (FetchError, *TRANSPORT_ERRORS):
            return b""

    async def _body(
        self, hop: Hop, response: aiohttp.ClientResponse, headers: Mapping[str, str]
    ) -> bytes:
        unpacked = BodyDecoder(hop.url, headers.get("content-encoding", ""), hop.most_bytes)
        self._check_size(hop, response.content_length or 0)
        unpacked.expect(response.content_length or 0)
        received = 0
        async for piece in response.content.iter_chunked(_CHUNK_BYTES):
            received += len(piece)
            self._check_size(hop, received)
            unpacked.feed(piece)
        return unpacked.whole()

    def _check_size(self, hop: Hop, size: int) -> None:
        if size > self._rules.most_on_the_wire:
            raise TooLarge(
                messages.TOO_LARGE_COMPRESSED(
                    url=display_url(hop.url), limit=self._rules.most_on_the_wire
                )
            )

    def _session(self, *, is_trusted: bool) -> aiohttp.ClientSession:
        if is_trusted not in self._sessions:
            connector = aiohttp.TCPConnector(
                resolver=_Resolver(self._guard, is_trusted=is_trusted),
                use_dns_cache=False,
                limit=_MAX_CONNECTIONS,
            )
            self._sessions[is_trusted] = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,
                trust_env=False,
                max_line_size=_MAX_HEADER_BYTES,
                max_field_size=_MAX_HEADER_BYTES,
            )
        return self._sessions[is_trusted]


def _headers(response: aiohttp.ClientResponse) -> dict[str, str]:
    """The headers: the first of each name, but all cookies."""
    headers = {name.lower(): response.headers[name] for name in response.headers}
    if _COOKIES in headers:
        headers[_COOKIES] = "\n".join(response.headers.getall(_COOKIES))
    return headers


class _Resolver(AbstractResolver):
    """Looks names up for aiohttp, which connects to nothing else."""

    def __init__(self, guard: Guard, *, is_trusted: bool) -> None:
        self._guard = guard
        self._is_trusted = is_trusted

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses that may be connected to."""
        del family  # both
        found = await self._guard.addresses(host, port, is_trusted=self._is_trusted)
        return [
            ResolveResult(
                hostname=host,
                host=each,
                port=port,
                family=socket.AF_INET6 if ":" in each else socket.AF_INET,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for each in found
        ]

    async def close(self) -> None:
        """Nothing to close."""
