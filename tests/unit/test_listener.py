"""Serving: on loopback, until it is told to stop, with requests under way finished first."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from gotgan import listener
from gotgan.errors import UsageError
from tests.patience import PATIENCE

Send = Callable[[dict[str, Any]], Awaitable[None]]

PROGRAM = """
import sys
from gotgan import listener
from tests.unit.test_listener import hello

said = lambda url: print(url, flush=True)
stopped = lambda: print("stopped", flush=True)
try:
    listener.serve(hello, "127.0.0.1", 0, on_listening=said, on_stopped=stopped)
except KeyboardInterrupt:
    print("interrupted", flush=True)
else:
    print("returned", flush=True)
"""


async def hello(scope: dict[str, Any], _receive: Any, send: Send) -> None:
    """Say hello, and where the request came in."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["path"].encode()})


@contextmanager
def program() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server as a program of its own, and its URL."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def _when_closed(url: str, act: Callable[[], None]) -> None:
    """Act as soon as nobody can connect any more."""
    address = urlsplit(url)
    while True:
        try:
            socket.create_connection((address.hostname, address.port)).close()
        except OSError:
            act()
            return


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_an_application_is_served_for_as_long_as_the_block_runs() -> None:
    with listener.serve_in_thread(hello) as url:
        assert url.startswith("http://127.0.0.1:")
        assert httpx.get(f"{url}/there", timeout=PATIENCE).text == "/there"
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, timeout=PATIENCE)


def test_what_is_to_be_done_at_the_end_is_done_once() -> None:
    ended: list[str] = []
    with listener.serve_in_thread(hello, on_stopped=lambda: ended.append("end")) as url:
        httpx.get(url, timeout=PATIENCE)
        assert ended == []
    assert ended == ["end"]


def test_a_block_that_fails_stops_the_server_too() -> None:
    ended: list[str] = []
    with (
        pytest.raises(ZeroDivisionError),
        listener.serve_in_thread(hello, on_stopped=lambda: ended.append("end")),
    ):
        _ = 1 / 0
    assert ended == ["end"]


def test_a_request_that_is_under_way_is_finished_first() -> None:
    begun, go_on = threading.Event(), threading.Event()

    async def slow(scope: dict[str, Any], receive: Any, send: Send) -> None:
        begun.set()
        await asyncio.to_thread(go_on.wait)
        await hello(scope, receive, send)

    with ThreadPoolExecutor(2) as pool:
        with listener.serve_in_thread(slow, on_stopped=lambda: None) as url:
            answer = pool.submit(httpx.get, f"{url}/slow")
            begun.wait()
            pool.submit(_when_closed, url, go_on.set)
        assert answer.result().text == "/slow"


@pytest.mark.skipif(not _has_ipv6(), reason="this machine has no ::1")
def test_an_address_of_ipv6_is_written_with_brackets() -> None:
    with listener.serve_in_thread(hello, "::1") as url:
        assert url.startswith("http://[::1]:")
        assert httpx.get(f"{url}/six", timeout=PATIENCE).text == "/six"


def test_a_port_in_use_is_a_usage_error_that_names_it() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with (
            pytest.raises(UsageError, match=f"127.0.0.1:{port}.*Choose another port"),
            listener.serve_in_thread(hello, port=port),
        ):
            pass


def test_the_port_is_free_again_when_the_server_has_stopped() -> None:
    with listener.serve_in_thread(hello) as url:
        httpx.get(url, timeout=PATIENCE)
    with listener.serve_in_thread(hello, port=urlsplit(url).port or 0) as again:
        assert again == url


def test_nothing_says_what_the_server_is_made_of() -> None:
    with listener.serve_in_thread(hello) as url:
        assert "server" not in httpx.get(url, timeout=PATIENCE).headers


@pytest.mark.parametrize(
    ("number", "last"), [(signal.SIGTERM, "returned"), (signal.SIGINT, "interrupted")]
)
def test_a_program_ends_by_either_signal_and_says_by_which(
    number: signal.Signals, last: str
) -> None:
    with program() as (process, url):
        assert httpx.get(f"{url}/x", timeout=PATIENCE).text == "/x"
        process.send_signal(number)
        said, _ = process.communicate(timeout=30)
    assert said.split() == ["stopped", last]
    assert process.returncode == 0
