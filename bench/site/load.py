"""A client that asks the same thing on a few connections, as fast as the answers come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

__all__ = ["Sent", "requests_per_second"]


class _Asking(asyncio.Protocol):
    """One connection: asks, waits for the whole answer, asks again, until the time is over."""

    def __init__(self, request: bytes, until: float) -> None:
        self.answers = 0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._request = request
        self._until = until
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - of a TCP connection
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, gap, body = self._buffer.partition(b"\r\n\r\n")
        if not gap or len(body) < _length(head):
            return
        if not head.startswith(b"HTTP/1.1 200"):
            self.done.set_exception(RuntimeError(head.decode()))
            return
        self._buffer = b""
        self.answers += 1
        if time.perf_counter() < self._until:
            self._transport.write(self._request)
        else:
            self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(error) if error else self.done.set_result(None)


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    raise RuntimeError("an answer without a length")


@dataclass(frozen=True)
class Sent:
    """What is sent beside the path: without anything, it is a plain GET."""

    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def to(self, host: str, path: str) -> bytes:
        """The request as it goes over the wire."""
        headers = {"Host": host, **self.headers}
        if self.body:
            headers["Content-Length"] = str(len(self.body))
        lines = [f"{self.method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode() + self.body


_PLAIN: Final = Sent()


def requests_per_second(
    url: str, path: str, *, connections: int, seconds: float, sent: Sent = _PLAIN
) -> float:
    """How many answers came in a second."""
    request = sent.to(urlsplit(url).netloc, path)
    return asyncio.run(_measure(url, request, connections, seconds))


async def _measure(url: str, request: bytes, connections: int, seconds: float) -> float:
    where = urlsplit(url)
    loop, start = asyncio.get_running_loop(), time.perf_counter()
    host, port = where.hostname or "", where.port or 80

    async def ask() -> _Asking:
        made = await loop.create_connection(lambda: _Asking(request, start + seconds), host, port)
        return made[1]

    asking = [await ask() for _ in range(connections)]
    await asyncio.gather(*(each.done for each in asking))
    return sum(each.answers for each in asking) / (time.perf_counter() - start)
