"""An HTTP server for programs that answer a request in one piece: one loop, and threads.

It starts in a fraction of the time that an ASGI server takes, and a worker thread writes its answer
itself, so that a call does not wait for the loop to be woken. It keeps the same limits as the
server of the site: see ``Limits``.
"""

from __future__ import annotations

import contextlib
import errno
import selectors
import signal
import socket
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

from gotgan.http_connection import ConnectionLoop, DateLine, Handler, HttpConnection
from gotgan.retry import Outage
from gotgan.sockets import (
    ACCEPT_BATCH,
    SHUTDOWN_TIMEOUT_S,
    Limits,
    Phase,
    default_limits,
    listen,
    raise_descriptor_limit,
    url_of,
)

_FULL_ERRORS: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_TICK_S: Final = 1.0


def serve(
    handler: Handler,
    host: str,
    port: int,
    *,
    on_listening: Callable[[str], None] = lambda _url: None,
) -> None:
    """Serve until SIGTERM or SIGINT; running requests are finished first.

    ``on_listening`` gets the URL as soon as it can be called. Port 0 takes a free port. After
    SIGTERM this returns, after SIGINT it raises ``KeyboardInterrupt``. The limit of open files is
    raised.
    """
    raise_descriptor_limit()
    server = HttpServer(handler, listen(host, port), default_limits())
    stopped_by: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopped_by.append(number)
        server.stop(at_once=len(stopped_by) > 1)

    before = {number: signal.signal(number, stop) for number in _STOP_SIGNALS}
    try:
        server.run(on_listening)
    finally:
        for number, handler_before in before.items():
            signal.signal(number, handler_before)
    if stopped_by and stopped_by[-1] == signal.SIGINT:
        raise KeyboardInterrupt


@contextlib.contextmanager
def serve_in_thread(
    handler: Handler, host: str = "127.0.0.1", port: int = 0, *, limits: Limits | None = None
) -> Iterator[str]:
    """Serve from a thread for as long as the block runs; the block gets the URL."""
    listener = listen(host, port)
    url = url_of(listener)
    server = HttpServer(handler, listener, limits or default_limits())
    thread = threading.Thread(target=server.run, name="gotgan-http")
    thread.start()
    try:
        yield url
    finally:
        server.stop()
        thread.join()


class HttpServer(ConnectionLoop):
    """A loop over the connections of one listening socket."""

    def __init__(self, handler: Handler, listener: socket.socket, limits: Limits) -> None:
        self.handler = handler
        self.limits = limits
        self.date_line = DateLine()
        self.connections: set[HttpConnection] = set()
        self.returned = deque()
        self._waiting: OrderedDict[HttpConnection, None] = OrderedDict()
        """Those that wait for a request, longest wait first."""
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._bell, self._ear = socket.socketpair()
        self._stops_at: float | None = None
        self._accepts = False
        # Both may happen thousands of times a second, and are logged once a minute.
        self._full = Outage("server.connections", level="warning")
        self._unaccepted = Outage("server.accept", level="warning")

    def run(self, on_listening: Callable[[str], None] = lambda _url: None) -> None:
        """Answer requests until ``stop`` is called and the last of them is answered."""
        for one in (self._listener, self._bell, self._ear):
            one.settimeout(0)
        self._selector.register(self._ear, selectors.EVENT_READ, self._drain_bell)
        self._accept_again()
        try:
            on_listening(url_of(self._listener))
            self._loop()
        finally:
            self._listener.close()
            for connection in list(self.connections):
                connection.close()
            self._selector.close()
            self.handler.close()  # its threads ring the bell until they are done
            self._bell.close()
            self._ear.close()

    @property
    def is_stopping(self) -> bool:
        """Whether no more requests are accepted."""
        return self._stops_at is not None

    def stop(self, *, at_once: bool = False) -> None:
        """Stop when requests are answered, or at once; any thread and any signal may call this."""
        self._stops_at = time.monotonic() + (0 if at_once else SHUTDOWN_TIMEOUT_S)
        self.ring()

    def ring(self) -> None:
        """Wake the loop; any thread may call this."""
        with contextlib.suppress(OSError):  # it is full, so the loop wakes; or closed with the loop
            self._bell.send(b"\0")

    # What connections ask of the loop

    def watch(self, connection: HttpConnection, events: int) -> None:
        """From now on, tell a connection of these events."""
        if connection.events == events:
            return
        if not connection.events:
            self._selector.register(connection.socket, events, connection.on_event)
        elif events:
            self._selector.modify(connection.socket, events, connection.on_event)
        else:
            self._selector.unregister(connection.socket)
        connection.events = events

    def now_waits(self, connection: HttpConnection) -> None:
        """Remember that a connection waits for a request, or for the rest of one, from now on."""
        self._waiting[connection] = None
        self._waiting.move_to_end(connection)

    def now_works(self, connection: HttpConnection) -> None:
        """Remember that a connection has its request."""
        self._waiting.pop(connection, None)

    def forget(self, connection: HttpConnection) -> None:
        """Remember nothing of a connection that is closed."""
        self.watch(connection, 0)
        self._waiting.pop(connection, None)
        self.connections.discard(connection)

    # The loop

    def _loop(self) -> None:
        next_tick = time.monotonic() + _TICK_S
        while not self._is_done():
            timeout = _TICK_S if self.connections or self._stops_at or not self._accepts else None
            for key, events in self._selector.select(timeout):
                key.data(events)
            self._take_back()
            if (now := time.monotonic()) >= next_tick:
                next_tick = now + _TICK_S
                self._tick(now)

    def _is_done(self) -> bool:
        if self._stops_at is None:
            return False
        if self._accepts:
            self._selector.unregister(self._listener)
            self._accepts = False
        self._listener.close()
        for connection in list(self.connections):
            connection.close_when_answered()
        return not self.connections or time.monotonic() >= self._stops_at

    def _tick(self, now: float) -> None:
        for connection in list(self.connections):
            connection.close_if_late(now)
        if not self._accepts and self._stops_at is None:
            self._accept_again()

    def _take_back(self) -> None:
        while self.returned:
            self.returned.popleft().go_on()

    def _drain_bell(self, _events: int) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._ear.recv(4_096):
                pass

    # New connections

    def _accept_again(self) -> None:
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._accepts = True

    def _accept(self, _events: int) -> None:
        for _ in range(ACCEPT_BATCH):
            try:
                client, _ = self._listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in _FULL_ERRORS:  # it would fail again at once: wait for the tick
                    self._unaccepted.failed(str(error))
                    self._selector.unregister(self._listener)
                    self._accepts = False
                return
            self._add(client)

    def _add(self, client: socket.socket) -> None:
        client.settimeout(0)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._take_back()  # so that the longest wait is known
        connection = HttpConnection(self, client)
        self.connections.add(connection)
        if len(self.connections) > self.limits.connections and not self._makes_room():
            connection.is_for_health = True
            if len(self.connections) > self.limits.connections + self.limits.health_connections:
                connection.close()
                return
        self.now_waits(connection)
        self.watch(connection, selectors.EVENT_READ)

    def _makes_room(self) -> bool:
        self._full.failed(f"all {self.limits.connections:,} connections are in use")
        for longest in self._waiting:
            if longest.phase is not Phase.BUSY:
                longest.close()
                return True
        return False
