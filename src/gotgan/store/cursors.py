"""Cursors: where a page ended, as a text that can be handed out and checked when it comes back.

A cursor is signed with the store's secret, so it survives a restart and nobody can make one up or
change one; and it is bound to its query, so it cannot be used to read something else.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as BadBase64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import orjson

from gotgan.errors import BadCursor, UsageError
from gotgan.store.attributes import Item

if TYPE_CHECKING:
    from gotgan.settings import Secret

__all__ = ["CursorPosition", "fingerprint", "sign", "verify"]

_MAC_BYTES: Final = 16
_PURPOSE: Final = b"gotgan.store.cursor.1\0"


@dataclass(frozen=True)
class CursorPosition:
    """Where to read on: which leg of a query, and behind which key."""

    leg: int
    key: Item | None


def fingerprint(requests: list[dict[str, Any]]) -> bytes:
    """What a query asks for, in a few bytes; the same for the same query in any process."""
    try:
        text = orjson.dumps(requests, default=_hex, option=orjson.OPT_SORT_KEYS)
    except TypeError as error:
        raise UsageError(f"this query cannot be written: {error}") from error
    return hashlib.sha256(text).digest()


def sign(secret: Secret, query: bytes, place: CursorPosition) -> str:
    """The cursor of a place in a query."""
    body = orjson.dumps([place.leg, place.key], default=_tagged)
    return _text(_mac(secret, query, body) + body)


def verify(secret: Secret, query: bytes, cursor: str) -> CursorPosition:
    """The place that a cursor stands for."""
    try:
        raw = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
    except (AttributeError, BadBase64, ValueError):
        raise _refusal() from None
    mac, body = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
    # Base64 can be written in more ways than one, and only the one that we write is ours.
    if not hmac.compare_digest(mac, _mac(secret, query, body)) or _text(raw) != cursor:
        raise _refusal()
    leg, key = orjson.loads(body)
    return CursorPosition(
        leg, None if key is None else {name: _bare(value) for name, value in key.items()}
    )


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _mac(secret: Secret, query: bytes, body: bytes) -> bytes:
    keyed = hmac.new(secret.reveal().encode(), _PURPOSE + query + body, hashlib.sha256)
    return keyed.digest()[:_MAC_BYTES]


def _refusal() -> BadCursor:
    return BadCursor("this cursor is not of this query, or was changed; begin again without one")


def _hex(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(type(value).__name__)


def _tagged(value: Any) -> dict[str, str]:
    return {"hex": _hex(value)}


def _bare(value: dict[str, Any]) -> dict[str, Any]:
    [(kind, content)] = value.items()
    return {kind: bytes.fromhex(content["hex"])} if kind == "B" else value
