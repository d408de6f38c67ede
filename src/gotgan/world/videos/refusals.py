"""How Google says no: one shape of JSON, with a reason that a program can read."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

import orjson

from gotgan.world.scene import SceneResponse

__all__ = [
    "JSON",
    "NOT_VALID",
    "UNREGISTERED",
    "backend_error",
    "comments_disabled",
    "error_info",
    "forbidden",
    "google_error",
    "key_invalid",
    "key_unknown",
    "missing_parameter",
    "page_token_invalid",
    "parameter_invalid",
    "private_video",
    "processing_failure",
    "quota_exceeded",
    "rate_limited",
    "too_many_requests",
    "unregistered",
    "video_not_found",
]

JSON: Final = "application/json; charset=UTF-8"
_SERVICE: Final = "youtube.googleapis.com"
_THREAD: Final = "youtube.commentThread"
_THE_VIDEO: Final = (
    'The video identified by the <code><a href="/youtube/v3/docs/commentThreads/list#videoId">'
    "videoId</a></code> parameter"
)
UNREGISTERED: Final = (
    "Method doesn't allow unregistered callers (callers without established identity). Please use "
    "API Key or other form of API consumer identity to call this API."
)
NOT_VALID: Final = "API key not valid. Please pass a valid API key."
_NO_QUOTA: Final = (
    "The request cannot be completed because you have exceeded your "
    '<a href="/youtube/v3/getting-started#quota">quota</a>.'
)
_TOO_MANY: Final = (
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service "
    f"'{_SERVICE}' for consumer 'project_number:1'."
)
_FAILURE: Final = (
    "The API server failed to successfully process the request. While this can be a transient "
    "error, it usually indicates that the request's input is invalid. Check the structure of the "
    "<code>commentThread</code> resource in the request body to ensure that it is valid."
)


def google_error(code: int, error: dict[str, Any]) -> SceneResponse:
    """An answer in the shape that all Google APIs share."""
    return SceneResponse(orjson.dumps({"error": {"code": code, **error}}), code, JSON)


def error_info(reason: str, service: str) -> dict[str, Any]:
    """The part of an error by which newer APIs say what happened."""
    return {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "googleapis.com",
        "metadata": {"service": service},
    }


def _no(code: int, domain: str, reason: str, message: str, parameter: str = "") -> SceneResponse:
    """A refusal as YouTube has them; a parameter is named where it is the reason."""
    where = {"location": parameter, "locationType": "parameter"} if parameter else {}
    errors = [{"message": message, "domain": domain, "reason": reason, **where}]
    return google_error(code, {"message": message, "errors": errors})


def unregistered() -> SceneResponse:
    """Whoever comes without a key."""
    errors = [{"message": UNREGISTERED, "domain": "global", "reason": "forbidden"}]
    error = {"message": UNREGISTERED, "errors": errors, "status": "PERMISSION_DENIED"}
    return google_error(HTTPStatus.FORBIDDEN, error)


def key_unknown() -> SceneResponse:
    """A key that nobody was given, as Google has said it since 2020."""
    error = {
        "message": NOT_VALID,
        "errors": [{"message": NOT_VALID, "domain": "global", "reason": "badRequest"}],
        "status": "INVALID_ARGUMENT",
        "details": [error_info("API_KEY_INVALID", _SERVICE)],
    }
    return google_error(HTTPStatus.BAD_REQUEST, error)


def key_invalid() -> SceneResponse:
    """The same in the words that Google used before, and still documents."""
    return _no(HTTPStatus.BAD_REQUEST, "usageLimits", "keyInvalid", "Bad Request")


def quota_exceeded() -> SceneResponse:
    """The units of the day are used up."""
    return _no(HTTPStatus.FORBIDDEN, "youtube.quota", "quotaExceeded", _NO_QUOTA)


def rate_limited() -> SceneResponse:
    """Too much at once, as a refusal."""
    message = "Rate Limit Exceeded"
    return _no(HTTPStatus.FORBIDDEN, "usageLimits", "rateLimitExceeded", message)


def too_many_requests() -> SceneResponse:
    """Too much at once, by the status that is made for it."""
    error = {
        "message": _TOO_MANY,
        "errors": [{"message": _TOO_MANY, "domain": "global", "reason": "rateLimitExceeded"}],
        "status": "RESOURCE_EXHAUSTED",
        "details": [error_info("RATE_LIMIT_EXCEEDED", _SERVICE)],
    }
    return google_error(HTTPStatus.TOO_MANY_REQUESTS, error)


def backend_error(code: int) -> SceneResponse:
    """Something broke on their side."""
    return _no(code, "global", "backendError", "Backend Error")


def forbidden() -> SceneResponse:
    """A refusal that says nothing more."""
    return _no(HTTPStatus.FORBIDDEN, "global", "forbidden", "Forbidden")


def processing_failure() -> SceneResponse:
    """A refusal that may well pass."""
    return _no(HTTPStatus.BAD_REQUEST, _THREAD, "processingFailure", _FAILURE)


def comments_disabled() -> SceneResponse:
    """The owner wants no comments."""
    message = f"{_THE_VIDEO} has disabled comments."
    return _no(HTTPStatus.FORBIDDEN, _THREAD, "commentsDisabled", message, "videoId")


def private_video() -> SceneResponse:
    """The owner wants no visitors."""
    message = (
        "One or more of the requested comment threads cannot be retrieved due to insufficient "
        "permissions. The request might not be properly authorized."
    )
    return _no(HTTPStatus.FORBIDDEN, _THREAD, "forbidden", message)


def video_not_found() -> SceneResponse:
    """There is no such video."""
    message = f"{_THE_VIDEO} could not be found."
    return _no(HTTPStatus.NOT_FOUND, _THREAD, "videoNotFound", message, "videoId")


def page_token_invalid() -> SceneResponse:
    """A token that no page gave."""
    message = "The request specifies an invalid page token."
    code = HTTPStatus.BAD_REQUEST
    return _no(code, "youtube.parameter", "invalidPageToken", message, "pageToken")


def parameter_invalid(name: str, message: str) -> SceneResponse:
    """A parameter with a value that it cannot have."""
    return _no(HTTPStatus.BAD_REQUEST, "global", "invalidParameter", message, name)


def missing_parameter(name: str) -> SceneResponse:
    """A parameter that must be there."""
    message = f"The request is missing a required parameter: {name}."
    code = HTTPStatus.BAD_REQUEST
    return _no(code, "youtube.parameter", "missingRequiredParameter", message, name)
