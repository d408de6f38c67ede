"""What every request goes through: an id, a limit of its body, headers of proxies, and an answer.

Headers of proxies are believed only from those that are trusted.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from uuid import uuid4

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gotgan.api import messages
from gotgan.events import emit

MAX_BODY_BYTES: Final = 2_000_000
"""The largest body that is read."""
_PRIVATE: Final = "private, no-store"
_PUBLIC: Final = "no-cache"
"""It may be cached, and must be revalidated: what was deleted is gone at once."""
_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,128}")


class _TooLarge(HTTPException):
    """A body is longer than the limit; an HTTP error, so that its reader answers with it."""

    def __init__(self) -> None:
        super().__init__(413, messages.BODY_TOO_LARGE(most=MAX_BODY_BYTES))


class RequestMiddleware:
    """An application whose requests have IDs and limited bodies."""

    def __init__(
        self, app: ASGIApp, trusted_proxies: Sequence[str] = (), *, is_demo: bool = False
    ) -> None:
        """``is_demo`` adds a header to every answer."""
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
            apply_forwarded_headers(scope, headers, self._trusted)
        trace = _request_id(headers)
        scope.setdefault("state", {})["trace_id"] = trace
        is_head, private = scope["method"] == "HEAD", _is_private(headers)
        answer = _Answer(send, trace, is_head=is_head, private=private, is_demo=self._is_demo)
        if is_head:  # the same answer, without its body; the server knows what it was asked
            scope = {**scope, "method": "GET"}
        try:
            await self._app(scope, _limited(receive, _content_length(headers)), answer.send)
        except Exception as error:  # noqa: BLE001 - every request has an answer
            path, reason = scope["path"], repr(error)
            emit("server.failed", level="error", trace=trace, path=path, reason=reason)
            sentence = "Internal error. The log has the details under this traceId."
            await answer.fail(500, "failed", sentence)


class _Answer:
    """An answer that carries the ID of its request."""

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
        """Add what every answer has; a private one may not be cached."""
        headers["X-Request-Id"] = self._trace
        if self._is_demo:
            headers["X-Gotgan-Demo"] = "true"
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Cache-Control", _PRIVATE if self._private else _PUBLIC)
        headers.add_vary_header("Accept-Language, Authorization, Cookie")

    async def fail(self, status: int, code: str, message: str) -> None:
        """Answer with an error, unless the answer has started."""
        if self._started:
            return
        error = {"code": code, "message": message, "details": None, "traceId": self._trace}
        body = orjson.dumps({"success": False, "data": None, "error": error})
        headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})


def _request_id(headers: Headers) -> str:
    """The ID of the caller, if it can be repeated safely; else a new one."""
    given = headers.get("x-request-id", "")
    return given if _ID.fullmatch(given) else uuid4().hex


def _is_private(headers: Headers) -> bool:
    return "authorization" in headers or "cookie" in headers


def _content_length(headers: Headers) -> int:
    """The length of the body; 0 if the header does not say it."""
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() else 0


def _limited(receive: Receive, announced: int) -> Receive:
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        if announced > MAX_BODY_BYTES:
            raise _TooLarge
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MAX_BODY_BYTES:
            raise _TooLarge
        return message

    return bounded


def apply_forwarded_headers(scope: Scope, headers: Headers, trusted: Sequence[str]) -> None:
    """Give a request the address and the scheme that it had before the proxies.

    ``X-Forwarded-For`` is read from its end, as long as its writers are trusted: what a visitor put
    there before the first trusted proxy is never believed.
    """
    address, port = scope.get("client") or ("", 0)
    if not _is_trusted(address, trusted):
        return
    scope.setdefault("state", {})["is_proxied"] = True
    scheme = headers.get("x-forwarded-proto", "").rpartition(",")[2].strip()
    if scheme in {"http", "https"}:
        scope["scheme"] = scheme
    hops = [hop.strip() for line in headers.getlist("x-forwarded-for") for hop in line.split(",")]
    for hop in reversed(hops):
        sender = _bare_address(hop)
        if sender is None or not _is_trusted(address, trusted):
            break
        address = sender
    scope["client"] = (address, port)


def _is_trusted(address: str, trusted: Sequence[str]) -> bool:
    bare = _bare_address(address)
    return bare is not None and any(ip_address(bare) in ip_network(each) for each in trusted)


def _bare_address(text: str) -> str | None:
    """An address without its port; IPv4 in the form of IPv6 as IPv4."""
    if text.startswith("[") or text.count(":") == 1:
        text = text.removeprefix("[").partition("]" if text.startswith("[") else ":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)
