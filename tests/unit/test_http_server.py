"""The server whose applications answer from threads: what is particular to it.

Limits are tested in ``test_connections.py``, the protocol of the engine in
``store/engine/test_http.py``.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from gotgan import http_server
from gotgan.http_connection import HttpRequest, HttpResponse
from tests.patience import PATIENCE

from .test_connections import (
    Place,
    ThreadedApplication,
    answered,
    connected,
    everything,
    threads_served,
)

GET = b"GET /%s HTTP/1.1\r\nhost: here\r\n\r\n"
PROGRAM = """
from gotgan import http_server
from tests.unit.test_connections import ThreadedApplication

try:
    http_server.serve(
        ThreadedApplication(), "127.0.0.1", 0, on_listening=lambda url: print(url, flush=True)
    )
except KeyboardInterrupt:
    print("interrupted", flush=True)
else:
    print("returned", flush=True)
"""


def read_answers(connection: socket.socket, count: int) -> bytes:
    """Read until that many answers have begun and the last one ended."""
    answers = b""
    while answers.count(b"HTTP/1.1 ") < count or not answers.endswith(b"\r\n\r\n0"):
        part = connection.recv(65_536)
        assert part
        answers += part
    return answers


@pytest.mark.parametrize("paths", [[b"x"] * 300, [b"busy", b"x", b"busy", b"x"]])
def test_requests_that_are_sent_at_once_are_answered_in_order(paths: list[bytes]) -> None:
    with threads_served() as (place, application):
        application.go_on.set()
        with connected(place, b"".join(GET % path for path in paths)) as connection:
            assert read_answers(connection, len(paths)).count(b"200 OK") == len(paths)


def test_a_request_that_comes_while_one_is_answered_waits_for_it() -> None:
    with threads_served() as (place, application), connected(place, GET % b"busy") as connection:
        assert application.busy.acquire(timeout=PATIENCE)
        connection.sendall(GET % b"x")
        application.go_on.set()
        read_answers(connection, 2)


def test_a_client_that_waits_to_be_asked_for_its_body_is_asked() -> None:
    head = b"POST / HTTP/1.1\r\nhost: here\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\n"
    with threads_served() as (place, _), connected(place, head) as connection:
        assert connection.recv(1_000) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"abc")
        assert connection.recv(1_000).endswith(b"\r\n\r\n3")


def test_an_offer_of_another_protocol_is_passed_over() -> None:
    offer = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"
    with threads_served() as (place, _), connected(place, offer + GET % b"x") as connection:
        read_answers(connection, 2)


@pytest.mark.parametrize(
    "head", [b"GET / HTTP/1.0\r\n\r\n", b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n"]
)
def test_a_connection_is_closed_where_the_client_wants_that(head: bytes) -> None:
    with threads_served() as (place, _):
        answer = everything(connected(place, head))
    assert b"connection: close\r\n" in answer
    assert answer.endswith(b"\r\n\r\n0")


def test_an_answer_to_head_has_the_length_of_the_body_and_no_body() -> None:
    with threads_served() as (place, _):
        answer = everything(connected(place, b"HEAD / HTTP/1.1\r\nconnection: close\r\n\r\n"))
    assert b"content-length: 1\r\n" in answer
    assert answer.endswith(b"\r\n\r\n")


def test_what_is_not_http_is_refused() -> None:
    with threads_served() as (place, _):
        assert everything(connected(place, b"\x16\x03\x01\r\n\r\n")).startswith(b"HTTP/1.1 400 ")


def test_a_body_beyond_the_limit_is_counted_and_not_kept() -> None:
    size = ThreadedApplication.max_body_bytes + 1
    head = b"POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % size
    with threads_served() as (place, _):
        answer = everything(connected(place, head, b"x" * size))
    assert answer.endswith(b"too large")


def test_a_large_answer_arrives_whole() -> None:
    with threads_served() as (place, _):
        request = b"GET /large HTTP/1.1\r\nconnection: close\r\n\r\n"
        answer = everything(connected(place, request))
    assert len(answer.partition(b"\r\n\r\n")[2]) == 50_000_000


def test_an_application_that_fails_costs_one_connection(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(ThreadedApplication):
        def answer(self, request: HttpRequest) -> HttpResponse:
            if request.path == b"/x":
                raise ZeroDivisionError("a bad request")
            return super().answer(request)

    with http_server.serve_in_thread(Broken()) as url:
        place = ("127.0.0.1", int(url.rpartition(":")[2]))
        assert everything(connected(place, GET % b"x")) == b""
        with connected(place, GET % b"y") as connection:
            answered(connection)
    assert "a bad request" in caplog.text


def test_a_client_that_leaves_while_it_is_answered_is_forgotten() -> None:
    with threads_served() as (place, application):
        connected(place, GET % b"busy").close()
        assert application.busy.acquire(timeout=PATIENCE)
        application.go_on.set()
        with connected(place, GET % b"x") as connection:
            answered(connection)


def test_many_clients_get_their_own_answers() -> None:
    def asks(path: bytes) -> None:
        with connected(place) as connection:
            for _ in range(50):
                connection.sendall(GET % path)
                answered(connection)

    with threads_served() as (place, application), ThreadPoolExecutor(8) as clients:
        application.go_on.set()
        list(clients.map(asks, [b"busy", b"x"] * 4))


def test_a_server_that_stops_answers_the_request_that_is_being_sent() -> None:
    head = b"POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\n"
    with ThreadPoolExecutor(1) as pool:
        with threads_served() as (place, _):
            connection = connected(place, head)
            assert connection.recv(1_000).endswith(b"100 Continue\r\n\r\n")
            answer = pool.submit(_finish_when_closed, place, connection)
        assert b"connection: close\r\n" in answer.result()
        assert answer.result().endswith(b"\r\n\r\n3")


def _finish_when_closed(place: Place, connection: socket.socket) -> bytes:
    """Send the rest of a request as soon as nobody can connect any more."""
    while True:
        try:
            socket.create_connection(place).close()
        except OSError:
            connection.sendall(b"abc")
            return everything(connection)


@pytest.mark.parametrize(
    ("number", "last"), [(signal.SIGTERM, "returned"), (signal.SIGINT, "interrupted")]
)
def test_a_program_ends_by_either_signal_and_says_by_which(
    number: signal.Signals, last: str
) -> None:
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        with connected(("127.0.0.1", int(url.rpartition(":")[2])), GET % b"x") as connection:
            answered(connection)
        process.send_signal(number)
        said, _ = process.communicate(timeout=PATIENCE)
    assert said.split() == [last]
    assert process.returncode == 0
