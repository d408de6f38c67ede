"""The ASGI application that speaks DynamoDB's JSON protocol, without a framework."""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeAlias

from gotgan.store.engine.origins import cross_origin_headers, is_trusted
from gotgan.store.engine.protocol import NO_OPERATION, Call, Executor, WireResponse, answer

__all__ = ["MAX_BODY", "Application"]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

MAX_BODY: Final = 16 * 1024 * 1024
"""AWS takes no request over 16 MB."""

# The way through a worker thread costs more than a get does, so the event loop itself answers gets.
# What may wait for the disk or for another process's lock, or read a megabyte, goes to workers:
# writes to their own, where they share one fsync and where a lock that is held keeps no reader
# waiting.
_AT_ONCE: Final = b"DynamoDB_20120810.GetItem"
_READS: Final = frozenset(
    {
        b"DynamoDB_20120810.BatchGetItem",
        b"DynamoDB_20120810.DescribeTable",
        b"DynamoDB_20120810.DescribeTimeToLive",
        b"DynamoDB_20120810.ListTables",
        b"DynamoDB_20120810.Query",
        b"DynamoDB_20120810.Scan",
        b"DynamoDB_20120810.TransactGetItems",
    },
)
_WORKERS: Final = 16
_PLAIN: Final = b"text/plain; charset=utf-8"
_PREFLIGHT: Final = WireResponse(200, b"", _PLAIN)
_FOREIGN: Final = WireResponse(
    403,
    b"Only pages of this machine may call this endpoint from a browser.\n",
    _PLAIN,
)
_TOO_LARGE: Final = WireResponse(
    413,
    b'{"__type":"com.amazon.coral.service#RequestEntityTooLargeException",'
    b'"message":"A request may have 16 MB; this one has more. Send it in parts."}',
)
_HEALTHY: Final = b"healthy: dynamodb.us-east-1.amazonaws.com "
_FOR_PEOPLE: Final = b"""

This is Gotgan's DynamoDB. It is for programs, which speak DynamoDB's API to it; any region and any
credentials will do. For example, with the AWS CLI:

    aws dynamodb list-tables --endpoint-url http://%s
"""


class Application:
    """One DynamoDB endpoint on one engine."""

    def __init__(self, engine: Executor) -> None:
        self._engine = engine
        self._readers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="gotgan-reads")
        self._writers = ThreadPoolExecutor(_WORKERS, thread_name_prefix="gotgan-writes")

    def close(self) -> None:
        """Let the worker threads finish what they have, and go."""
        self._readers.shutdown()
        self._writers.shutdown()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is not None and not is_trusted(origin):
            await _send(send, _FOREIGN, [])
            return
        try:
            reply = await self._reply(scope, headers, receive)
        except asyncio.CancelledError:
            return  # the server stops, and has waited long enough for the rest of this request
        await _send(send, reply, cross_origin_headers(headers))

    async def _reply(
        self, scope: Scope, headers: dict[bytes, bytes], receive: Receive
    ) -> WireResponse:
        method = scope["method"]
        if method == "POST":
            body = await _read(receive)
            if body is None:
                return _TOO_LARGE
            return await self._execute(Call(headers, scope["query_string"], body))
        if method in {"GET", "HEAD"}:
            return _health(headers)
        return _PREFLIGHT if method == "OPTIONS" else NO_OPERATION

    async def _execute(self, call: Call) -> WireResponse:
        """Run a request on the event loop or in a worker, whichever is better for all."""
        target = call.headers.get(b"x-amz-target", b"")
        if target == _AT_ONCE:
            return answer(self._engine, call)
        pool = self._readers if target in _READS else self._writers
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(pool, answer, self._engine, call)


async def _read(receive: Receive) -> bytes | None:
    """Read the body; None where it is too large, and then what is too much is not kept."""
    parts: list[bytes] = []
    size = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""  # half a request is none
        more = message["more_body"]
        size += len(message["body"])
        if size <= MAX_BODY:
            parts.append(message["body"])
    return b"".join(parts) if size <= MAX_BODY else None


async def _send(send: Send, reply: WireResponse, extra: list[tuple[bytes, bytes]]) -> None:
    headers = [
        (b"content-type", reply.content_type),
        (b"content-length", b"%d" % len(reply.body)),
        (b"x-amzn-requestid", secrets.token_hex(26).upper().encode()),
        (b"x-amz-crc32", b"%d" % zlib.crc32(reply.body)),
        *extra,
    ]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.body})


def _health(headers: dict[bytes, bytes]) -> WireResponse:
    """Say what AWS says to a health check, and more to a person with a browser."""
    if b"text/html" not in headers.get(b"accept", b""):
        return WireResponse(200, _HEALTHY, _PLAIN)
    return WireResponse(
        200, _HEALTHY + _FOR_PEOPLE % headers.get(b"host", b"localhost:8000"), _PLAIN
    )
