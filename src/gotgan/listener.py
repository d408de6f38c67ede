"""Serving an application over HTTP on a socket of ours, until a signal."""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from types import FrameType
from typing import Any, Final

import uvicorn

from gotgan.connections import Connection, Limits, Pool
from gotgan.errors import GotganError, UsageError
from gotgan.messages import Template, text
from gotgan.retry import Outage

if sys.platform != "win32":
    import resource


_ENDED_EARLY: Final = Template(
    "listener.ended_early", "The server stopped before it listened. See its log."
)
_NOT_LISTENING: Final = Template(
    "listener.not_listening",
    "Could not listen on {host}:{port}: {cause}. Choose another port, or 0 for any free one.",
)
_BACKLOG: Final = 2_048
_ACCEPT_BATCH: Final = 32
"""Few, because connections that are closed to make room free their descriptors later."""
_MAX_DESCRIPTORS: Final = 65_536
_OTHER_DESCRIPTORS: Final = 256 + 8 * _ACCEPT_BATCH
"""For files, databases, connections to the web, and those that are just being closed."""
_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_POLL_S: Final = 0.5
_SHUTDOWN_TIMEOUT_S: Final = 10
"""How long requests may take to end when the server stops; some never end."""


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
    _raise_descriptor_limit()
    try:
        listener = _listen(host, port)
    except UsageError:
        if not or_any:
            raise
        listener = _listen(host, 0)
    server = _Server(
        application, connection, _limits(), on_listening, on_stopped, has_lifespan=has_lifespan
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
    listener = _listen(host, port)
    ready = threading.Event()
    server = _Server(
        application, connection, limits or _limits(), lambda _url: ready.set(), on_stopped
    )
    thread = threading.Thread(target=server.run, args=([listener],), name="gotgan-http")
    thread.start()
    try:
        while not ready.wait(_POLL_S):
            if not thread.is_alive():
                raise GotganError(_ENDED_EARLY())
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
                backlog=_ACCEPT_BATCH,
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
                timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT_S,
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
            listener.listen(_BACKLOG)  # how many may wait; asyncio takes one number for both
            self._on_listening(_url(listener))

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


def _raise_descriptor_limit() -> None:
    """Raise the limit of open files; many systems start with 1,024 or 256."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS says that more are allowed than are
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _descriptors() -> int:
    if sys.platform == "win32":
        return _MAX_DESCRIPTORS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


def _limits() -> Limits:
    room = _descriptors() - _OTHER_DESCRIPTORS
    return Limits(connections=max(16, min(Limits.connections, room)))


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
            _NOT_LISTENING(host=host, port=str(port), cause=text(error.strerror or str(error))),
        ) from error
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
