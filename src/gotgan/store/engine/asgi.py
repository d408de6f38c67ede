"""The ASGI application that speaks DynamoDB's JSON protocol, without a framework."""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeAlias

from gotgan.store.engine.origins import cross_origin_headers, is_trusted
from gotgan.store.engine.protocol import NO_OPERATION, Answer, Call, Executor, answer

__all__ = ["MAX_BODY", "Application"]

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]

MAX_BODY: Final = 16 * 1024 * 1024
"""AWS takes no request over 16 MB."""

# The way through a worker thread costs 0.25 ms; a get takes 0.03 ms, a put 0.2 to 0.4. So the event
# loop itself answers what is over at once, and whatever a lone client asks, who keeps nobody else
# waiting. Writes of several clients go to workers, where they share one fsync. What may take
# seconds always goes there.
_ALWAYS_HERE: Final = frozenset({b"DynamoDB_20120810.GetItem"})
_NEVER_HERE: Final = frozenset(
    {
        b"DynamoDB_20120810.CreateTable",
        b"DynamoDB_20120810.DeleteTable",
        b"DynamoDB_20120810.UpdateTable",
        b"DynamoDB_20120810.UpdateTimeToLive",
    },
)
_WORKERS: Final = 16
_PLAIN: Final = b"text/plain; charset=utf-8"
_PREFLIGHT: Final = Answer(200, b"", _PLAIN)
_FOREIGN: Final = Answer(
    403,
    b"Only pages of this machine may call this endpoint from a browser.\n",
    _PLAIN,
)
_TOO_LARGE: Final = Answer(
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
        self._pool = ThreadPoolExecutor(_WORKERS, thread_name_prefix="gotgan-dynamodb")
        self._in_workers = 0
        self._last_client: object = None

    def close(self) -> None:
        """Let the worker threads finish what they have, and go."""
        self._pool.shutdown()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is not None and not is_trusted(origin):
            await _send(send, _FOREIGN, [])
            return
        reply = await self._reply(scope, headers, receive)
        await _send(send, reply, cross_origin_headers(headers))

    async def _reply(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive) -> Answer:
        method = scope["method"]
        if method == "POST":
            body = await _read(receive)
            if body is None:
                return _TOO_LARGE
            return await self._execute(scope["client"], Call(headers, scope["query_string"], body))
        if method in {"GET", "HEAD"}:
            return _health(headers)
        return _PREFLIGHT if method == "OPTIONS" else NO_OPERATION

    async def _execute(self, client: object, call: Call) -> Answer:
        """Run a request on the event loop or in a worker, whichever is better for all."""
        if self._belongs_here(client, call.headers.get(b"x-amz-target", b"")):
            return answer(self._engine, call)
        self._in_workers += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, answer, self._engine, call)
        finally:
            self._in_workers -= 1

    def _belongs_here(self, client: object, target: bytes) -> bool:
        alone = not self._in_workers and client == self._last_client
        self._last_client = client
        return target in _ALWAYS_HERE or (alone and target not in _NEVER_HERE)


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


async def _send(send: Send, reply: Answer, extra: list[tuple[bytes, bytes]]) -> None:
    headers = [
        (b"content-type", reply.content_type),
        (b"content-length", b"%d" % len(reply.body)),
        (b"x-amzn-requestid", secrets.token_hex(26).upper().encode()),
        (b"x-amz-crc32", b"%d" % zlib.crc32(reply.body)),
        *extra,
    ]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": reply.body})


def _health(headers: dict[bytes, bytes]) -> Answer:
    """Say what AWS says to a health check, and more to a person with a browser."""
    if b"text/html" not in headers.get(b"accept", b""):
        return Answer(200, _HEALTHY, _PLAIN)
    return Answer(200, _HEALTHY + _FOR_PEOPLE % headers.get(b"host", b"localhost:8000"), _PLAIN)
