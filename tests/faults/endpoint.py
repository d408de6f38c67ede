"""A DynamoDB endpoint that misbehaves by plan: a real engine behind a server of our own.

    with faulty(engine, [throttles(), closed_after().of("PutItem")]) as endpoint:
        driver = Aws(endpoint.url)

Each mishap happens once, in the order of the plan, to the first call that it fits. Calls that no
mishap fits are carried out as they should be.
"""

from __future__ import annotations

import contextlib
import select
import sys
import threading
import zlib
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson

from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.engine.protocol import Executor, WireRequest, WireResponse, error_body, respond
from tests.faults.mishaps import Mishap

__all__ = ["Endpoint", "faulty"]


class Endpoint:
    """A running endpoint, and what has happened at it."""

    def __init__(self, engine: Executor, plan: Iterable[Mishap]) -> None:
        self.engine = engine
        self.stopping = threading.Event()
        self._plan = list(plan)
        self._seen: list[tuple[str, str]] = []
        self._lock = threading.Lock()
        self._server = _Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def seen(self) -> list[tuple[str, str]]:
        """Every call so far: the operation, and the mishap that happened to it, or ``ok``."""
        with self._lock:
            return list(self._seen)

    @property
    def left(self) -> list[Mishap]:
        """The mishaps that have not happened yet."""
        with self._lock:
            return list(self._plan)

    def plan(self, *mishaps: Mishap) -> None:
        """Let these happen too, after those that were planned before."""
        with self._lock:
            self._plan += mishaps

    def draw(self, operation: str) -> Mishap | None:
        """Take the mishap that is to happen to this call."""
        with self._lock:
            fits = (one for one in self._plan if one.operation in {None, operation})
            drawn = next(fits, None)
            if drawn is not None:
                self._plan.remove(drawn)
            self._seen.append((operation, drawn.name if drawn else "ok"))
            return drawn

    @contextlib.contextmanager
    def running(self) -> Iterator[Endpoint]:
        """Serve from a thread for as long as the block runs."""
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self.stopping.set()
            self._server.shutdown()
            thread.join()
            self._server.server_close()


@contextlib.contextmanager
def faulty(engine: Executor, plan: Iterable[Mishap] = ()) -> Iterator[Endpoint]:
    """An endpoint in front of the engine, with whom calls go wrong as planned."""
    with Endpoint(engine, plan).running() as endpoint:
        yield endpoint


class _Server(ThreadingHTTPServer):
    block_on_close = True
    daemon_threads = False

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Mind no client that left before it had its answer."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """One connection; an ``Exchange`` for each of its requests."""

    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self) -> None:
        super().setup()
        self.operation = ""
        self.body = b""

    def handle_one_request(self) -> None:
        if self._has_input():
            super().handle_one_request()
        else:
            self.close_connection = True

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        self.operation = self.headers["X-Amz-Target"].partition(".")[2]
        mishap = self.server.endpoint.draw(self.operation)
        if mishap is None:
            self.reply(self.carry_out())
        else:
            mishap.happen(self)

    def carry_out(self, body: bytes | None = None) -> WireResponse:
        headers = {name.lower().encode(): value.encode() for name, value in self.headers.items()}
        call = WireRequest(headers, b"", self.body if body is None else body)
        return respond(self.server.endpoint.engine, call)

    def refusal(self, fault: DynamoDBError) -> WireResponse:
        return WireResponse(fault.status, orjson.dumps(error_body(fault)))

    def reply(
        self, answer: WireResponse, *, sent: int | None = None, checksum: bool = True
    ) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type.decode())
        self.send_header("Content-Length", str(len(answer.body)))
        if checksum:
            self.send_header("x-amz-crc32", str(zlib.crc32(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body[:sent])
        self.wfile.flush()
        self.close_connection = self.close_connection or sent is not None

    def hang_up(self) -> None:
        self.close_connection = True

    def wait_for_client(self, seconds: float | None = None) -> None:
        """Wait until the client's end is closed: it sends nothing while it waits for an answer."""
        if seconds is None:
            self._has_input()
            self.close_connection = True
        else:
            self.server.endpoint.stopping.wait(seconds)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - http.server's name
        """Keep quiet."""

    def _has_input(self) -> bool:
        """Wait until there is something to read; False where the endpoint stops before."""
        while not self.server.endpoint.stopping.is_set():
            if select.select([self.connection], [], [], 0.02)[0]:
                return True
        return False
