"""Keys of Google's APIs, their daily quota, and the errors of the YouTube Data API."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import date, datetime
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

import orjson

from gotgan.world.scene import SceneRequest, SceneResponse

INVALID_KEY: Final = "wrong"
"""The one key that is not accepted."""
JSON_TYPE: Final = "application/json; charset=UTF-8"
UNREGISTERED_MESSAGE: Final = (
    "Method doesn't allow unregistered callers (callers without established identity). Please use "
    "API Key or other form of API consumer identity to call this API."
)
INVALID_KEY_MESSAGE: Final = "API key not valid. Please pass a valid API key."
_QUOTA_ZONE: Final = ZoneInfo("America/Los_Angeles")
_SERVICE: Final = "youtube.googleapis.com"
_THREAD: Final = "youtube.commentThread"
_THE_VIDEO: Final = (
    'The video identified by the <code><a href="/youtube/v3/docs/commentThreads/list#videoId">'
    "videoId</a></code> parameter"
)


def api_key(request: SceneRequest) -> str | None:
    """The key of a request: in a header, or in its query."""
    in_query = parse_qs(request.query).get("key", [""])[0]
    return request.headers.get("x-goog-api-key") or in_query or None


class KeyUsage:
    """The units that each key has used on each day."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._units: Counter[tuple[str, date]] = Counter()

    def units_used(self, key: str, now: datetime) -> int:
        """How many units a key has used today."""
        return self._units[key, now.astimezone(_QUOTA_ZONE).date()]

    def spend(self, key: str, now: datetime) -> int:
        """Count one unit; return how many were used before."""
        with self._lock:
            before = self.units_used(key, now)
            self._units[key, now.astimezone(_QUOTA_ZONE).date()] += 1
        return before


def google_error(code: int, error: dict[str, Any]) -> SceneResponse:
    """A response in the shape that all Google APIs share."""
    return SceneResponse(orjson.dumps({"error": {"code": code, **error}}), code, JSON_TYPE)


def error_info(reason: str, service: str) -> dict[str, Any]:
    """The part of an error in which newer APIs give the reason."""
    return {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "googleapis.com",
        "metadata": {"service": service},
    }


def youtube_error(
    code: int, domain: str, reason: str, message: str, parameter: str = "", **more: Any
) -> SceneResponse:
    """A refusal as YouTube words it; ``parameter`` is the parameter that caused it."""
    where = {"location": parameter, "locationType": "parameter"} if parameter else {}
    errors = [{"message": message, "domain": domain, "reason": reason, **where}]
    return google_error(code, {"message": message, "errors": errors, **more})


def backend_error(code: int) -> SceneResponse:
    """An error of the server."""
    return youtube_error(code, "global", "backendError", "Backend Error")


def invalid_parameter(name: str, message: str) -> SceneResponse:
    """A parameter with a value that it cannot have."""
    return youtube_error(HTTPStatus.BAD_REQUEST, "global", "invalidParameter", message, name)


def missing_parameter(name: str) -> SceneResponse:
    """A required parameter that is missing."""
    message = f"The request is missing a required parameter: {name}."
    code, domain = HTTPStatus.BAD_REQUEST, "youtube.parameter"
    return youtube_error(code, domain, "missingRequiredParameter", message, name)


UNREGISTERED: Final = youtube_error(
    HTTPStatus.FORBIDDEN, "global", "forbidden", UNREGISTERED_MESSAGE, status="PERMISSION_DENIED"
)
UNKNOWN_KEY: Final = youtube_error(
    HTTPStatus.BAD_REQUEST,
    "global",
    "badRequest",
    INVALID_KEY_MESSAGE,
    status="INVALID_ARGUMENT",
    details=[error_info("API_KEY_INVALID", _SERVICE)],
)
"""A wrong key, as Google words it since 2020."""
KEY_INVALID: Final = youtube_error(
    HTTPStatus.BAD_REQUEST, "usageLimits", "keyInvalid", "Bad Request"
)
"""The same as Google worded it before, and still documents it."""
QUOTA_EXCEEDED: Final = youtube_error(
    HTTPStatus.FORBIDDEN,
    "youtube.quota",
    "quotaExceeded",
    "The request cannot be completed because you have exceeded your "
    '<a href="/youtube/v3/getting-started#quota">quota</a>.',
)
RATE_LIMITED: Final = youtube_error(
    HTTPStatus.FORBIDDEN, "usageLimits", "rateLimitExceeded", "Rate Limit Exceeded"
)
TOO_MANY_REQUESTS: Final = youtube_error(
    HTTPStatus.TOO_MANY_REQUESTS,
    "global",
    "rateLimitExceeded",
    "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service "
    f"'{_SERVICE}' for consumer 'project_number:1'.",
    status="RESOURCE_EXHAUSTED",
    details=[error_info("RATE_LIMIT_EXCEEDED", _SERVICE)],
)
FORBIDDEN: Final = youtube_error(HTTPStatus.FORBIDDEN, "global", "forbidden", "Forbidden")
PROCESSING_FAILURE: Final = youtube_error(
    HTTPStatus.BAD_REQUEST,
    _THREAD,
    "processingFailure",
    "The API server failed to successfully process the request. While this can be a transient "
    "error, it usually indicates that the request's input is invalid. Check the structure of the "
    "<code>commentThread</code> resource in the request body to ensure that it is valid.",
)
COMMENTS_DISABLED: Final = youtube_error(
    HTTPStatus.FORBIDDEN,
    _THREAD,
    "commentsDisabled",
    f"{_THE_VIDEO} has disabled comments.",
    "videoId",
)
PRIVATE_VIDEO: Final = youtube_error(
    HTTPStatus.FORBIDDEN,
    _THREAD,
    "forbidden",
    "One or more of the requested comment threads cannot be retrieved due to insufficient "
    "permissions. The request might not be properly authorized.",
)
VIDEO_NOT_FOUND: Final = youtube_error(
    HTTPStatus.NOT_FOUND,
    _THREAD,
    "videoNotFound",
    f"{_THE_VIDEO} could not be found.",
    "videoId",
)
PAGE_TOKEN_INVALID: Final = youtube_error(
    HTTPStatus.BAD_REQUEST,
    "youtube.parameter",
    "invalidPageToken",
    "The request specifies an invalid page token.",
    "pageToken",
)
