"""Errors as responses: status, code, message and details."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from http import HTTPStatus
from math import ceil
from typing import Any, Final

import orjson
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan import errors
from gotgan.api.responses import failure, trace_id
from gotgan.domains.site.models import SiteEntity
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.items import record_item
from gotgan.messages import Message, Template
from gotgan.store.engine.faults import ValidationException
from gotgan.validation import place_of, problem, problems

STATUS_BY_ERROR: Final[Mapping[type[GotganError], int]] = {
    errors.UsageError: 400,
    errors.BadCursor: 400,
    errors.BadKeyPart: 400,
    errors.BadSource: 400,
    errors.SlugImmutable: 400,
    errors.Unauthenticated: 401,
    errors.Forbidden: 403,
    errors.NotFound: 404,
    errors.ItemMissing: 404,
    errors.VideoMissing: 404,
    errors.Conflict: 409,
    errors.Interrupted: 503,
    errors.ConditionFailed: 409,
    errors.VersionConflict: 409,
    errors.BadUpload: 422,
    errors.VersionRequired: 428,
    errors.RateLimited: 429,
    errors.RefreshTooSoon: 429,
    errors.FetchError: 502,
    errors.PageError: 502,
    errors.OutputInvalid: 502,
    errors.AnalysisError: 503,
    errors.SettingsError: 503,
    errors.StoreUnreachable: 503,
    errors.IndexMissing: 503,
    errors.DatabaseUnavailable: 503,
    errors.TooManyRequests: 503,
    errors.FetchTimeout: 504,
    ValidationException: 400,
}
HTTP_ERRORS: Final[Mapping[int, tuple[str, Message | None]]] = {
    404: (
        "not_found",
        Template(
            "api.no_address", "There is no such address. /v1/openapi.json lists all addresses."
        )(),
    ),
    405: (
        "method_not_allowed",
        Template("api.method", "This address does not take this method. See the header Allow.")(),
    ),
    413: ("too_large", None),
    415: (
        "unsupported_media_type",
        Template("api.not_json", "Send JSON with the header Content-Type: application/json.")(),
    ),
}
"""Errors of the framework: a code, and a message if its own says too little."""
_SERVER_ERROR: Final = 500
"""The first status of faults on this side."""
_INTERNAL_ERROR: Final = (
    "failed",
    Template("api.internal", "Internal error. The log has the details under this traceId.")(),
)
"""What callers see of a fault on this side: AWS's own words name accounts and roles."""
_DATABASE_BUSY: Final = Template("api.database_busy", "The database does not answer. Try again.")()
_BAD_JSON: Final = {
    "loc": ("body",),
    "type": "message",
    "ctx": {
        "message": Template(
            "api.bad_json", "This is not JSON, or it contains NaN or lone surrogates."
        )()
    },
}
_MAX_COMPLAINTS: Final = 20
_INVALID: Final = "invalid"
UNKNOWN_HOST: Final = "unknown_host"


def add_handlers(
    server: FastAPI,
    methods: Callable[[str], Sequence[str]],
    apart: Mapping[str, Callable[[Request, Exception], Response]],
) -> None:
    """Answer errors of the server with these; ``methods`` returns the methods of a path.

    ``apart`` has other handlers of HTTP errors, by the prefix of their paths.
    """

    def handle(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - for this it is registered
        path = request.url.path
        plain = _plain_http_error(error, methods(path))
        own = (answer for prefix, answer in apart.items() if f"{path}/".startswith(f"{prefix}/"))
        return next(own, _handle_http_error)(request, plain)

    server.add_exception_handler(HTTPException, handle)
    server.add_exception_handler(RequestValidationError, _handle_invalid_request)
    server.add_exception_handler(GotganError, _handle_gotgan_error)


def error_status(error: GotganError) -> int:
    """The status that an error is answered with."""
    return class_status(type(error))


def class_status(kind: type[GotganError]) -> int:
    """The status that errors of a class are answered with."""
    known = next((STATUS_BY_ERROR[each] for each in kind.__mro__ if each in STATUS_BY_ERROR), None)
    if known is not None:
        return known
    if issubclass(kind, errors.StoreError) and kind.retry:
        return HTTPStatus.SERVICE_UNAVAILABLE
    return _SERVER_ERROR


@cache
def codes_by_status() -> dict[int, list[str]]:
    """The codes that an answer with a status can have."""
    codes: dict[int, set[str]] = {status: {code} for status, (code, _) in HTTP_ERRORS.items()}
    codes |= {400: {UNKNOWN_HOST}, 412: {errors.VersionConflict.code}, 422: {_INVALID}}
    for kind in _error_classes():
        codes.setdefault(class_status(kind), set()).add(kind.code)
    return {status: sorted(codes[status]) for status in sorted(codes)}


def error_classes() -> dict[str, type[GotganError]]:
    """The classes of all errors by their codes; those of DynamoDB are documented by AWS."""
    kinds, found = [GotganError], dict[str, type[GotganError]]()
    while kinds:
        kind = kinds.pop(0)
        kinds += kind.__subclasses__()
        if kind.__module__.startswith("gotgan.errors."):
            found.setdefault(kind.code, kind)
    return dict(sorted(found.items()))


def _error_classes() -> list[type[GotganError]]:
    """Every error class that has a status other than 500."""
    kinds, found = [*STATUS_BY_ERROR, errors.StoreError], list[type[GotganError]]()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        is_ours = kind.__module__.startswith("gotgan.errors.")
        found += [kind] if is_ours and class_status(kind) != _SERVER_ERROR else []
    return found


def _handle_gotgan_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, GotganError)  # noqa: S101 - for this it is registered
    status = error_status(error)
    if (
        isinstance(error, errors.VersionConflict)
        and request.headers.get("if-match", "*").strip() != "*"
    ):
        status = HTTPStatus.PRECONDITION_FAILED
    if status >= _SERVER_ERROR:
        log_failure(request, error)
    code, message = public_error(error)
    return failure(
        request,
        status,
        code,
        message,
        details=_details(request, error),
        headers=error_headers(error),
    )


def public_error(error: GotganError) -> tuple[str, str]:
    """The code and the message that callers see; the words of a database are for the log only."""
    status = error_status(error)
    if status == _SERVER_ERROR:
        return _INTERNAL_ERROR
    is_busy = (
        status > _SERVER_ERROR
        and isinstance(error, errors.StoreError | errors.DatabaseUnavailable)
        and not isinstance(error, errors.IndexMissing)  # it names the command that helps
    )
    return error.code, _DATABASE_BUSY if is_busy else error.message


def log_failure(request: Request, error: Exception) -> None:
    """Log a fault on this side."""
    code, reason = _INTERNAL_ERROR[0], repr(error)
    if isinstance(error, GotganError):
        code, reason = error.code, error.message
    trace, path = trace_id(request), request.url.path
    emit("api.failed", level="error", trace=trace, path=path, code=code, reason=reason)


def _details(request: Request, error: GotganError) -> Any:
    """Of a lost update: the version that the change was for, and the record as it is now."""
    current = getattr(error, "current", None)
    if not isinstance(error, errors.ConditionFailed) or not isinstance(current, SiteEntity):
        return None
    yours = getattr(request.state, "expected", None)
    return {"yours": yours, "current": current.version, "item": record_item(current)}


def error_headers(error: GotganError) -> dict[str, str]:
    """The headers that go with an error."""
    if isinstance(error, errors.RateLimited):
        return {"Retry-After": str(error.seconds)}
    if (
        isinstance(error, errors.TooManyRequests | errors.UpstreamBusy)
        and error.retry_after is not None
    ):
        return {"Retry-After": str(ceil(error.retry_after))}
    if isinstance(error, errors.Unauthenticated):
        return {"WWW-Authenticate": "Bearer"}
    return {}


def _plain_http_error(error: HTTPException, methods: Sequence[str]) -> HTTPException:
    """An error of the framework in our words: no such route, or not this method."""
    status, headers = error.status_code, dict(error.headers or {})
    if status == HTTPStatus.METHOD_NOT_ALLOWED and methods:
        # The framework names the methods of one route, and each method has a separate route.
        headers["Allow"] = ", ".join(methods)
    message = HTTP_ERRORS.get(status, ("", None))[1]
    return HTTPException(status, message or error.detail, headers)


def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - for this it is registered
    code = HTTP_ERRORS.get(error.status_code, ("refused", None))[0]
    return failure(request, error.status_code, code, error.detail, headers=error.headers)


def _handle_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - for this it is registered
    status, code, message, details = validation_problem(request, error)
    return failure(request, status, code, message, details=details)


def validation_problem(
    request: Request, error: RequestValidationError
) -> tuple[int, str, str, list[dict[str, str]] | None]:
    """Status, code and message of an invalid request, and each value that cannot be used."""
    wrong = error.errors()[:_MAX_COMPLAINTS]
    if isinstance(error.body, bytes):
        if not _is_json_request(request):
            code, message = HTTP_ERRORS[415]
            return 415, code, message or "", None
        wrong = [_BAD_JSON]
    details = [{"at": place_of(each["loc"]), "message": problem(each)} for each in wrong]
    return 422, _INVALID, problems(wrong, most=1), details


def load_json(request: Request, body: bytes) -> Any:
    """The JSON of a body that says that it is JSON; a validation error for any other."""
    if _is_json_request(request):
        with suppress(orjson.JSONDecodeError):
            return orjson.loads(body)
    raise RequestValidationError([], body=body)


def _is_json_request(request: Request) -> bool:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return media == "application/json" or media.endswith("+json")
