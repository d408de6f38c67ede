"""Listening sockets, and what all HTTP servers allow the clients that connect to them."""

from __future__ import annotations

import contextlib
import math
import socket
import sys
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final

from gotgan.errors import UsageError
from gotgan.messages import Template, text

if sys.platform != "win32":
    import resource


HEALTH_PATHS: Final = frozenset({"/livez", "/readyz", "/v1/health"})
"""The paths of health checks, which are answered even if all connections are busy."""
BACKLOG: Final = 2_048
"""How many connections may wait until they are accepted."""
ACCEPT_BATCH: Final = 32
"""Few, because connections that are closed to make room free their descriptors later."""
SHUTDOWN_TIMEOUT_S: Final = 10
"""How long requests may take to end when the server stops; some never end."""
_NOT_LISTENING: Final = Template(
    "listener.not_listening",
    "Could not listen on {host}:{port}: {cause}. Choose another port, or 0 for any free one.",
)
_MAX_DESCRIPTORS: Final = 65_536
_OTHER_DESCRIPTORS: Final = 256 + 8 * ACCEPT_BATCH
"""For files, databases, connections to the web, and those that are just being closed."""


class Phase(Enum):
    """What a connection is waiting for."""

    IDLE = auto()
    """Between two requests."""
    HEAD = auto()
    BODY = auto()
    BUSY = auto()
    """The request is complete; the application is answering it."""


@dataclass(frozen=True)
class Limits:
    """How many connections a server accepts, and how long a client may take."""

    connections: int = 2_048
    health_connections: int = 16
    """How many more are accepted for health checks."""
    idle_s: float = 75
    """Between two requests; longer than most clients keep an idle connection."""
    head_s: float = 10
    """For the request line and the headers."""
    head_bytes: int = 65_536
    body_s: float = 60
    """For the whole body."""
    body_bytes_per_s: int = 1_024
    """The slowest body, after the first ``head_s`` seconds."""
    unread_s: float = 60
    """For a client to read any part of its answer."""

    def seconds(self, phase: Phase, received: int) -> float:
        """How long a phase may last for a client that has sent that many bytes in it."""
        match phase:
            case Phase.IDLE:
                return self.idle_s
            case Phase.HEAD:
                return self.head_s
            case Phase.BODY:
                return min(self.body_s, self.head_s + received / self.body_bytes_per_s)
            case Phase.BUSY:
                return math.inf


def refusal(status: HTTPStatus) -> bytes:
    """An answer that the server gives in place of the application; the connection is closed."""
    head = f"HTTP/1.1 {status.value} {status.phrase}\r\n"
    rest = "content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    body = f"{status.phrase}\n"
    return f"{head}{rest}content-length: {len(body)}\r\n\r\n{body}".encode("ascii")


def listen(host: str, port: int) -> socket.socket:
    """Open a socket that listens; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends without delay (TCP_NODELAY) only where the protocol is named; without it every
    # answer, which uvicorn writes in two parts, waits 40 ms for the client's acknowledgement.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise UsageError(
            _NOT_LISTENING(host=host, port=str(port), cause=text(error.strerror or str(error))),
        ) from error
    return listener


def url_of(listener: socket.socket) -> str:
    """Where a listening socket can be called."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def raise_descriptor_limit() -> None:
    """Raise the limit of open files; many systems start with 1,024 or 256."""
    if sys.platform == "win32":
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS says that more are allowed than are
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def default_limits() -> Limits:
    """The usual limits, with no more connections than there is room for open files."""
    room = _descriptors() - _OTHER_DESCRIPTORS
    return Limits(connections=max(16, min(Limits.connections, room)))


def _descriptors() -> int:
    if sys.platform == "win32":
        return _MAX_DESCRIPTORS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
