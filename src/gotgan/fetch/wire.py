"""The wire: one request by aiohttp, checked where it connects and bounded in what it takes."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Final

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from gotgan.errors import FetchError, TooLarge
from gotgan.fetch.addresses import Address, parse, shown
from gotgan.fetch.guard import Guard, Lookup
from gotgan.fetch.messages import Hop, HopResponse
from gotgan.fetch.mishaps import MISHAPS, meaning
from gotgan.fetch.names import addresses_of
from gotgan.fetch.rules import FetchRules
from gotgan.fetch.statuses import has_body, is_refusal
from gotgan.fetch.unpacking import Unpacked

__all__ = ["Wire"]

_CONNECTIONS: Final = 64
_LONGEST_HEADER: Final = 65_536
"""Large sites send security policies that are longer than aiohttp's 8 KB."""
_PIECE: Final = 65_536
_COOKIES: Final = "set-cookie"


class Wire:
    """A transport by aiohttp, in one event loop.

    What is trusted has connections of its own: one that was opened to a place in this network,
    because the settings name it, is never used again for a link that names the same place.
    """

    def __init__(self, rules: FetchRules, *, lookup: Lookup = addresses_of) -> None:
        self._rules = rules
        self._guard = Guard(rules.resolve, lookup)
        self._sessions: dict[bool, aiohttp.ClientSession] = {}

    async def exchange(self, hop: Hop) -> HopResponse:
        """Send one request; raise FetchError where no whole reply came back."""
        address = parse(hop.url)
        self._guard.admit(address, is_trusted=hop.is_trusted)
        try:
            async with asyncio.timeout(hop.seconds):
                return await self._request(hop, address)
        except MISHAPS as mishap:
            raise meaning(mishap, hop.url) from mishap

    async def close(self) -> None:
        """Let go of connections."""
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
            said, body = _said(response), b""
            if has_body(response.status):
                body = await self._body(hop, response, said)
            elif hop.keeps_refusal and is_refusal(response.status):
                body = await self._words(hop, response, said)
            return HopResponse(response.status, said, body)

    async def _words(
        self, hop: Hop, response: aiohttp.ClientResponse, headers: Mapping[str, str]
    ) -> bytes:
        """What a refusal says; one that does not come whole is a refusal all the same."""
        try:
            return await self._body(hop, response, headers)
        except (FetchError, *MISHAPS):
            return b""

    async def _body(
        self, hop: Hop, response: aiohttp.ClientResponse, headers: Mapping[str, str]
    ) -> bytes:
        unpacked = Unpacked(hop.url, headers.get("content-encoding", ""), hop.most_bytes)
        self._bound(hop, response.content_length or 0)
        unpacked.expect(response.content_length or 0)
        received = 0
        async for piece in response.content.iter_chunked(_PIECE):
            received += len(piece)
            self._bound(hop, received)
            unpacked.feed(piece)
        return unpacked.whole()

    def _bound(self, hop: Hop, size: int) -> None:
        if size > self._rules.most_on_the_wire:
            raise TooLarge(
                f"{shown(hop.url)} sends more than {self._rules.most_on_the_wire:,} bytes; "
                "so much is never taken"
            )

    def _session(self, *, is_trusted: bool) -> aiohttp.ClientSession:
        if is_trusted not in self._sessions:
            connector = aiohttp.TCPConnector(
                resolver=_Resolver(self._guard, is_trusted=is_trusted),
                use_dns_cache=False,
                limit=_CONNECTIONS,
            )
            self._sessions[is_trusted] = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False,
                trust_env=False,
                max_line_size=_LONGEST_HEADER,
                max_field_size=_LONGEST_HEADER,
            )
        return self._sessions[is_trusted]


def _said(response: aiohttp.ClientResponse) -> dict[str, str]:
    """The headers; of those that come twice the first, but cookies all."""
    said = {name.lower(): response.headers[name] for name in response.headers}
    if _COOKIES in said:
        said[_COOKIES] = "\n".join(response.headers.getall(_COOKIES))
    return said


class _Resolver(AbstractResolver):
    """Looks names up for aiohttp, which connects to what this gives and asks nobody else."""

    def __init__(self, guard: Guard, *, is_trusted: bool) -> None:
        self._guard = guard
        self._is_trusted = is_trusted

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses that may be connected to."""
        del family  # of both kinds, as the session asks for
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
        """Nothing is kept."""
