"""HTTP connections with limits, so that idle and slow clients cannot lock everyone else out.

A connection either waits for a request or the application is answering it. A client may take only
so long to send a request or to read its answer. The number of connections is limited: at the limit,
a new connection replaces the one that has waited longest for its request. When all of them are
busy, a few more are accepted, for health checks only.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.flow_control import service_unavailable
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from gotgan.sockets import HEALTH_PATHS, Limits, Phase, refusal


class Pool(ServerState):
    """The connections of a server."""

    def __init__(self, limits: Limits, on_full: Callable[[], None] = lambda: None) -> None:
        """``on_full`` is called whenever a connection is closed to make room."""
        super().__init__()
        self.limits = limits
        self.waiting: OrderedDict[Connection, None] = OrderedDict()
        """Those that wait for a request, longest wait first."""
        self._on_full = on_full

    def admits(self, connection: Connection) -> bool:
        """Make room for a new connection; False if it may only ask for the server's health."""
        if len(self.connections) <= self.limits.connections:
            return True
        self._on_full()
        for longest in self.waiting:
            if longest is not connection and longest.can_be_closed:
                longest.drop()
                return True
        if len(self.connections) > self.limits.connections + self.limits.health_connections:
            connection.drop()
        return False

    def close_late(self, now: float) -> None:
        """Close the connections of clients that took too long."""
        for connection in list(self.connections):
            if isinstance(connection, Connection):
                connection.close_if_late(now)


class Connection(HttpToolsProtocol):
    """uvicorn's connection, with limits."""

    server_state: Pool

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._limits = self.server_state.limits
        self._phase = Phase.HEAD
        self._since = 0.0
        self._received = 0
        self._part_bytes = 0
        self._unread = 0
        self._unread_since = 0.0

    # What uvicorn and its parser call

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Join the pool."""
        super().connection_made(transport)
        self._enter(Phase.HEAD)
        if not self.server_state.admits(self):
            self.app = self._health_only

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the pool."""
        self.server_state.waiting.pop(self, None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        self._part_bytes = len(data)
        super().data_received(data)
        if self._phase is Phase.HEAD:
            self._received += len(data)
            if self._received > self._limits.head_bytes:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Start reading a head."""
        super().on_message_begin()
        if self._phase is not Phase.HEAD:  # a new connection has been in it since it was made
            self._enter(Phase.HEAD)

    def on_headers_complete(self) -> None:
        """Start reading a body, while the application starts."""
        if self._part_bytes > self._limits.head_bytes and self._has_large_head():
            self.app = _head_too_large
        self._enter(Phase.BODY)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count a part of the body."""
        self._received += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for the application, unless it answered before it had the body."""
        super().on_message_complete()
        self._enter(Phase.IDLE if self.cycle.response_complete else Phase.BUSY)

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it is there already."""
        super().on_response_complete()
        if self._phase is Phase.BUSY and not self.pipeline:
            self._enter(Phase.IDLE)

    # Limits

    @property
    def can_be_closed(self) -> bool:
        """Whether no answer is lost: it waits for a request, and answers no earlier one."""
        if self._phase is Phase.BUSY or self.pipeline:
            return False
        is_new = self.cycle is None
        return is_new or self.cycle.response_complete or self._phase is Phase.BODY

    def close_if_late(self, now: float) -> None:
        """Close the connection if its client took too long."""
        if self._has_stopped_reading(now):
            self.transport.abort()
        elif self._waits_for_us():
            self._since, self._received = now, 0
        elif self.can_be_closed and now > self._deadline() and not self.transport.is_closing():
            if self._phase is Phase.IDLE or (self._phase is Phase.HEAD and not self._received):
                self.transport.close()
            else:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def drop(self) -> None:
        """Close the connection at once, to make room."""
        self.server_state.waiting.pop(self, None)
        self.connections.discard(self)
        self.transport.abort()

    def _enter(self, phase: Phase) -> None:
        self._phase, self._since, self._received = phase, self.loop.time(), 0
        self.server_state.waiting.pop(self, None)
        if phase is not Phase.BUSY:
            self.server_state.waiting[self] = None

    def _deadline(self) -> float:
        return self._since + self._limits.seconds(self._phase, self._received)

    def _has_large_head(self) -> bool:
        """Whether a head that came in one part has more bytes than is allowed."""
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        return size > self._limits.head_bytes

    def _waits_for_us(self) -> bool:
        """Whether the client cannot send more of its body, because we do not read it."""
        if self._phase is not Phase.BODY:
            return False
        return self.flow.read_paused or self.cycle.waiting_for_100_continue

    def _has_stopped_reading(self, now: float) -> bool:
        unread = self.transport.get_write_buffer_size()
        if self._unread == 0 or unread < self._unread:
            self._unread_since = now
        self._unread = unread
        return unread > 0 and now - self._unread_since > self._limits.unread_s

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer in place of the application, unless it has started to, and close."""
        if self.can_be_closed and not (self._phase is Phase.BODY and self.cycle.response_started):
            self.transport.write(refusal(status))
        self.transport.close()

    async def _health_only(self, scope: Any, receive: Any, send: Any) -> None:
        is_health = scope["path"] in HEALTH_PATHS
        await (self.config.loaded_app if is_health else service_unavailable)(scope, receive, send)


async def _head_too_large(_scope: Any, _receive: Any, send: Any) -> None:
    status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
    body = f"{status.phrase}\n".encode("ascii")
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"connection", b"close"),
        (b"content-length", b"%d" % len(body)),
    ]
    await send({"type": "http.response.start", "status": status.value, "headers": headers})
    await send({"type": "http.response.body", "body": body})
