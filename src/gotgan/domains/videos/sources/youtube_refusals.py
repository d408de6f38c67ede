"""When YouTube says no: by the reasons that it names, and what to do about each."""

from __future__ import annotations

from collections.abc import Collection
from http import HTTPStatus
from typing import Any, Final

import orjson

from gotgan.domains.videos.sources.fields import items_of, object_of, text_of
from gotgan.errors import (
    AnalysisError,
    AnalysisTimeout,
    BadStatus,
    FetchError,
    FetchTimeout,
    KeyRefused,
    QuotaExhausted,
    ServerTrouble,
    TooManyRequests,
    Truncated,
    Unreachable,
    UpstreamBusy,
    UpstreamUnavailable,
    VideoMissing,
)

__all__ = [
    "COMMENTS_DISABLED",
    "PAGE_GONE",
    "QUOTA",
    "VIDEO_MISSING",
    "YouTubeRefusal",
    "error_of",
    "is_passing",
    "reasons_of",
]

COMMENTS_DISABLED: Final = "commentsDisabled"
PAGE_GONE: Final = "invalidPageToken"
VIDEO_MISSING: Final = "videoNotFound"
QUOTA: Final = frozenset({"quotaExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg"})
"""The units of the day are used up; nothing but the next day helps."""

_BUSY: Final = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})
_PASSING: Final = _BUSY | {"processingFailure", "backendError", "internalError"}
_KEY: Final = frozenset(
    {"keyInvalid", "keyExpired", "accessNotConfigured", "ipRefererBlocked", "SERVICE_DISABLED"}
    | {"API_KEY_INVALID", "API_KEY_SERVICE_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED"}
    | {"API_KEY_HTTP_REFERRER_BLOCKED", "CONSUMER_INVALID", "CONSUMER_SUSPENDED"}
)
_REFUSING: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_LONGEST_NAMED: Final = 60


class YouTubeRefusal(Exception):
    """YouTube said no for a reason that whoever asked deals with."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def reasons_of(error: FetchError) -> frozenset[str]:
    """The reasons that YouTube names; none where it was not YouTube that said no."""
    said = _document(error.said) if isinstance(error, BadStatus) else None
    problem = object_of(said, "error")
    details = items_of(problem.get("details"))
    named = [text_of(each.get("reason")) for each in [*items_of(problem.get("errors")), *details]]
    limits = [text_of(object_of(each, "metadata").get("quota_limit")) for each in details]
    of_the_day = ["quotaExceeded"] if any("PerDay" in limit for limit in limits) else []
    return frozenset(reason for reason in [*named, *of_the_day] if reason)


def is_passing(error: FetchError, reasons: Collection[str]) -> bool:
    """Whether the same question may be answered in a moment."""
    if not QUOTA.isdisjoint(reasons):
        return False
    may_pass = isinstance(error, ServerTrouble | TooManyRequests | Truncated | Unreachable)
    return may_pass or not _PASSING.isdisjoint(reasons)


def error_of(error: FetchError, reasons: Collection[str], resets_in: float) -> AnalysisError:
    """What it means to whoever wants an analysis; the units are back in so many seconds."""
    if isinstance(error, FetchTimeout):
        return AnalysisTimeout("YouTube did not answer in time; try again later")
    if not isinstance(error, BadStatus):
        return UpstreamUnavailable(f"YouTube could not be asked: {error.message}")
    if not QUOTA.isdisjoint(reasons):
        return _exhausted(resets_in)
    if isinstance(error, TooManyRequests) or not _BUSY.isdisjoint(reasons):
        return UpstreamBusy(
            "YouTube wants to be asked less often; try again later", error.retry_after
        )
    return _refusal(error.status, reasons)


def _refusal(status: int, reasons: Collection[str]) -> AnalysisError:
    why = f"{status}{_named(reasons)}"
    if VIDEO_MISSING in reasons:
        return VideoMissing("YouTube has no such video, or does not show it to everybody")
    if status == HTTPStatus.NOT_FOUND:
        return UpstreamUnavailable(
            f"there is no YouTube Data API where it was asked for ({why}); look at GOTGAN_YOUTUBE"
        )
    if not _KEY.isdisjoint(reasons):
        return KeyRefused(
            f"YouTube does not take the key ({why}); see that YOUTUBE_API_KEY holds one of a "
            "project in which the YouTube Data API v3 is enabled, and that may be used from here"
        )
    if status in _REFUSING and _PASSING.isdisjoint(reasons):
        return KeyRefused(f"YouTube does not let this key see it ({why}); try another key")
    return UpstreamUnavailable(f"YouTube could not answer ({why}); try again later")


def _named(reasons: Collection[str]) -> str:
    plain = sorted(reason for reason in reasons if reason.isascii() and reason.isidentifier())
    return f", {plain[0][:_LONGEST_NAMED]}" if plain else ""


def _exhausted(resets_in: float) -> QuotaExhausted:
    return QuotaExhausted(
        "YouTube says that the units of this key are used up; they come back at midnight in "
        "California: wait, or import a file",
        resets_in,
    )


def _document(said: bytes) -> Any:
    try:
        return orjson.loads(said)
    except orjson.JSONDecodeError:
        return None
