"""A server on loopback that answers byte by byte what it is told, right or wrong."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from gotgan.clock import SystemClock
from gotgan.fetch import FetchRules, Web
from gotgan.fetch.guard import Lookup
from gotgan.fetch.models import Hop, HopResponse
from gotgan.fetch.wire import AiohttpTransport
from gotgan.retry import Policy

__all__ = ["SITE", "Request", "Server", "exchanged", "opened", "redirect", "reply", "server"]

SITE = "https://site.test"
"""What is served, as the resolver map has it; so is everything below it."""

Answer = bytes | Callable[[socket.socket], None]
"""What is sent; or what is done with the connection, which is closed afterwards."""


def reply(body: bytes = b"", status: int = 200, **headers: str) -> bytes:
    """A whole answer, after which the connection is closed."""
    said = {"Content-Length": str(len(body)), "Connection": "close"}
    said |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"HTTP/1.1 {status} Said", *(f"{name}: {value}" for name, value in said.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def redirect(to: str, status: int = 302) -> bytes:
    """An answer that leads elsewhere."""
    return reply(b"moved", status, Location=to)


@dataclass(frozen=True)
class Request:
    """What came in."""

    target: str
    headers: dict[str, str]
    method: str = "GET"
    body: bytes = b""

    @property
    def address(self) -> str:
        """Host and target, as the client sees them."""
        return self.headers["host"] + self.target


@dataclass
class Server:
    """What the server answers and was asked; change it while it runs."""

    place: str
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    connections: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    """Set when the test is done: what is kept waiting may go."""
    changed: threading.Condition = field(default_factory=threading.Condition)
    """Told of every request."""

    def says(self, path: str, *answers: Answer) -> None:
        """Answer so, one after another; the last one from then on."""
        self.answers[path] = list(answers)

    def hangs(self, connection: socket.socket) -> None:
        """Say nothing until the test is over or the client has left."""
        connection.settimeout(0.02)
        while not self.over.is_set():
            with contextlib.suppress(TimeoutError):
                if not connection.recv(1):
                    return

    @property
    def targets(self) -> list[str]:
        """What was asked for, but for robots.txt."""
        return [each.target for each in self.requests if each.target != "/robots.txt"]

    def answer_to(self, request: Request) -> Answer:
        """The next answer; there is no robots.txt unless it is said."""
        path = request.target.partition("?")[0]
        known = self.answers.get(path) or [reply(status=404)]
        return known.pop(0) if len(known) > 1 else known[0]


@contextmanager
def server(tls: ssl.SSLContext | None = None) -> Iterator[Server]:
    """A server that runs for as long as the block."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        told = Server(f"127.0.0.1:{listener.getsockname()[1]}")
        threads: list[threading.Thread] = []
        accepting = threading.Thread(target=_accept, args=(listener, told, threads, tls))
        accepting.start()
        try:
            yield told
        finally:
            told.over.set()
            listener.shutdown(socket.SHUT_RDWR)
            for thread in [accepting, *threads]:
                thread.join()


@contextmanager
def opened(served: Server, lookup: Lookup | None = None, **rules: Any) -> Iterator[Web]:
    """The web, in which site.test and all below it is the server, without politeness."""
    resolve = {"site.test": served.place, "*.site.test": served.place}
    usual: dict[str, Any] = {"delay": 0.0, "resolve": resolve, "retry": Policy(attempts=1)}
    made = FetchRules(**usual | rules)
    transport = AiohttpTransport(made, lookup=lookup) if lookup else None
    with Web(made, clock=SystemClock(), transport=transport) as web:
        yield web


def exchanged(url: str, *, seconds: float = 30.0, is_trusted: bool = True) -> HopResponse:
    """What one request brings, without anything around it."""

    async def story() -> HopResponse:
        wire = AiohttpTransport(FetchRules())
        try:
            return await wire.exchange(Hop(url, {}, is_trusted, 1_000_000, seconds))
        finally:
            await wire.close()

    return asyncio.run(story())


def _accept(
    listener: socket.socket,
    told: Server,
    threads: list[threading.Thread],
    tls: ssl.SSLContext | None,
) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:  # the test is over
            return
        told.connections += 1
        thread = threading.Thread(target=_serve, args=(connection, told, tls))
        threads.append(thread)
        thread.start()


def _serve(connection: socket.socket, told: Server, tls: ssl.SSLContext | None) -> None:
    with contextlib.suppress(OSError), connection:
        ours = tls.wrap_socket(connection, server_side=True) if tls else connection
        with ours:
            while request := _request(ours):
                with told.changed:
                    told.requests.append(request)
                    told.changed.notify_all()
                answer = told.answer_to(request)
                if callable(answer):
                    answer(ours)
                    return
                ours.sendall(answer)
                if b"Connection: close" in answer:
                    return


def _request(connection: socket.socket) -> Request | None:
    received = b""
    while b"\r\n\r\n" not in received:
        more = connection.recv(65_536)
        if not more:
            return None
        received += more
        if not received.startswith((b"GET ", b"POST ")):
            connection.sendall(reply(status=400))
            return None
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): said for name, _, said in (line.partition(": ") for line in lines)}
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65_536)
    method, target, _ = first.split(" ")
    return Request(target, headers, method, body)
