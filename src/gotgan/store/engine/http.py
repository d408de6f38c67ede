"""The endpoint: the engine over HTTP, until it is told to stop."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Final

import uvicorn

from gotgan.errors import UsageError
from gotgan.store.engine.asgi import Application
from gotgan.store.engine.protocol import Executor

__all__ = ["serve", "serving"]

_IDLE_SECONDS: Final = 75
"""Longer than clients keep an idle connection, so that it is they who close it."""
_BACKLOG: Final = 2048
_STOPS: Final = (signal.SIGINT, signal.SIGTERM)


_LAST_SECONDS: Final = 10
"""How long requests may take to end when the server stops; some never come whole."""


def serve(
    engine: Executor,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    on_listening: Callable[[str], None] = lambda _url: None,
) -> None:
    """Serve until SIGTERM or SIGINT; requests that are under way are finished first.

    ``on_listening`` is given the endpoint's URL as soon as it can be called. Port 0 takes a free
    port. After SIGTERM this returns, after SIGINT it raises ``KeyboardInterrupt``; the engine stays
    open, for the caller to close.
    """
    listener = _listen(host, port)
    server = _Server(Application(engine), on_listening)
    before = {number: signal.signal(number, server.stop) for number in _STOPS}
    try:
        server.run([listener])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if server.stopped_by == signal.SIGINT:
        raise KeyboardInterrupt


@contextlib.contextmanager
def serving(engine: Executor, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve from a thread for as long as the block runs; the block is given the endpoint's URL."""
    listener = _listen(host, port)
    ready = threading.Event()
    server = _Server(Application(engine), lambda _url: ready.set())
    thread = threading.Thread(target=server.run, args=([listener],), name="gotgan-dynamodb-http")
    thread.start()
    try:
        ready.wait()
        yield _url(listener)
    finally:
        server.should_exit = True
        thread.join()


class _Server(uvicorn.Server):
    """uvicorn, which says when it listens and leaves signals to us."""

    def __init__(self, application: Application, on_listening: Callable[[str], None]) -> None:
        super().__init__(
            uvicorn.Config(
                application,
                http="httptools",
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
        self._application = application
        self._on_listening = on_listening

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
        """Stop, and let the workers go."""
        await super().shutdown(sockets)
        self._application.close()


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
