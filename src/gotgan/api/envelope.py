"""The shape of every answer: ``success``, ``data`` and ``error``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from gotgan.plain_json import encoded

__all__ = ["failure", "ok", "trace_of"]

_JSON: Final = "application/json"


def ok(data: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """An answer that has what was asked for."""
    body = encoded({"success": True, "data": data, "error": None})
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
    body = encoded({"success": False, "data": None, "error": error})
    return Response(body, status, headers, _JSON)


def trace_of(request: Request) -> str:
    """The id of this request, as the server gave it."""
    return str(getattr(request.state, "trace_id", ""))
