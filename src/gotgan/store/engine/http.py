"""The engine over HTTP: an ASGI application that speaks DynamoDB's JSON protocol, and its server.

The endpoint accepts any credentials, so a browser page that reaches it has every right. DynamoDB
Local lets every page through; here only pages of this machine may call, because the data behind
this endpoint is meant to stay. Programs that are not browsers send no origin.
"""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from gotgan import listener
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

_Scope: TypeAlias = MutableMapping[str, Any]
_Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
_Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]

# A worker thread costs more than a GetItem does, so the event loop answers those itself. What may
# wait for the disk or for another process's lock, or read a megabyte, goes to workers: writes to
# their own, where they share one fsync and where a lock that is held keeps no reader waiting.
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
    on_listening: Callable[[str], None] = lambda _url: None,
) -> None:
    """Serve until SIGTERM or SIGINT; the engine stays open, for the caller to close."""
    application = Application(engine)
    listener.serve(application, host, port, on_listening=on_listening, on_stopped=application.close)


def background_server(
    engine: Executor, host: str = "127.0.0.1", port: int = 0
) -> AbstractContextManager[str]:
    """Serve from a thread for as long as the block runs; the block is given the endpoint's URL."""
    application = Application(engine)
    return listener.serve_in_thread(application, host, port, on_stopped=application.close)


class Application:
    """One DynamoDB endpoint on one engine."""

    def __init__(self, engine: Executor) -> None:
        self._engine = engine
        self._readers = ThreadPoolExecutor(_POOL_THREADS, thread_name_prefix="gotgan-reads")
        self._writers = ThreadPoolExecutor(_POOL_THREADS, thread_name_prefix="gotgan-writes")

    def close(self) -> None:
        """Stop the worker threads once they have finished their requests."""
        self._readers.shutdown()
        self._writers.shutdown()

    async def __call__(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        """Answer one HTTP request."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is not None and not _is_trusted_origin(origin):
            await _send_response(send, _UNTRUSTED_ORIGIN, [])
            return
        try:
            response = await self._respond(scope, headers, receive)
        except asyncio.CancelledError:
            return  # the server stops, and has waited long enough for the rest of this request
        await _send_response(send, response, _cors_headers(headers))

    async def _respond(
        self, scope: _Scope, headers: dict[bytes, bytes], receive: _Receive
    ) -> WireResponse:
        method = scope["method"]
        if method == "POST":
            body = await _read_body(receive)
            if body is None:
                return _TOO_LARGE
            return await self._execute(WireRequest(headers, scope["query_string"], body))
        if method in {"GET", "HEAD"}:  # a health check, or a person with a browser
            body = _HEALTHY
            if b"text/html" in headers.get(b"accept", b""):
                body += _BROWSER_TEXT % headers.get(b"host", b"localhost:8000")
            return WireResponse(200, body, _PLAIN)
        return _PREFLIGHT if method == "OPTIONS" else UNKNOWN_OPERATION

    async def _execute(self, request: WireRequest) -> WireResponse:
        """Run a request on the event loop or in a worker."""
        target = request.headers.get(b"x-amz-target", b"")
        if target == _INLINE_TARGET:
            return respond(self._engine, request)
        pool = self._readers if target in _READ_TARGETS else self._writers
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(pool, respond, self._engine, request)


async def _read_body(receive: _Receive) -> bytes | None:
    """Read the body; None where it is too large, of which no more than the limit is kept."""
    parts: list[bytes] = []
    size = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""  # an incomplete request is dropped
        more = message["more_body"]
        size += len(message["body"])
        if size <= MAX_BODY_BYTES:
            parts.append(message["body"])
    return b"".join(parts) if size <= MAX_BODY_BYTES else None


async def _send_response(
    send: _Send, response: WireResponse, extra: list[tuple[bytes, bytes]]
) -> None:
    headers = [
        (b"content-type", response.content_type),
        (b"content-length", b"%d" % len(response.body)),
        (b"x-amzn-requestid", secrets.token_hex(26).upper().encode()),
        (b"x-amz-crc32", b"%d" % zlib.crc32(response.body)),
        *extra,
    ]
    if response.encoding:  # the checksum is that of what is sent
        headers.append((b"content-encoding", response.encoding))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})


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
