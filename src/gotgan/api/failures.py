"""Errors as answers: which status each of them has, and what is told besides its sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from math import ceil
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import failure, trace_of
from gotgan.domains.site.models import SiteEntity
from gotgan.errors import (
    AnalysisError,
    BadCursor,
    BadKeyPart,
    BadUpload,
    ConditionFailed,
    Conflict,
    DatabaseUnavailable,
    FetchError,
    FetchTimeout,
    Forbidden,
    GotganError,
    IndexMissing,
    Interrupted,
    ItemMissing,
    NotFound,
    OutputInvalid,
    PageError,
    RateLimited,
    RefreshTooSoon,
    SettingsError,
    SlugImmutable,
    StoreError,
    StoreUnreachable,
    TooManyRequests,
    Unauthenticated,
    UpstreamBusy,
    UsageError,
    VersionConflict,
    VersionRequired,
    VideoMissing,
)
from gotgan.events import emit
from gotgan.items import item_of
from gotgan.store.engine.faults import ValidationException

__all__ = [
    "OF_HTTP",
    "STATUS",
    "UNKNOWN_HOST",
    "Objection",
    "add_handlers",
    "claims_json",
    "codes",
    "headers_of",
    "note",
    "objection",
    "status_of",
    "told_of",
]

STATUS: Final[Mapping[type[GotganError], int]] = {
    UsageError: 400,
    BadCursor: 400,
    BadKeyPart: 400,
    SlugImmutable: 400,
    Unauthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    ItemMissing: 404,
    VideoMissing: 404,
    Conflict: 409,
    Interrupted: 503,
    ConditionFailed: 409,
    VersionConflict: 409,
    BadUpload: 422,
    VersionRequired: 428,
    RateLimited: 429,
    RefreshTooSoon: 429,
    FetchError: 502,
    PageError: 502,
    OutputInvalid: 502,
    AnalysisError: 503,
    SettingsError: 503,
    StoreUnreachable: 503,
    IndexMissing: 503,
    DatabaseUnavailable: 503,
    TooManyRequests: 503,
    FetchTimeout: 504,
    ValidationException: 400,
}
OF_HTTP: Final[Mapping[int, tuple[str, str]]] = {
    404: ("not_found", "there is no such address; see /v1/openapi.json for those that there are"),
    405: ("method_not_allowed", "this address does not know this method; Allow says which it does"),
    413: ("too_large", ""),
    415: ("unsupported_media_type", "send JSON, and say so: Content-Type: application/json"),
}
"""What the framework says no to: a code, and a sentence where its own says too little."""

_OURS: Final = 500
"""From here on a status says that the fault is on this side."""
_UNTOLD: Final = ("failed", "something went wrong here; it was noted under this traceId")
"""What callers are told of a fault on this side: AWS's own words name accounts and roles."""
_BUSY: Final = "the database does not answer; try again"
_MOST_COMPLAINTS: Final = 20
_INVALID: Final = "invalid"
UNKNOWN_HOST: Final = "unknown_host"


@dataclass(frozen=True)
class Objection:
    """What is wrong with a request that has not the form it should have."""

    status: int
    code: str
    message: str
    details: list[dict[str, str]] | None = None
    """Each value that cannot be used."""


def add_handlers(
    server: FastAPI,
    methods: Callable[[str], Sequence[str]],
    apart: Mapping[str, Callable[[Request, Exception], Response]],
) -> None:
    """Let the server answer with these; ``methods`` gives those that a path has.

    What is refused below a path of ``apart`` is answered in the way of whoever is at home there.
    """

    def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - for this it is registered
        path = request.url.path
        told = _as_told(error, methods(path))
        own = (answer for prefix, answer in apart.items() if f"{path}/".startswith(f"{prefix}/"))
        return next(own, _refused)(request, told)

    server.add_exception_handler(HTTPException, refused)
    server.add_exception_handler(RequestValidationError, _invalid)
    server.add_exception_handler(GotganError, _declined)


def status_of(error: GotganError) -> int:
    """The status that an error is answered with."""
    return _status(type(error))


def _status(kind: type[GotganError]) -> int:
    known = next((STATUS[each] for each in kind.__mro__ if each in STATUS), None)
    if known is not None:
        return known
    if issubclass(kind, StoreError) and kind.retry:
        return HTTPStatus.SERVICE_UNAVAILABLE
    return _OURS


@cache
def codes() -> dict[int, list[str]]:
    """The codes that an answer with a status can have."""
    told: dict[int, set[str]] = {status: {code} for status, (code, _) in OF_HTTP.items()}
    told |= {400: {UNKNOWN_HOST}, 412: {VersionConflict.code}, 422: {_INVALID}}
    for kind in _kinds():
        told.setdefault(_status(kind), set()).add(kind.code)
    return {status: sorted(told[status]) for status in sorted(told)}


def _kinds() -> list[type[GotganError]]:
    """Every error that is answered with a status of its own, or that passes by itself."""
    kinds, found = [*STATUS, StoreError], list[type[GotganError]]()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        is_ours = kind.__module__.startswith("gotgan.errors.")
        found += [kind] if is_ours and _status(kind) != _OURS else []
    return found


def _declined(request: Request, error: Exception) -> Response:
    assert isinstance(error, GotganError)  # noqa: S101 - for this it is registered
    status = status_of(error)
    if isinstance(error, VersionConflict) and request.headers.get("if-match", "*").strip() != "*":
        status = HTTPStatus.PRECONDITION_FAILED
    if status >= _OURS:
        note(request, error)
    code, message = told_of(error)
    return failure(
        request,
        status,
        code,
        message,
        details=_details(request, error),
        headers=headers_of(error),
    )


def told_of(error: GotganError) -> tuple[str, str]:
    """The code and the sentence; what the database says of itself is for the log alone."""
    status = status_of(error)
    if status == _OURS:
        return _UNTOLD
    is_ours = status > _OURS and isinstance(error, StoreError | DatabaseUnavailable)
    is_ours = is_ours and not isinstance(error, IndexMissing)  # it names the command that helps
    return error.code, _BUSY if is_ours else error.message


def note(request: Request, error: Exception) -> None:
    """Write down a fault on this side."""
    code, reason = _UNTOLD[0], repr(error)
    if isinstance(error, GotganError):
        code, reason = error.code, error.message
    trace, path = trace_of(request), request.url.path
    emit("api.failed", level="error", trace=trace, path=path, code=code, reason=reason)


def _details(request: Request, error: GotganError) -> Any:
    """Of a lost update: the version that the change was for, and the record as it is now."""
    current = getattr(error, "current", None)
    if not isinstance(error, ConditionFailed) or not isinstance(current, SiteEntity):
        return None
    yours = getattr(request.state, "expected", None)
    return {"yours": yours, "current": current.version, "item": item_of(current)}


def headers_of(error: GotganError) -> dict[str, str]:
    """The headers that go with an error."""
    if isinstance(error, RateLimited):
        return {"Retry-After": str(error.seconds)}
    if isinstance(error, TooManyRequests | UpstreamBusy) and error.retry_after is not None:
        return {"Retry-After": str(ceil(error.retry_after))}
    if isinstance(error, Unauthenticated):
        return {"WWW-Authenticate": "Bearer"}
    return {}


def _as_told(error: HTTPException, methods: Sequence[str]) -> HTTPException:
    """What the framework itself says no to, in our words: no such route, or not this method."""
    status, headers = error.status_code, dict(error.headers or {})
    if status == HTTPStatus.METHOD_NOT_ALLOWED and methods:
        # The framework names the methods of one route, and each method has a route of its own.
        headers["Allow"] = ", ".join(methods)
    sentence = OF_HTTP.get(status, ("", ""))[1]
    return HTTPException(status, sentence or error.detail, headers)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - for this it is registered
    code = OF_HTTP.get(error.status_code, ("refused", ""))[0]
    return failure(request, error.status_code, code, error.detail, headers=error.headers)


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - for this it is registered
    told = objection(request, error)
    return failure(request, told.status, told.code, told.message, details=told.details)


def objection(request: Request, error: RequestValidationError) -> Objection:
    """What is wrong with the values of a request: each is told, and the first as a sentence."""
    if isinstance(error.body, bytes) and not claims_json(request):
        return Objection(415, *OF_HTTP[415])
    complaints = _complaints(error)
    message = "; ".join(f"{each['at']}: {each['message']}" for each in complaints[:1])
    return Objection(422, _INVALID, message, complaints)


def claims_json(request: Request) -> bool:
    """Whether a request says that its body is JSON."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return media == "application/json" or media.endswith("+json")


def _complaints(error: RequestValidationError) -> list[dict[str, str]]:
    if isinstance(error.body, bytes):
        return [{"at": "body", "message": "this is no JSON, or JSON with lone surrogates or NaN"}]
    return [
        {"at": ".".join(str(step) for step in each["loc"]), "message": each["msg"]}
        for each in error.errors()[:_MOST_COMPLAINTS]
    ]
