"""How a page reaches the client, or does not."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from starlette.types import Receive, Scope, Send

from gotgan import connections
from gotgan.world.faults import FaultKind
from gotgan.world.scene import SceneRequest, SceneResponse

__all__ = ["WAYS", "Exchange", "WorldConnection", "deliver"]

_TRANSPORT: Final = "gotgan.transport"
_PIECE: Final = 512
_PAUSE: Final = 0.05
"""Seconds between two pieces of a slow answer."""
_ABORTIVE: Final = struct.pack("ii", 1, 0)
"""Linger for no time: what is closed so is reset."""


class WorldConnection(connections.Connection):
    """A connection that an application may break, and that no request keeps open."""

    def on_message_begin(self) -> None:
        """Begin a request; it carries what it came by."""
        super().on_message_begin()
        self.scope["extensions"] = {_TRANSPORT: self.transport}  # type: ignore[dict-item]

    def shutdown(self) -> None:
        """End at once: an answer that hangs would otherwise keep the server."""
        self.transport.abort()


@dataclass(frozen=True)
class Exchange:
    """One request's way to its client."""

    scope: Scope
    receive: Receive
    send: Send

    @property
    def transport(self) -> asyncio.Transport:
        """The connection itself."""
        transport: asyncio.Transport = self.scope["extensions"][_TRANSPORT]
        return transport

    async def start(self, page: SceneResponse) -> None:
        """Send everything before the body."""
        headers = {"Content-Type": page.kind, **page.headers}
        if page.status != HTTPStatus.NOT_MODIFIED:
            headers["Content-Length"] = str(len(page.body))
        pairs = [
            (name.lower().encode(), line.encode())
            for name, value in headers.items()
            for line in value.split("\n")  # each a header of its own, as cookies are
        ]
        await self.send({"type": "http.response.start", "status": page.status, "headers": pairs})

    async def go_on(self, body: bytes, *, is_last: bool = False) -> None:
        """Send a part of the body."""
        await self.send({"type": "http.response.body", "body": body, "more_body": not is_last})

    async def left(self) -> None:
        """Wait until the client is gone."""
        while (await self.receive())["type"] != "http.disconnect":
            pass

    async def left_within(self, seconds: float) -> bool:
        """Whether the client goes within some time."""
        try:
            await asyncio.wait_for(self.left(), seconds)
        except TimeoutError:
            return False
        return True


async def deliver(
    exchange: Exchange, asked: SceneRequest, page: SceneResponse, fault: FaultKind | None
) -> None:
    """Send a page, in the way of a fault if there is one."""
    if fault is not None:
        await WAYS[fault](exchange, page)
        return
    if page.status == HTTPStatus.OK:
        page = _tagged(page, asked.headers.get("if-none-match"))
    await _whole(exchange, page)


def _tagged(page: SceneResponse, known: str | None) -> SceneResponse:
    """The page with its tag, or only the tag where the client has this version."""
    headers = {**page.headers, "ETag": page.etag}
    if known == page.etag:
        return replace(page, body=b"", status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return replace(page, headers=headers)


async def _whole(exchange: Exchange, page: SceneResponse) -> None:
    await exchange.start(page)
    await exchange.go_on(page.body, is_last=True)


async def _slowly(exchange: Exchange, page: SceneResponse) -> None:
    await exchange.start(page)
    for begin in range(0, len(page.body), _PIECE):
        await exchange.go_on(page.body[begin : begin + _PIECE])
        if await exchange.left_within(_PAUSE):
            return
    await exchange.go_on(b"", is_last=True)


async def _never(exchange: Exchange, _page: SceneResponse) -> None:
    await exchange.left()


async def _in_part(exchange: Exchange, page: SceneResponse) -> None:
    await exchange.start(page)
    await exchange.go_on(page.body[: len(page.body) // 2])
    exchange.transport.close()  # what was written is sent first
    await exchange.left()


async def _reset(exchange: Exchange, _page: SceneResponse) -> None:
    connection: socket.socket = exchange.transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORTIVE)
    exchange.transport.abort()
    await exchange.left()


WAYS: Final[Mapping[FaultKind, Callable[[Exchange, SceneResponse], Awaitable[None]]]] = {
    FaultKind.SLOW: _slowly,
    FaultKind.HANG: _never,
    FaultKind.TRUNCATED: _in_part,
    FaultKind.RESET: _reset,
}
