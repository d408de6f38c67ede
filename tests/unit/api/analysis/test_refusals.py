"""The contract as it is kept when something is wrong: its codes, in its envelope."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from fastapi import FastAPI

from gotgan.errors import (
    AnalysisTimeout,
    Conflict,
    DatabaseUnavailable,
    KeyRefused,
    QuotaExhausted,
    RefreshTooSoon,
    SettingsError,
    UpstreamBusy,
    UpstreamUnavailable,
    VideoMissing,
)
from gotgan.middleware import MAX_BODY_BYTES
from tests.unit.api.analysis.contract import SMALL, analysed, asked, refusal
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told

INVALID = (400, "COMMON_INVALID_REQUEST")
JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        "gotganSmall",
        {"videoId": None},
        {"videoId": 7},
        {"videoId": ""},
        {"videoId": "x" * 2_001},
        {"videoId": "too short"},
        {"videoId": "https://vimeo.com/123456789"},
        {"videoId": SMALL, "forceRefresh": "true"},
        {"videoId": SMALL, "forceRefresh": 1},
        {"videoId": SMALL, "forceRefresh": None},
        {"videoId": SMALL, "forceRefresh": True, "reason": "boredom"},
        {"videoId": SMALL, "analyser": "oracle"},
        {"videoId": SMALL, "schemaVersion": 2},
        {"video": SMALL},
    ],
)
def test_a_body_that_is_not_what_it_should_be_makes_no_job(
    api: Api, server: FastAPI, body: Any
) -> None:
    answer = asked(api, "POST", content=orjson.dumps(body), headers=JSON)
    assert refusal(answer) == INVALID
    expect_told(server, "submit_job", answer)
    assert api.app.videos.jobs().items == ()


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"{", "application/json"),
        (b"\xff", "application/json"),
        (b"", "application/json"),
        (b'{"videoId": "\\ud800"}', "application/json"),
        (b" " * (MAX_BODY_BYTES + 1), "application/json"),
        (b'{"videoId": "gotganSmall"}', "text/plain"),
        (b"videoId=gotganSmall", "application/x-www-form-urlencoded"),
    ],
)
def test_what_is_no_json_is_refused(api: Api, body: bytes, kind: str) -> None:
    answer = asked(api, "POST", content=body, headers={"Content-Type": kind})
    assert refusal(answer) == INVALID
    assert api.app.videos.jobs().items == ()


@pytest.mark.parametrize("reason", ["retry_failed", "version_bump"])
def test_a_reason_that_does_not_hold_is_refused(api: Api, reason: str) -> None:
    analysed(api)
    body = {"videoId": SMALL, "forceRefresh": True, "reason": reason}
    assert refusal(asked(api, "POST", json=body)) == INVALID


def test_a_reason_without_a_refresh_means_nothing(api: Api) -> None:
    job = analysed(api)
    answer = asked(api, "POST", json={"videoId": SMALL, "reason": "version_bump"})
    assert answer.json()["data"]["jobId"] == job["jobId"]


@pytest.mark.parametrize("job_id", ["0" * 32, "nothing", "0" * 33, "%00", "A" * 32])
def test_a_job_that_nobody_knows_is_not_found(api: Api, server: FastAPI, job_id: str) -> None:
    answer = asked(api, "GET", f"/jobs/{job_id}")
    assert refusal(answer) == (404, "ANALYSIS_JOB_NOT_FOUND")
    expect_told(server, "follow_job", answer)


def test_nobody_is_told_anything_without_saying_who_they_are(api: Api, server: FastAPI) -> None:
    answer = asked(api, "POST", json={"videoId": SMALL}, role=None)
    assert refusal(answer) == (401, "COMMON_UNAUTHORIZED")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    expect_told(server, "submit_job", answer)
    assert refusal(asked(api, "GET", "/jobs/nothing", role=None)) == (401, "COMMON_UNAUTHORIZED")


def test_a_viewer_has_nothing_analysed(api: Api) -> None:
    answer = asked(api, "POST", json={"videoId": SMALL}, role="viewer")
    assert refusal(answer) == (403, "COMMON_FORBIDDEN")
    assert api.app.videos.jobs().items == ()


def test_who_asks_is_looked_at_before_what_they_send(api: Api) -> None:
    answer = asked(api, "POST", content=b"{", headers=JSON, role=None)
    assert refusal(answer) == (401, "COMMON_UNAUTHORIZED")


def test_an_address_that_is_not_there_is_refused_in_the_same_envelope(api: Api) -> None:
    assert refusal(asked(api, "GET", "/results")) == (404, "COMMON_NOT_FOUND")
    assert refusal(asked(api, "GET", "")) == (404, "COMMON_NOT_FOUND")


def test_a_method_that_is_not_there_is_told_those_that_are(api: Api) -> None:
    answer = asked(api, "PUT", json={})
    assert refusal(answer) == (405, "COMMON_METHOD_NOT_ALLOWED")
    assert answer.headers["Allow"] == "POST"


UNAVAILABLE = (503, "ANALYSIS_UPSTREAM_UNAVAILABLE")


@pytest.mark.parametrize(
    ("error", "told", "seconds"),
    [
        (UpstreamUnavailable("YouTube does not answer"), UNAVAILABLE, None),
        (KeyRefused("there is no key"), UNAVAILABLE, None),
        (SettingsError("it needs one more package"), UNAVAILABLE, None),
        (AnalysisTimeout("it took too long"), (503, "ANALYSIS_TIMEOUT"), None),
        (UpstreamBusy("wait"), (503, "ANALYSIS_RATE_LIMITED"), None),
        (QuotaExhausted("wait", 12.3), (503, "ANALYSIS_RATE_LIMITED"), "13"),
        (RefreshTooSoon("wait", 12.3), (503, "ANALYSIS_RATE_LIMITED"), "13"),
        (VideoMissing("no such video"), (404, "ANALYSIS_VIDEO_NOT_FOUND"), None),
        (Conflict("it cannot be"), INVALID, None),
    ],
)
def test_every_error_has_a_code_of_the_contract(
    api: Api,
    server: FastAPI,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    told: tuple[int, str],
    seconds: str | None,
) -> None:
    answer = _failing(api, monkeypatch, error)
    assert refusal(answer) == told
    assert answer.json()["error"]["message"] == str(error)
    assert answer.headers.get("Retry-After") == seconds
    expect_told(server, "submit_job", answer)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (DatabaseUnavailable("the database at db.internal is away"), UNAVAILABLE),
        (RuntimeError("db.internal"), (500, "COMMON_INTERNAL_ERROR")),
    ],
)
def test_what_goes_wrong_inside_is_told_without_its_reason(
    api: Api, monkeypatch: pytest.MonkeyPatch, error: Exception, told: tuple[int, str]
) -> None:
    answer = _failing(api, monkeypatch, error)
    assert refusal(answer) == told
    assert "db.internal" not in answer.text


def _failing(api: Api, monkeypatch: pytest.MonkeyPatch, error: Exception) -> Any:
    def fails(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(api.app.videos, "submit", fails)
    return asked(api, "POST", json={"videoId": SMALL})
