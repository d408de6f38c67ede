"""Requests to YouTube's API: each is counted before it is sent, and few are sent twice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

import orjson

from gotgan import errors
from gotgan.domains.videos import messages
from gotgan.domains.videos.sources.fields import clean_text, nested_object, object_list
from gotgan.domains.videos.sources.quota import Quota, youtube_key
from gotgan.domains.videos.sources.youtube_json import parse_document
from gotgan.events import emit
from gotgan.fetch import FetchRequest, Web
from gotgan.messages import text
from gotgan.retry import Policy
from gotgan.settings import Settings

_RETRY_POLICY: Final = Policy(attempts=2, base=1.0, cap=5.0)
_MAX_RETRY_WAIT_S: Final = 30.0
"""If YouTube asks for a longer pause, the request fails."""
COMMENTS_DISABLED: Final = "commentsDisabled"
PAGE_GONE: Final = "invalidPageToken"
VIDEO_MISSING: Final = "videoNotFound"
QUOTA_REASONS: Final = frozenset({"quotaExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg"})
"""The units of the day are used up."""

_BUSY_REASONS: Final = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})
_TRANSIENT_REASONS: Final = _BUSY_REASONS | {"processingFailure", "backendError", "internalError"}
_KEY_REASONS: Final = frozenset(
    {"keyInvalid", "keyExpired", "accessNotConfigured", "ipRefererBlocked", "SERVICE_DISABLED"}
    | {"API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED"}
    | {"API_KEY_HTTP_REFERRER_BLOCKED", "CONSUMER_INVALID", "CONSUMER_SUSPENDED"}
)
_REFUSAL_STATUSES: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_MAX_REASON_CHARS: Final = 60


@dataclass
class YouTubeClient:
    """Sends the requests of one video, and counts their units."""

    web: Web
    settings: Settings
    quota: Quota
    seconds: float
    """How long one request may take."""
    pause: Callable[[float], None]
    """Waits between two attempts."""
    units: int = field(default=0, init=False)

    def get(
        self, resource: str, expected: Collection[str] = (), **parameters: str
    ) -> Mapping[str, Any]:
        """Fetch a resource; AnalysisError if it is not given.

        If YouTube refuses for a reason that the caller expected, YouTubeRefusal names it.
        """
        attempt = 1
        while True:
            try:
                return parse_document(self._send(resource, parameters))
            except errors.FetchError as error:
                if not _is_retryable(error, attempt):
                    raise self._error(error, expected) from error
                emit("videos.youtube.retrying", resource=resource, reason=error.message)
            self.pause(_RETRY_POLICY.longest(attempt))
            attempt += 1

    def _send(self, resource: str, parameters: Mapping[str, str]) -> bytes:
        """Send one request; the key is in a header, and no redirect is followed with it."""
        key = youtube_key(self.settings)
        self.quota.spend()
        self.units += 1
        base = self.settings.youtube.rstrip("/")
        return self.web.one(
            FetchRequest(
                f"{base}/{resource}?{urlencode(parameters)}",
                None,
                accept="application/json",
                from_settings=True,
                within=lambda _url: False,
                headers={"x-goog-api-key": key},
                is_personal=True,
                seconds=self.seconds,
            )
        ).body

    def _error(self, error: errors.FetchError, expected: Collection[str]) -> Exception:
        reasons = refusal_reasons(error)
        for reason in expected:
            if reason in reasons:
                return YouTubeRefusal(reason)
        meaning = refusal_error(error, reasons, self.quota.resets_in())
        if not QUOTA_REASONS.isdisjoint(reasons):
            self.quota.block(meaning.message)
            emit("videos.youtube.exhausted", level="warning", seconds=self.quota.resets_in())
        return meaning


def _is_retryable(error: errors.FetchError, attempt: int) -> bool:
    wait = error.retry_after if isinstance(error, errors.BadStatus) else None
    may_retry = attempt < _RETRY_POLICY.attempts and (wait or 0.0) <= _MAX_RETRY_WAIT_S
    return may_retry and is_transient(error, refusal_reasons(error))


class YouTubeRefusal(Exception):
    """YouTube refused a request for a reason that the caller expected."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def refusal_reasons(error: errors.FetchError) -> frozenset[str]:
    """The reasons that YouTube names; none if another server has answered."""
    document = None
    if isinstance(error, errors.BadStatus):
        with suppress(orjson.JSONDecodeError):
            document = orjson.loads(error.body)
    problem = nested_object(document, "error")
    details = object_list(problem.get("details"))
    named = [
        clean_text(each.get("reason")) for each in [*object_list(problem.get("errors")), *details]
    ]
    limits = [clean_text(nested_object(each, "metadata").get("quota_limit")) for each in details]
    of_the_day = ["quotaExceeded"] if any("PerDay" in limit for limit in limits) else []
    return frozenset(reason for reason in [*named, *of_the_day] if reason)


def is_transient(error: errors.FetchError, reasons: Collection[str]) -> bool:
    """Whether the same request may succeed in a moment."""
    if not QUOTA_REASONS.isdisjoint(reasons):
        return False
    may_pass = isinstance(
        error, errors.ServerTrouble | errors.TooManyRequests | errors.Truncated | errors.Unreachable
    )
    return may_pass or not _TRANSIENT_REASONS.isdisjoint(reasons)


def refusal_error(
    error: errors.FetchError, reasons: Collection[str], resets_in: float
) -> errors.AnalysisError:
    """The error for the caller; the units come back in so many seconds."""
    if isinstance(error, errors.FetchTimeout):
        return errors.AnalysisTimeout(messages.YOUTUBE_TIMEOUT())
    if not isinstance(error, errors.BadStatus):
        return errors.UpstreamUnavailable(messages.YOUTUBE_FAILED(cause=text(error.message)))
    if not QUOTA_REASONS.isdisjoint(reasons):
        return errors.QuotaExhausted(messages.QUOTA_USED(), resets_in)
    if isinstance(error, errors.TooManyRequests) or not _BUSY_REASONS.isdisjoint(reasons):
        return errors.UpstreamBusy(messages.BUSY(service="YouTube"), error.retry_after)
    return _refusal(error.status, reasons)


def _refusal(status: int, reasons: Collection[str]) -> errors.AnalysisError:
    named = sorted(reason for reason in reasons if reason.isascii() and reason.isidentifier())
    why = f"{status}, {named[0][:_MAX_REASON_CHARS]}" if named else str(status)
    if VIDEO_MISSING in reasons:
        return errors.VideoMissing(messages.VIDEO_GONE())
    if status == HTTPStatus.NOT_FOUND:
        return errors.UpstreamUnavailable(messages.API_MISSING(why=why))
    if not _KEY_REASONS.isdisjoint(reasons):
        return errors.KeyRefused(messages.KEY_REFUSED(why=why))
    if status in _REFUSAL_STATUSES and _TRANSIENT_REASONS.isdisjoint(reasons):
        return errors.KeyRefused(messages.KEY_FORBIDDEN(why=why))
    return errors.UpstreamUnavailable(messages.FAILED(service="YouTube", why=why))
