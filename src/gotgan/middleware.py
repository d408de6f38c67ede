"""What every request goes through: an id, a bound for its body, and an answer whatever happens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from uuid import uuid4

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gotgan.events import emit
from gotgan.proxies import seen_through

__all__ = ["MOST_BYTES", "Requests"]

MOST_BYTES: Final = 2_000_000
"""The largest body that is read."""
_PRIVATE: Final = "private, no-store"
_PUBLIC: Final = "no-cache"
"""It may be kept, and must be asked about each time: what was deleted is gone at once."""
_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class _TooLarge(HTTPException):
    """A body goes on beyond the bound; of this kind, so that whoever reads it can say so."""

    def __init__(self) -> None:
        super().__init__(413, f"a body has at most {MOST_BYTES:,} bytes")


class Requests:
    """An application whose requests have ids, and whose bodies end."""

    def __init__(
        self, app: ASGIApp, trusted_proxies: Sequence[str] = (), *, is_demo: bool = False
    ) -> None:
        """``is_demo`` has every answer say so."""
        self._app = app
        self._trusted = trusted_proxies
        self._is_demo = is_demo

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if self._trusted:
            seen_through(scope, headers, self._trusted)
        trace = _id_of(headers)
        scope.setdefault("state", {})["trace_id"] = trace
        is_head, private = scope["method"] == "HEAD", _is_private(headers)
        answer = _Answer(send, trace, is_head=is_head, private=private, is_demo=self._is_demo)
        if is_head:  # the same answer, without its body; the server knows what it was asked
            scope = {**scope, "method": "GET"}
        try:
            await self._app(scope, _bounded(receive, _announced(headers)), answer.send)
        except Exception as error:  # noqa: BLE001 - whatever it is, somebody waits for an answer
            path, reason = scope["path"], repr(error)
            emit("server.failed", level="error", trace=trace, path=path, reason=reason)
            sentence = "something went wrong here; it was noted under this traceId"
            await answer.fail(500, "failed", sentence)


class _Answer:
    """An answer on its way, which carries the id of its request."""

    def __init__(
        self, send: Send, trace: str, *, is_head: bool, private: bool, is_demo: bool
    ) -> None:
        self._is_head = is_head
        self._is_demo = is_demo
        self._send = send
        self._trace = trace
        self._private = private
        self._started = False

    async def send(self, message: Message) -> None:
        """Pass a part of the answer on."""
        if message["type"] == "http.response.start":
            self._started = True
            self._complete(MutableHeaders(scope=message))
        elif self._is_head:
            message = {**message, "body": b""}
        await self._send(message)

    def _complete(self, headers: MutableHeaders) -> None:
        """Add what every answer has: nobody else may keep what was answered to somebody."""
        headers["X-Request-Id"] = self._trace
        if self._is_demo:
            headers["X-Gotgan-Demo"] = "true"
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Cache-Control", _PRIVATE if self._private else _PUBLIC)
        headers.add_vary_header("Authorization, Cookie")

    async def fail(self, status: int, code: str, message: str) -> None:
        """Say what went wrong; nothing can be said once the answer has begun."""
        if self._started:
            return
        error = {"code": code, "message": message, "details": None, "traceId": self._trace}
        body = orjson.dumps({"success": False, "data": None, "error": error})
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def _id_of(headers: Headers) -> str:
    """The id that the caller gave, if it can be repeated safely; else a new one."""
    given = headers.get("x-request-id", "")
    return given if _ID.fullmatch(given) else uuid4().hex


def _is_private(headers: Headers) -> bool:
    return "authorization" in headers or "cookie" in headers


def _announced(headers: Headers) -> int:
    """The bytes that a body says it has; one that does not say it is counted as it comes."""
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() else 0


def _bounded(receive: Receive, announced: int) -> Receive:
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        if announced > MOST_BYTES:
            raise _TooLarge
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BYTES:
            raise _TooLarge
        return message

    return bounded
