"""Connections: a client has only so long, and only so many of them are kept."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from gotgan import http_server, listener
from gotgan.http_connection import HttpRequest, HttpResponse
from gotgan.sockets import Limits
from tests.patience import PATIENCE

QUICK = Limits(idle_s=0.5, head_s=0.5, body_s=1.5, body_bytes_per_s=1_000, unread_s=0.5)
CHUNKED = b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n"
GET = b"GET /%s HTTP/1.1\r\nhost: here\r\n\r\n"


class Application:
    """Answers with the length of the body, at once or when told to."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.busy = threading.Semaphore(0)

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        size = 0
        if scope["path"] == "/busy":
            self.busy.release()
            await asyncio.to_thread(self.go_on.wait)
        more = scope["path"] != "/unread"
        while more:
            message = await receive()
            size += len(message.get("body", b""))
            more = message.get("more_body", False)
        large = 50_000_000 if scope["path"] == "/large" else 0
        text = b"x" * large or b"%d" % size
        headers = [(b"content-length", b"%d" % len(text))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": text})


class ThreadedApplication:
    """The same for the server whose applications answer from threads."""

    max_body_bytes = 1_000_000

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.busy = threading.Semaphore(0)
        self._pool = ThreadPoolExecutor()

    def pool_for(self, request: HttpRequest) -> ThreadPoolExecutor | None:
        return self._pool if request.path in {b"/busy", b"/large"} else None

    def answer(self, request: HttpRequest) -> HttpResponse:
        if request.path == b"/busy":
            self.busy.release()
            self.go_on.wait()
        size = "too large" if request.body is None else len(request.body)
        text = b"x" * 50_000_000 if request.path == b"/large" else f"{size}".encode()
        return HttpResponse(200, [(b"content-length", b"%d" % len(text))], text)

    def close(self) -> None:
        self._pool.shutdown()


Place = tuple[str, int]
Served = Callable[..., AbstractContextManager[tuple[Place, Application | ThreadedApplication]]]


@contextmanager
def asgi_served(limits: Limits = QUICK) -> Iterator[tuple[Place, Application]]:
    """A server of ASGI with these limits: its address, and its application."""
    application = Application()
    with listener.serve_in_thread(application, limits=limits) as url:
        yield _place(url), application


@contextmanager
def threads_served(limits: Limits = QUICK) -> Iterator[tuple[Place, ThreadedApplication]]:
    """The same with the server whose applications answer from threads."""
    application = ThreadedApplication()
    with http_server.serve_in_thread(application, limits=limits) as url:
        yield _place(url), application


def _place(url: str) -> Place:
    address = urlsplit(url)
    return address.hostname or "", address.port or 0


@pytest.fixture(params=[asgi_served, threads_served], ids=["asgi", "threads"])
def served(request: pytest.FixtureRequest) -> Served:
    """Each of the two servers, which keep the same limits."""
    serving: Served = request.param
    return serving


def connected(place: Place, *sent: bytes) -> socket.socket:
    """A connection over which something was sent."""
    connection = socket.create_connection(place, timeout=PATIENCE)
    for part in sent:
        connection.sendall(part)
    return connection


def everything(connection: socket.socket) -> bytes:
    """What is answered until the server closes."""
    parts = []
    with connection:
        try:
            while part := connection.recv(65_536):
                parts.append(part)
        except ConnectionResetError:
            pass
    return b"".join(parts)


def asked(connection: socket.socket, path: bytes = b"x") -> None:
    """Ask, and read the whole answer."""
    connection.sendall(GET % path)
    answered(connection)


def answered(connection: socket.socket) -> None:
    """Read a whole answer, which ends with the length of the body."""
    answer = b""
    while not answer.endswith(b"\r\n\r\n0"):
        part = connection.recv(65_536)
        assert part
        answer += part
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_a_connection_that_sends_nothing_is_closed_without_a_word(served: Served) -> None:
    with served() as (place, _):
        assert everything(connected(place)) == b""


@pytest.mark.parametrize("part", [b"GET / HT", GET[:-2] % b"x", b"\r\n\r\n"])
def test_a_request_whose_head_is_never_complete_is_a_timeout(served: Served, part: bytes) -> None:
    with served() as (place, _):
        assert everything(connected(place, part)).startswith(b"HTTP/1.1 408 Request Timeout\r\n")


def test_a_head_beyond_the_limit_is_refused(served: Served) -> None:
    with served(replace(QUICK, head_s=PATIENCE, head_bytes=1_000)) as (place, _):
        answer = everything(connected(place, b"GET / HTTP/1.1\r\nx: ", b"y" * 2_000))
    assert answer.startswith(b"HTTP/1.1 431 ")


def test_a_head_beyond_the_limit_is_refused_when_it_comes_whole(served: Served) -> None:
    with served(replace(QUICK, head_bytes=1_000)) as (place, _):
        whole = b"GET / HTTP/1.1\r\nx: %s\r\n\r\n"
        assert everything(connected(place, whole % (b"y" * 2_000))).startswith(b"HTTP/1.1 431 ")
        assert everything(connected(place, GET % b"x")).startswith(b"HTTP/1.1 200 ")


def _drip(place: Place, part: bytes, *, every: float = 0.05) -> bytes:
    """Send a body without an end, and return what is answered."""
    connection = connected(place, CHUNKED)
    connection.settimeout(every)
    answer = b""
    while True:
        try:
            connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
            received = connection.recv(65_536)
        except TimeoutError:
            continue
        except OSError:
            received = b""
        if not received:
            connection.close()
            return answer
        answer += received


def test_a_body_that_arrives_a_byte_at_a_time_is_a_timeout(served: Served) -> None:
    with served(replace(QUICK, body_s=PATIENCE)) as (place, _):
        assert _drip(place, b"x").startswith(b"HTTP/1.1 408 ")


def test_a_body_that_arrives_quickly_may_not_go_on_for_ever(served: Served) -> None:
    with served(replace(QUICK, body_bytes_per_s=1)) as (place, _):
        assert _drip(place, b"x" * 1_000).startswith(b"HTTP/1.1 408 ")


def test_a_body_that_arrives_steadily_is_read_to_its_end(served: Served) -> None:
    with served(replace(QUICK, body_s=PATIENCE, body_bytes_per_s=100)) as (place, _):
        connection = connected(place, CHUNKED)
        for _ in range(40):  # for longer than a head may take
            connection.sendall(b"64\r\n%s\r\n" % (b"x" * 100))
            assert _is_silent(connection, 0.05)
        connection.sendall(b"0\r\n\r\n")
        assert b"200 OK" in everything(connection)


def _is_silent(connection: socket.socket, seconds: float) -> bool:
    connection.settimeout(seconds)
    try:
        connection.recv(1)
    except TimeoutError:
        connection.settimeout(PATIENCE)
        return True
    return False


def test_a_body_that_the_application_does_not_want_ends_too() -> None:
    with asgi_served() as (place, _):
        connection = connected(place, CHUNKED.replace(b"/ ", b"/unread "))
        answered(connection)
        connection.sendall(b"1\r\nx\r\n")
        assert b"408" not in everything(connection)


def test_an_answer_under_way_is_not_subject_to_the_time_of_its_request(served: Served) -> None:
    with served() as (place, application):
        first = connected(place, GET % b"busy")
        everything(connected(place))  # until a later connection was closed for its time
        application.go_on.set()
        answered(first)
        assert everything(first) == b""  # then it is idle, for as long as it may be


def test_a_client_that_does_not_read_its_answer_is_left(served: Served) -> None:
    with served() as (place, _):
        connection = connected(place, GET % b"large")
        everything(connected(place))
        everything(connected(place))
        assert len(everything(connection)) < 50_000_000


def test_the_connection_that_waited_longest_makes_room(served: Served) -> None:
    with served(Limits(connections=3)) as (place, _), ExitStack() as stack:
        kept = [stack.enter_context(connected(place)) for _ in range(3)]
        for each in (*kept, kept[0]):  # which waits since now
            asked(each)
        assert httpx.get(f"http://{place[0]}:{place[1]}", timeout=PATIENCE).text == "0"
        assert everything(kept[1]) == b""
        for each in (kept[0], kept[2]):
            asked(each)


def test_a_busy_server_answers_only_health_checks(served: Served) -> None:
    limits = Limits(connections=2, health_connections=2)
    with served(limits) as (place, application), ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(connected(place, GET % b"busy"))
            assert application.busy.acquire(timeout=PATIENCE)
        url = f"http://{place[0]}:{place[1]}"
        assert httpx.get(f"{url}/x", timeout=PATIENCE).status_code == 503
        assert httpx.get(f"{url}/livez", timeout=PATIENCE).status_code == 200
        assert httpx.get(f"{url}/v1/health?x=1", timeout=PATIENCE).status_code == 200
        application.go_on.set()
