"""The engine over HTTP: DynamoDB's JSON protocol, for the HTTP server.

The endpoint accepts any credentials, so a browser page that reaches it has every right. DynamoDB
Local lets every page through; here only pages of this machine may call, because the data behind
this endpoint is meant to stay, unless other origins are given. Programs that are not browsers send
no origin.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import lru_cache
from os import urandom
from typing import Final
from urllib.parse import urlsplit

from gotgan import http_server
from gotgan.http_connection import HttpRequest, HttpResponse
from gotgan.store.engine.protocol import (
    MAX_BODY_BYTES,
    UNKNOWN_OPERATION,
    Executor,
    RequestEntityTooLargeException,
    WireRequest,
    WireResponse,
    error_response,
    respond,
)
from gotgan.store.engine.shapes import STREAM_OPERATIONS

# A worker thread costs more than a GetItem does, so the server's loop answers those itself. What
# may wait for the disk or for another process's lock, or read a megabyte, goes to workers: writes
# to their own, where they share one fsync and where a lock that is held keeps no reader waiting.
_INLINE_TARGET: Final = b"DynamoDB_20120810.GetItem"
_READS: Final = (
    "BatchGetItem DescribeContinuousBackups DescribeEndpoints DescribeLimits DescribeTable"
    " DescribeTimeToLive ListTables ListTagsOfResource Query Scan TransactGetItems"
)
_READ_TARGETS: Final = frozenset(
    {
        *(f"DynamoDB_20120810.{name}".encode() for name in _READS.split()),
        *(f"DynamoDBStreams_20120810.{name}".encode() for name in STREAM_OPERATIONS),
    }
)
_POOL_THREADS: Final = 16
_LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DESKTOP_SCHEMES: Final = frozenset({"app", "file"})  # pages that are part of a desktop program
_PLAIN: Final = b"text/plain; charset=utf-8"
_PREFLIGHT: Final = WireResponse(200, b"", _PLAIN)
_UNTRUSTED_ORIGIN: Final = WireResponse(
    403, b"Only pages of this machine may call this endpoint from a browser.\n", _PLAIN
)
_TOO_LARGE: Final = error_response(RequestEntityTooLargeException())
_HEALTHY: Final = b"healthy: dynamodb.us-east-1.amazonaws.com "
_BROWSER_TEXT: Final = b"""

This is Gotgan's DynamoDB. It is for programs, which speak DynamoDB's API to it; any region and any
credentials will do. For example, with the AWS CLI:

    aws dynamodb list-tables --endpoint-url http://%s
"""


def serve(
    engine: Executor,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    origins: frozenset[str] = frozenset(),
    on_listening: Callable[[str], None] = lambda _url: None,
) -> None:
    """Serve until SIGTERM or SIGINT; the engine stays open, for the caller to close.

    Pages of ``origins`` may call from a browser, apart from those of this machine; ``*`` is any.
    """
    http_server.serve(Application(engine, origins), host, port, on_listening=on_listening)


def background_server(
    engine: Executor, host: str = "127.0.0.1", port: int = 0
) -> AbstractContextManager[str]:
    """Serve from a thread for as long as the block runs; the block is given the endpoint's URL."""
    return http_server.serve_in_thread(Application(engine), host, port)


class Application:
    """One DynamoDB endpoint on one engine."""

    max_body_bytes = MAX_BODY_BYTES

    def __init__(self, engine: Executor, origins: frozenset[str] = frozenset()) -> None:
        self._engine = engine
        self._origins = origins
        self._readers = ThreadPoolExecutor(_POOL_THREADS, thread_name_prefix="gotgan-reads")
        self._writers = ThreadPoolExecutor(_POOL_THREADS, thread_name_prefix="gotgan-writes")

    def close(self) -> None:
        """Stop the worker threads once they have finished their requests."""
        self._readers.shutdown()
        self._writers.shutdown()

    def pool_for(self, request: HttpRequest) -> ThreadPoolExecutor | None:
        """The threads that run a request; None if it takes less time than a thread costs."""
        if request.method != b"POST":
            return None
        target = request.headers.get(b"x-amz-target", b"")
        if target == _INLINE_TARGET:
            return None
        return self._readers if target in _READ_TARGETS else self._writers

    def answer(self, request: HttpRequest) -> HttpResponse:
        """Answer one HTTP request."""
        origin = request.headers.get(b"origin")
        if not (origin is None or _is_trusted_origin(origin) or self._is_allowed(origin)):
            return _http_response(_UNTRUSTED_ORIGIN, [])
        return _http_response(self._respond(request), _cors_headers(request.headers))

    def _is_allowed(self, origin: bytes) -> bool:
        return "*" in self._origins or origin.decode("latin-1") in self._origins

    def _respond(self, request: HttpRequest) -> WireResponse:
        method, headers = request.method, request.headers
        if method == b"POST":
            if request.body is None:
                return _TOO_LARGE
            return respond(self._engine, WireRequest(headers, request.query, request.body))
        if method in {b"GET", b"HEAD"}:  # a health check, or a person with a browser
            body = _HEALTHY
            if b"text/html" in headers.get(b"accept", b""):
                body += _BROWSER_TEXT % headers.get(b"host", b"localhost:8000")
            return WireResponse(200, body, _PLAIN)
        return _PREFLIGHT if method == b"OPTIONS" else UNKNOWN_OPERATION


def _http_response(response: WireResponse, extra: list[tuple[bytes, bytes]]) -> HttpResponse:
    headers = [
        (b"content-type", response.content_type),
        (b"content-length", b"%d" % len(response.body)),
        (b"x-amzn-requestid", urandom(26).hex().upper().encode()),
        (b"x-amz-crc32", b"%d" % zlib.crc32(response.body)),
        *extra,
    ]
    if response.encoding:  # the checksum is that of what is sent
        headers.append((b"content-encoding", response.encoding))
    return HttpResponse(response.status, headers, response.body)


@lru_cache(maxsize=256)
def _is_trusted_origin(origin: bytes) -> bool:
    """Whether the page is on this machine, or in a desktop program such as Workbench.

    ``null`` is refused: a page of any site can send it.
    """
    try:
        parts = urlsplit(origin.decode("latin-1"))
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme in {"http", "https"}:
        return host in _LOCAL_HOSTS or host.endswith(".localhost")
    return parts.scheme in _DESKTOP_SCHEMES


def _cors_headers(headers: Mapping[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """Return what a browser needs before it hands the answer to a trusted page."""
    origin = headers.get(b"origin")
    if origin is None:
        return []
    granted = [
        (b"access-control-allow-origin", origin),
        (b"access-control-expose-headers", b"x-amzn-requestid,x-amz-crc32,date"),
        (b"vary", b"origin"),
    ]
    method = headers.get(b"access-control-request-method")
    if method is not None:
        wanted = headers.get(b"access-control-request-headers", b"")
        granted += [
            (b"access-control-allow-methods", method),
            (b"access-control-allow-headers", wanted),
            (b"access-control-max-age", b"172800"),
        ]
    return granted
