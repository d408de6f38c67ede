"""One connection of the HTTP server: requests are parsed, handed over, and answered in order.

The loop's thread reads, parses and closes. An answer may be written by the worker thread that made
it: while a request is worked on, the loop leaves the socket alone.
"""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import time
from collections import deque
from concurrent.futures import Executor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final, Protocol

import httptools

from gotgan.clock import SystemClock
from gotgan.events import Event
from gotgan.sockets import HEALTH_PATHS, Limits, Phase, refusal

_READ_BYTES: Final = 65_536
_CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
_STATUS_LINES: Final = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode() for status in HTTPStatus
}
_DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = tuple("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())  # noqa: SIM905 - one line
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request, read whole. Header names are in lower case."""

    method: bytes
    path: bytes
    query: bytes
    headers: dict[bytes, bytes]
    body: bytes | None
    """None if it was larger than the handler takes."""
    keeps_alive: bool = True
    """Whether the client may send another request over the same connection."""


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """One answer; the server adds the date and what the connection needs."""

    status: int
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""


class Handler(Protocol):
    """What a server needs of an application."""

    max_body_bytes: int

    def pool_for(self, request: HttpRequest) -> Executor | None:
        """The threads that answer a request; None if the loop does, because it takes no time."""

    def answer(self, request: HttpRequest) -> HttpResponse:
        """Answer one request."""

    def close(self) -> None:
        """Wait for the threads, after the last request."""


_UNAVAILABLE: Final = HttpResponse(
    HTTPStatus.SERVICE_UNAVAILABLE,
    [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"19")],
    b"Service Unavailable",
)


class DateLine:
    """The header with the date, written once a second."""

    def __init__(self) -> None:
        self._clock = SystemClock()
        self._line = b""
        self._until = 0.0

    def at(self, now: float) -> bytes:
        """The line at a moment of the monotonic clock."""
        if now >= self._until:
            moment = self._clock.now()
            day, month = _DAYS[moment.weekday()], _MONTHS[moment.month - 1]
            self._line = f"date: {day}, {moment:%d} {month} {moment:%Y %H:%M:%S} GMT\r\n".encode()
            self._until = now + 1 - moment.microsecond / 1_000_000
        return self._line


class ConnectionLoop(Protocol):
    """What a connection needs of the loop that it belongs to."""

    handler: Handler
    limits: Limits
    date_line: DateLine
    returned: deque[HttpConnection]
    """Those that worker threads have answered; a worker may only append."""

    @property
    def is_stopping(self) -> bool:
        """Whether no more requests are accepted."""

    def ring(self) -> None:
        """Wake the loop; any thread may call this."""

    def watch(self, connection: HttpConnection, events: int) -> None:
        """From now on, tell a connection of these events."""

    def now_waits(self, connection: HttpConnection) -> None:
        """Remember that a connection waits for a request, or for the rest of one, from now on."""

    def now_works(self, connection: HttpConnection) -> None:
        """Remember that a connection has its request."""

    def forget(self, connection: HttpConnection) -> None:
        """Remember nothing of a connection that is closed."""


class HttpConnection:
    """A client, its unfinished request, and the answer that is on its way."""

    def __init__(self, server: ConnectionLoop, client: socket.socket) -> None:
        self.socket = client
        self.events = 0
        """What the loop watches the socket for."""
        self.is_for_health = False
        """Whether it was accepted beyond the limit, for health checks only."""
        self._server = server
        self._limits = server.limits
        self._parser = httptools.HttpRequestParser(self)
        self._reading = Phase.HEAD
        self._since = time.monotonic()
        self._received = 0
        self._part_bytes = 0
        self._has_large_head = False
        self._pending: deque[HttpRequest] = deque()
        self._unsent: memoryview | None = None
        self._is_busy = False
        self._closes = False
        self._is_closed = False
        self._start_message()

    @property
    def phase(self) -> Phase:
        """What the connection is waiting for."""
        return Phase.BUSY if self._is_busy else self._reading

    # The parser's callbacks

    def on_message_begin(self) -> None:
        """Start reading a head."""
        self._start_message()
        if self._reading is not Phase.HEAD:  # a new connection has been in it since it was made
            self._enter(Phase.HEAD)

    def on_url(self, url: bytes) -> None:
        """Read a part of the target."""
        self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read one header."""
        self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        """Start reading a body."""
        if self._received + self._part_bytes > self._limits.head_bytes:
            self._has_large_head = self._head_bytes() > self._limits.head_bytes
        self._enter(Phase.BODY)
        if self._headers.get(b"expect", b"").lower() == b"100-continue" and not self._pending:
            self._send_now(_CONTINUE)

    def on_body(self, body: bytes) -> None:
        """Keep a part of the body, unless it is too large."""
        self._received += len(body)
        if self._received <= self._server.handler.max_body_bytes:
            self._body.append(body)
        else:
            self._body.clear()

    def on_message_complete(self) -> None:
        """Hand the request over when the one before is answered."""
        path, _, query = self._target.partition(b"?")
        is_complete = self._received <= self._server.handler.max_body_bytes
        parser = self._parser
        self._pending.append(
            HttpRequest(
                parser.get_method(),
                path,
                query,
                self._headers,
                b"".join(self._body) if is_complete else None,
                parser.should_keep_alive() and parser.get_http_version() != "1.0",
            )
        )
        self._enter(Phase.IDLE)

    # What the loop calls

    def on_event(self, events: int) -> None:
        """Read or write, as far as that is possible at once."""
        try:
            self._on_event(events)
        except Exception:  # noqa: BLE001 - one bad request costs one connection, and not the server
            _log.exception(Event("http_server.connection_failed", {}))
            self.close()

    def _on_event(self, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            self._flush()
            self.go_on()
        elif self._is_busy:  # it is read later: one request at a time
            self._server.watch(self, 0)
            self.go_on()  # a worker may have finished without having seen that
        else:
            self._read()

    def go_on(self) -> None:
        """Start the next request, or wait for one, if the one before is answered."""
        while not (self._is_busy or self._closes or self._is_closed) and self._pending:
            self._start(self._pending.popleft())
        if self._is_closed:
            self.close()  # which had to leave the socket open if a worker was sending
        elif self._unsent is not None:
            self._server.watch(self, selectors.EVENT_WRITE)
        elif not self._is_busy:
            if self._closes:
                self.close()
                return
            self._server.now_waits(self)
            self._server.watch(self, selectors.EVENT_READ)

    def close_when_answered(self) -> None:
        """Close unless a request is being received or answered, after which it is asked again."""
        if self.phase in {Phase.IDLE, Phase.HEAD} and not self._pending:
            self.close()

    def close_if_late(self, now: float) -> None:
        """Close the connection if its client took too long."""
        late = now - self._since
        if self._unsent is not None:
            if late > self._limits.unread_s:
                self.close()
        elif late > self._limits.seconds(self.phase, self._received):
            if self._received:
                self._refuse(HTTPStatus.REQUEST_TIMEOUT)
            else:
                self.close()

    def close(self) -> None:
        """Close at once; a worker that is still answering closes the socket when it is done.

        A socket must not be closed under its hands: its number could be that of another file.
        """
        self._is_closed = True
        self._server.forget(self)
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        if not self._is_busy or self._unsent is not None:
            self.socket.close()

    # Reading

    def _start_message(self) -> None:
        self._target = b""
        self._headers: dict[bytes, bytes] = {}
        self._body: list[bytes] = []

    def _enter(self, phase: Phase) -> None:
        self._reading, self._since, self._received = phase, time.monotonic(), 0

    def _read(self) -> None:
        try:
            data = self.socket.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # half a request is dropped
            self.close()
            return
        self._part_bytes = len(data)
        try:
            self._parse(data)
        except httptools.HttpParserError:
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        if self._reading is Phase.HEAD:
            self._received += len(data)
            self._has_large_head |= self._received > self._limits.head_bytes
        if self._has_large_head:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return
        if self._pending:
            self.go_on()

    def _head_bytes(self) -> int:
        headers = self._headers.items()
        return len(self._target) + sum(len(name) + len(value) for name, value in headers)

    def _parse(self, data: bytes) -> None:
        while data:
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as offer:  # which a server may ignore
                data = data[offer.args[0] :]
            else:
                return

    def _refuse(self, status: HTTPStatus) -> None:
        self._send_now(refusal(status))
        self.close()

    # Answering

    def _start(self, request: HttpRequest) -> None:
        self._is_busy = True
        self._server.now_works(self)
        if not request.keeps_alive or self._server.is_stopping:
            self._closes = True
        if self.is_for_health and request.path.decode("latin-1") not in HEALTH_PATHS:
            self._closes = True
            self._send(request, _UNAVAILABLE)
            return
        pool = self._server.handler.pool_for(request)
        if pool is None:
            self._work(request)
        else:
            pool.submit(self._work_in_thread, request)

    def _work_in_thread(self, request: HttpRequest) -> None:
        self._work(request)
        # The loop looks at both after this connection was unwatched or is to close.
        self._server.returned.append(self)
        if self._unsent is not None or self._pending or self._closes or not self.events:
            self._server.ring()

    def _work(self, request: HttpRequest) -> None:
        try:
            response = self._server.handler.answer(request)
        except Exception:  # noqa: BLE001 - one bad request costs one connection, and not the thread
            _log.exception(Event("http_server.request_failed", {}))
            self._closes = True
            self._finish()
            return
        self._send(request, response)

    def _send(self, request: HttpRequest, response: HttpResponse) -> None:
        now = time.monotonic()
        parts = [_STATUS_LINES[response.status], self._server.date_line.at(now)]
        for name, value in response.headers:
            parts += (name, b": ", value, b"\r\n")
        if self._server.is_stopping:
            self._closes = True
        if self._closes:
            parts.append(b"connection: close\r\n")
        parts.append(b"\r\n")
        if request.method != b"HEAD":
            parts.append(response.body)
        self._since = now
        rest = self._send_now(b"".join(parts))
        if rest is None:
            self._finish()
        else:
            self._unsent = rest  # from here on, the connection is the loop's

    def _flush(self) -> None:
        if self._unsent is not None:
            rest = self._send_now(self._unsent)
            if rest is None or len(rest) < len(self._unsent):
                self._since = time.monotonic()
            self._unsent = rest
        if self._unsent is None:
            self._finish()

    def _finish(self) -> None:
        self._is_busy = False
        if self._is_closed:
            self.socket.close()

    def _send_now(self, data: bytes | memoryview) -> memoryview | None:
        """Send as much as fits; what is left, or None. A client that has gone gets nothing."""
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._closes = True
            return None
        return memoryview(data)[sent:] if sent < len(data) else None
