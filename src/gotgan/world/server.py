"""Serving the world on loopback, under all its names, with faults of the connection."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from gotgan import connections, listener
from gotgan.world.control import control_page, is_control_request
from gotgan.world.faults import FaultKind
from gotgan.world.scene import SceneRequest, SceneResponse
from gotgan.world.world import World, with_host

_TRANSPORT: Final = "gotgan.transport"
_CHUNK_BYTES: Final = 512
_PAUSE_S: Final = 0.05
"""Seconds between two pieces of a slow answer."""
_ABORTIVE: Final = struct.pack("ii", 1, 0)
"""SO_LINGER of zero: closing resets the connection."""


class WorldConnection(connections.Connection):
    """A connection that the application may break, and that no request keeps open."""

    def on_message_begin(self) -> None:
        """Begin a request, with access to its transport."""
        super().on_message_begin()
        self.scope["extensions"] = {_TRANSPORT: self.transport}  # type: ignore[dict-item]

    def shutdown(self) -> None:
        """End at once: a response that hangs would keep the server."""
        self.transport.abort()


@dataclass(frozen=True)
class WorldExchange:
    """A request and the connection to its client."""

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
            for line in value.split("\n")  # several cookies
        ]
        await self.send({"type": "http.response.start", "status": page.status, "headers": pairs})

    async def send_body(self, body: bytes, *, is_last: bool = False) -> None:
        """Send a part of the body."""
        await self.send({"type": "http.response.body", "body": body, "more_body": not is_last})

    async def disconnected(self) -> None:
        """Wait until the client disconnects."""
        while (await self.receive())["type"] != "http.disconnect":
            pass

    async def disconnected_within(self, seconds: float) -> bool:
        """Whether the client disconnects within some time."""
        try:
            await asyncio.wait_for(self.disconnected(), seconds)
        except TimeoutError:
            return False
        return True


async def send_page(
    exchange: WorldExchange, request: SceneRequest, page: SceneResponse, fault: FaultKind | None
) -> None:
    """Send a page, with the fault of the connection if there is one."""
    if fault is not None:
        await FAULTY_SENDERS[fault](exchange, page)
        return
    if page.status == HTTPStatus.OK:
        page = _with_etag(page, request.headers.get("if-none-match"))
    await _send_whole(exchange, page)


def _with_etag(page: SceneResponse, known: str | None) -> SceneResponse:
    """The page with its ETag, or 304 if the client has this version."""
    headers = {**page.headers, "ETag": page.etag}
    if known == page.etag:
        return replace(page, body=b"", status=HTTPStatus.NOT_MODIFIED, headers=headers)
    return replace(page, headers=headers)


async def _send_whole(exchange: WorldExchange, page: SceneResponse) -> None:
    await exchange.start(page)
    await exchange.send_body(page.body, is_last=True)


async def _send_slowly(exchange: WorldExchange, page: SceneResponse) -> None:
    await exchange.start(page)
    for begin in range(0, len(page.body), _CHUNK_BYTES):
        await exchange.send_body(page.body[begin : begin + _CHUNK_BYTES])
        if await exchange.disconnected_within(_PAUSE_S):
            return
    await exchange.send_body(b"", is_last=True)


async def _send_nothing(exchange: WorldExchange, _page: SceneResponse) -> None:
    await exchange.disconnected()


async def _send_half(exchange: WorldExchange, page: SceneResponse) -> None:
    await exchange.start(page)
    await exchange.send_body(page.body[: len(page.body) // 2])
    exchange.transport.close()  # after what was written
    await exchange.disconnected()


async def _reset(exchange: WorldExchange, _page: SceneResponse) -> None:
    connection: socket.socket = exchange.transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORTIVE)
    exchange.transport.abort()
    await exchange.disconnected()


FAULTY_SENDERS: Final[
    Mapping[FaultKind, Callable[[WorldExchange, SceneResponse], Awaitable[None]]]
] = {
    FaultKind.SLOW: _send_slowly,
    FaultKind.HANG: _send_nothing,
    FaultKind.TRUNCATED: _send_half,
    FaultKind.RESET: _reset,
}


_LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True)
class ServedWorld:
    """A world that is served."""

    world: World
    url: str
    """The URL of its control page."""

    @property
    def place(self) -> str:
        """Its host and port."""
        return self.url.removeprefix("http://")

    @property
    def resolve(self) -> Mapping[str, str]:
        """Maps every name to it, for the setting ``resolve``."""
        return {"*": self.place}


@contextlib.contextmanager
def world_server(world: World, port: int = 0) -> Iterator[ServedWorld]:
    """Serve from a thread while the block runs; port 0 takes a free one."""
    application = _Application(world)
    with listener.serve_in_thread(application, _LOOPBACK, port, connection=WorldConnection) as url:
        yield ServedWorld(world, url)


def serve_world(world: World, port: int, on_listening: Callable[[ServedWorld], None]) -> None:
    """Serve until SIGTERM or SIGINT."""
    listener.serve(
        _Application(world),
        _LOOPBACK,
        port,
        connection=WorldConnection,
        on_listening=lambda url: on_listening(ServedWorld(world, url)),
    )


class _Application:
    """The world over HTTP."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = with_host(await _request(scope, receive))
        if is_control_request(request):
            page, fault = control_page(self._world, request), None
        else:
            page, fault = self._world.answer(request)
        await send_page(WorldExchange(scope, receive, send), request, page, fault)


async def _request(scope: Scope, receive: Receive) -> SceneRequest:
    headers = Headers(scope=scope)
    return SceneRequest(
        host=headers.get("host", "").partition(":")[0].lower(),
        path=scope["path"],
        query=scope["query_string"].decode("latin-1"),
        method=scope["method"],
        headers=dict(headers),
        body=await _body(receive),
        port=scope["server"][1],
    )


async def _body(receive: Receive) -> bytes:
    parts = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)
