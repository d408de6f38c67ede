"""Serves an application over HTTP on a socket that we opened, until a signal."""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final

import uvicorn

from gotgan.connections import Connection, Pool
from gotgan.errors import GotganError, UsageError
from gotgan.messages import Template
from gotgan.retry import Outage
from gotgan.sockets import (
    ACCEPT_BATCH,
    BACKLOG,
    SHUTDOWN_TIMEOUT_S,
    Limits,
    default_limits,
    listen,
    raise_descriptor_limit,
    url_of,
)

_ENDED_EARLY: Final = Template(
    "listener.ended_early", "The server stopped before it listened. See its log."
)
_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_POLL_S: Final = 0.5


def serve(  # noqa: PLR0913 - most have defaults
    application: Any,
    host: str,
    port: int,
    *,
    connection: type[Connection] = Connection,
    or_any: bool = False,
    has_lifespan: bool = False,
    on_listening: Callable[[str], None] = lambda _url: None,
    on_stopped: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or SIGINT; running requests are finished first.

    ``on_listening`` gets the URL as soon as it can be called, ``on_stopped`` is called after the
    last request. Port 0 takes a free port, and with ``or_any`` so does one that is taken. After
    SIGTERM this returns, after SIGINT it raises ``KeyboardInterrupt``. ``has_lifespan``: the
    application handles the lifespan events of ASGI. The limit of open files is raised.
    """
    raise_descriptor_limit()
    try:
        listener = listen(host, port)
    except UsageError:
        if not or_any:
            raise
        listener = listen(host, 0)
    server = _Server(
        application,
        connection,
        default_limits(),
        on_listening,
        on_stopped,
        has_lifespan=has_lifespan,
    )
    before = {number: signal.signal(number, server.stop) for number in _STOP_SIGNALS}
    try:
        server.run([listener])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if server.stopped_by == signal.SIGINT:
        raise KeyboardInterrupt


@contextlib.contextmanager
def serve_in_thread(
    application: Any,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    connection: type[Connection] = Connection,
    limits: Limits | None = None,
    on_stopped: Callable[[], None] = lambda: None,
) -> Iterator[str]:
    """Serve from a thread for as long as the block runs; the block gets the URL."""
    listener = listen(host, port)
    ready = threading.Event()
    server = _Server(
        application, connection, limits or default_limits(), lambda _url: ready.set(), on_stopped
    )
    thread = threading.Thread(target=server.run, args=([listener],), name="gotgan-http")
    thread.start()
    try:
        while not ready.wait(_POLL_S):
            if not thread.is_alive():
                raise GotganError(_ENDED_EARLY())
        yield url_of(listener)
    finally:
        server.should_exit = True
        thread.join()


class _Server(uvicorn.Server):
    """uvicorn, which reports when it listens and leaves signals to us."""

    def __init__(
        self,
        application: Any,
        connection: type[Connection],
        limits: Limits,
        on_listening: Callable[[str], None],
        on_stopped: Callable[[], None],
        *,
        has_lifespan: bool = False,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                backlog=ACCEPT_BATCH,
                http=connection,
                loop="asyncio",
                ws="none",
                lifespan="on" if has_lifespan else "off",
                log_config=None,
                log_level="error",  # anyone can cause its warnings, as often as they like
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=math.ceil(limits.idle_s),
                timeout_graceful_shutdown=SHUTDOWN_TIMEOUT_S,
            ),
        )
        self._pool = Pool(limits, self._on_full)
        self.server_state = self._pool
        self.stopped_by: int | None = None
        # Both may happen thousands of times a second, and are logged once a minute.
        self._full = Outage("server.connections", level="warning")
        self._unaccepted = Outage("server.accept", level="warning")
        self._on_listening = on_listening
        self._on_stopped = on_stopped

    def stop(self, number: int, _frame: FrameType | None) -> None:
        """Stop when requests are done; the second time, stop at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self.stopped_by = number

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone: uvicorn would raise them again, and die of SIGTERM."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        asyncio.get_running_loop().set_exception_handler(self._on_error)
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(BACKLOG)  # how many may wait; asyncio takes one number for both
            self._on_listening(url_of(listener))

    async def on_tick(self, counter: int) -> bool:
        """Look after the connections, once a second."""
        if counter % 10 == 0:
            self._pool.close_late(asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, and say so."""
        await super().shutdown(sockets)
        self._on_stopped()

    def _on_full(self) -> None:
        self._full.failed(f"all {self._pool.limits.connections:,} connections are in use")

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, OSError) and "accept" in context.get("message", ""):
            self._unaccepted.failed(str(error))
        else:
            loop.default_exception_handler(context)
