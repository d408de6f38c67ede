"""Serving an application over HTTP: on a socket of our own, until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from types import FrameType
from typing import Any, Final, Literal

import uvicorn

from gotgan.errors import GotganError, UsageError

__all__ = ["Connection", "is_loopback", "serve", "serving"]

Connection = type[asyncio.Protocol] | Literal["httptools"]
"""What speaks HTTP on a connection: uvicorn's own class, or one derived from it."""
_IDLE_SECONDS: Final = 75
"""Longer than clients keep an idle connection, so that it is they who close it."""
_BACKLOG: Final = 2048
_STOPS: Final = (signal.SIGINT, signal.SIGTERM)
_LOOK_AGAIN: Final = 0.5
_LAST_SECONDS: Final = 10
"""How long requests may take to end when the server stops; some never come whole."""


def _nothing() -> None:
    """What is done where nothing is to be done."""


def serve(
    application: Any,
    host: str,
    port: int,
    *,
    connection: Connection = "httptools",
    or_any: bool = False,
    on_listening: Callable[[str], None] = lambda _url: None,
    on_stopped: Callable[[], None] = _nothing,
) -> None:
    """Serve until SIGTERM or SIGINT; requests that are under way are finished first.

    ``on_listening`` is given the URL as soon as it can be called, ``on_stopped`` is called when
    the last request is done. Port 0 takes a free port, and so does one that cannot be had where
    ``or_any`` is. After SIGTERM this returns, after SIGINT it raises ``KeyboardInterrupt``.
    """
    listener = _listen_somewhere(host, port) if or_any else _listen(host, port)
    server = _Server(application, connection, on_listening, on_stopped)
    before = {number: signal.signal(number, server.stop) for number in _STOPS}
    try:
        server.run([listener])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if server.stopped_by == signal.SIGINT:
        raise KeyboardInterrupt


@contextlib.contextmanager
def serving(
    application: Any,
    host: str = "127.0.0.1",
    port: int = 0,
    *,
    connection: Connection = "httptools",
    on_stopped: Callable[[], None] = _nothing,
) -> Iterator[str]:
    """Serve from a thread for as long as the block runs; the block is given the URL."""
    listener = _listen(host, port)
    ready = threading.Event()
    server = _Server(application, connection, lambda _url: ready.set(), on_stopped)
    thread = threading.Thread(target=server.run, args=([listener],), name="gotgan-http")
    thread.start()
    try:
        while not ready.wait(_LOOK_AGAIN):
            if not thread.is_alive():
                raise GotganError("the server ended before it listened; its log says why")
        yield _url(listener)
    finally:
        server.should_exit = True
        thread.join()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Server(uvicorn.Server):
    """uvicorn, which says when it listens and leaves signals to us."""

    def __init__(
        self,
        application: Any,
        connection: Connection,
        on_listening: Callable[[str], None],
        on_stopped: Callable[[], None],
    ) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                http=connection,
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=_IDLE_SECONDS,
                timeout_graceful_shutdown=_LAST_SECONDS,
            ),
        )
        self.stopped_by: int | None = None
        self._on_listening = on_listening
        self._on_stopped = on_stopped

    def stop(self, number: int, _frame: FrameType | None) -> None:
        """Stop when requests are done; told a second time, stop at once."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self.stopped_by = number

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals alone: uvicorn would raise them again, and die of SIGTERM."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        for listener in sockets or []:
            self._on_listening(_url(listener))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, and say so."""
        await super().shutdown(sockets)
        self._on_stopped()


def _listen_somewhere(host: str, port: int) -> socket.socket:
    try:
        return _listen(host, port)
    except UsageError:
        return _listen(host, 0)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends without delay (TCP_NODELAY) only where the protocol is named; without it every
    # answer, which uvicorn writes in two parts, waits 40 ms for the client's acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise UsageError(
            f"Cannot listen on {host}:{port}: {error.strerror or error}. Choose another port, or 0"
            " for any free one.",
        ) from error
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
