"""The envelope of the contract: ``success``, ``data`` or ``error``, and ``meta``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import orjson
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import trace_of
from gotgan.api.who import app_of
from gotgan.clock import utc_stamp

__all__ = ["PREFIX", "failure", "ok"]

PREFIX: Final = "/api/analysis"
_JSON: Final = "application/json"


def ok(request: Request, data: Mapping[str, Any]) -> Response:
    """An answer that has what was asked for; a job that failed is one, too."""
    body = {"success": True, "data": data, "meta": _meta(request)}
    return Response(orjson.dumps(body), media_type=_JSON)


def failure(
    request: Request,
    status: int,
    code: str,
    message: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """An answer that says what went wrong, and what to do."""
    error = {"code": code, "message": message}
    body = {"success": False, "error": error, "meta": _meta(request)}
    return Response(orjson.dumps(body), status, headers, _JSON)


def _meta(request: Request) -> dict[str, str]:
    now = utc_stamp(app_of(request).clock.now())
    return {"requestId": trace_of(request), "timestamp": now.iso}
