"""A client that asks the same thing on a few connections, as fast as the answers come."""

from __future__ import annotations

import asyncio
import time
from urllib.parse import urlsplit

__all__ = ["requests_per_second"]


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


def requests_per_second(url: str, path: str, *, connections: int, seconds: float) -> float:
    """How many answers came in a second."""
    return asyncio.run(_measure(url, path, connections, seconds))


async def _measure(url: str, path: str, connections: int, seconds: float) -> float:
    where = urlsplit(url)
    request = f"GET {path} HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode()
    loop, start = asyncio.get_running_loop(), time.perf_counter()
    host, port = where.hostname or "", where.port or 80

    async def ask() -> _Asking:
        made = await loop.create_connection(lambda: _Asking(request, start + seconds), host, port)
        return made[1]

    asking = [await ask() for _ in range(connections)]
    await asyncio.gather(*(each.done for each in asking))
    return sum(each.answers for each in asking) / (time.perf_counter() - start)
