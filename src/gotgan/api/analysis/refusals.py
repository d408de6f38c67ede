"""Errors as the contract has them: its codes, and the few statuses that go with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from gotgan.api.analysis.envelope import failure
from gotgan.api.failures import headers_of, note, objection, status_of, told_of
from gotgan.errors import AnalysisError, GotganError

__all__ = ["CODES", "refused"]

CODES: Final[Mapping[int, tuple[str, ...]]] = {
    400: ("COMMON_INVALID_REQUEST",),
    401: ("COMMON_UNAUTHORIZED",),
    403: ("COMMON_FORBIDDEN",),
    404: ("ANALYSIS_JOB_NOT_FOUND", "ANALYSIS_VIDEO_NOT_FOUND"),
    503: ("ANALYSIS_RATE_LIMITED", "ANALYSIS_TIMEOUT", "ANALYSIS_UPSTREAM_UNAVAILABLE"),
}
"""What an answer with a status can have for a code."""

_AWAY: Final = "ANALYSIS_UPSTREAM_UNAVAILABLE"
_BROKEN: Final = (500, "COMMON_INTERNAL_ERROR")
_BY_STATUS: Final[Mapping[int, tuple[int, str]]] = {
    401: (401, "COMMON_UNAUTHORIZED"),
    403: (403, "COMMON_FORBIDDEN"),
    404: (404, "ANALYSIS_JOB_NOT_FOUND"),
    500: _BROKEN,
}
_STATUSES: Final[Mapping[int, int]] = {429: 503}
"""The contract answers ANALYSIS_RATE_LIMITED with 503, also where the rest of the API has 429."""
_INVALID: Final = (400, "COMMON_INVALID_REQUEST")
_OF_ADDRESSES: Final[Mapping[int, tuple[int, str]]] = {
    404: (404, "COMMON_NOT_FOUND"),
    405: (405, "COMMON_METHOD_NOT_ALLOWED"),
}
"""What the contract has no word for, since it knows no other addresses and methods."""
_OURS: Final = 500
_UNTOLD: Final = "something went wrong here; it was noted under this requestId"


def refused(request: Request, error: Exception) -> Response:
    """The answer to whatever was raised."""
    status, code, message = _told(request, error)
    if status >= _OURS:
        note(request, error)
    return failure(request, status, code, message, _headers(error))


def _told(request: Request, error: Exception) -> tuple[int, str, str]:
    if isinstance(error, AnalysisError):
        return _STATUSES.get(status_of(error), status_of(error)), error.job_code, error.message
    if isinstance(error, GotganError):
        return *_coded(status_of(error)), told_of(error)[1]
    if isinstance(error, RequestValidationError):
        return *_INVALID, objection(request, error).message
    if isinstance(error, HTTPException):
        return *_OF_ADDRESSES.get(error.status_code, _INVALID), error.detail
    if isinstance(error, ClientDisconnect):
        return *_INVALID, "the body did not come to its end; send it again"
    return *_BROKEN, _UNTOLD


def _coded(status: int) -> tuple[int, str]:
    """The status and the code for what is no fault of an analysis."""
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return (503, _AWAY) if status > _OURS else _INVALID


def _headers(error: Exception) -> Mapping[str, str]:
    if isinstance(error, HTTPException):
        return error.headers or {}
    return headers_of(error) if isinstance(error, GotganError) else {}
