"""What each of YouTube's refusals means."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from gotgan.domains.videos.sources.youtube_client import (
    is_transient,
    refusal_error,
    refusal_reasons,
)
from gotgan.errors import (
    AddressRefused,
    AnalysisError,
    AnalysisTimeout,
    BadStatus,
    FetchError,
    FetchTimeout,
    KeyRefused,
    LeadsElsewhere,
    QuotaExhausted,
    Unreachable,
    UpstreamBusy,
    UpstreamUnavailable,
    VideoMissing,
)
from gotgan.fetch.statuses import status_error

DAY = {"@type": "ErrorInfo", "metadata": {"quota_limit": "defaultPerDayPerProject"}}
MINUTE = {"@type": "ErrorInfo", "metadata": {"quota_limit": "defaultPerMinutePerProject"}}


def _said(status: int, reason: str = "", *details: dict[str, Any]) -> BadStatus:
    errors = [{"reason": reason, "domain": "youtube"}] if reason else []
    said = {"error": {"code": status, "errors": errors, "details": list(details)}}
    return status_error("https://www.googleapis.com/x", status, None, body=orjson.dumps(said))


def _meant(error: FetchError) -> AnalysisError:
    return refusal_error(error, refusal_reasons(error), 60.0)


@pytest.mark.parametrize(
    ("error", "kind", "passes"),
    [
        (_said(403, "quotaExceeded"), QuotaExhausted, False),
        (_said(403, "dailyLimitExceeded"), QuotaExhausted, False),
        (_said(429, "rateLimitExceeded", DAY), QuotaExhausted, False),
        (_said(429, "rateLimitExceeded", MINUTE), UpstreamBusy, True),
        (_said(403, "rateLimitExceeded"), UpstreamBusy, True),
        (_said(403, "userRateLimitExceeded"), UpstreamBusy, True),
        (_said(429), UpstreamBusy, True),
        (_said(400, "keyInvalid"), KeyRefused, False),
        (_said(400, "badRequest", {"reason": "API_KEY_INVALID"}), KeyRefused, False),
        (_said(403, "accessNotConfigured"), KeyRefused, False),
        (_said(403, "forbidden"), KeyRefused, False),
        (_said(403), KeyRefused, False),
        (_said(401, "unauthorized"), KeyRefused, False),
        (_said(404, "videoNotFound"), VideoMissing, False),
        (_said(404), UpstreamUnavailable, False),
        (_said(400, "processingFailure"), UpstreamUnavailable, True),
        (_said(400, "badRequest"), UpstreamUnavailable, False),
        (_said(500, "backendError"), UpstreamUnavailable, True),
        (_said(503), UpstreamUnavailable, True),
        (Unreachable("no"), UpstreamUnavailable, True),
        (LeadsElsewhere("no"), UpstreamUnavailable, False),
        (AddressRefused("no"), UpstreamUnavailable, False),
        (FetchTimeout("no"), AnalysisTimeout, False),
    ],
    ids=lambda value: getattr(value, "message", None),
)
def test_a_refusal_means_one_thing_and_is_asked_again_or_not(
    error: FetchError, kind: type[AnalysisError], passes: bool
) -> None:
    assert type(_meant(error)) is kind
    assert is_transient(error, refusal_reasons(error)) is passes


def test_how_long_to_wait_is_handed_on() -> None:
    busy = status_error("https://www.googleapis.com/x", 429, 17.0)
    meant = _meant(busy)
    assert isinstance(meant, UpstreamBusy)
    assert meant.retry_after == 17.0
    exhausted = _meant(_said(403, "quotaExceeded"))
    assert isinstance(exhausted, QuotaExhausted)
    assert exhausted.retry_after == 60.0


@pytest.mark.parametrize(
    "said",
    [b"", b"<html>no</html>", b"[]", b'{"error": 5}', b'{"error": {"errors": [1, {"reason": 2}]}}'],
)
def test_a_refusal_without_a_reason_is_told_by_its_status(said: bytes) -> None:
    error = status_error("https://www.googleapis.com/x", 500, None, body=said)
    assert refusal_reasons(error) == frozenset()
    assert type(_meant(error)) is UpstreamUnavailable


def test_a_reason_that_is_no_word_is_not_repeated() -> None:
    assert "(400)" in _meant(_said(400, "<b>no\nway</b>")).message
    assert "(400, oddReason)" in _meant(_said(400, "oddReason")).message
