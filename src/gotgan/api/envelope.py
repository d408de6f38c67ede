"""The shape of every answer: ``success``, ``data`` and ``error``."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response

__all__ = ["failure", "ok", "trace_of"]

_JSON: Final = "application/json"


def ok(data: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that has what was asked for."""
    body = _encoded({"success": True, "data": data, "error": None})
    return Response(body, status, headers, _JSON)


def failure(
    request: Request,
    status: int,
    code: str,
    message: str,
    *,
    details: Any = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An answer that says what went wrong, and what to do."""
    error = {"code": code, "message": message, "details": details, "traceId": trace_of(request)}
    body = _encoded({"success": False, "data": None, "error": error})
    return Response(body, status, headers, _JSON)


def trace_of(request: Request) -> str:
    """The id of this request, as the server gave it."""
    return str(getattr(request.state, "trace_id", ""))


def _encoded(value: Any) -> bytes:
    """JSON; the slower way where contents have whole numbers that the faster one cannot write."""
    try:
        return orjson.dumps(value, default=_plain)
    except orjson.JSONEncodeError:
        return json.dumps(value, default=_plain, ensure_ascii=False).encode()


def _plain(value: Any) -> Any:
    """What JSON has no word for: numbers as DynamoDB keeps them, sets, bytes, values of ours."""
    if isinstance(value, bytes | bytearray):
        return b64encode(value).decode()
    if hasattr(value, "model_dump"):
        return value.model_dump()
    if isinstance(value, set | frozenset):
        return sorted(value)
    return float(value)
