"""What analyses cost, what is left of the quota, and what versions and shapes mean."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from jsonschema import Draft202012Validator

from gotgan.api.errors import error_headers, error_status
from gotgan.errors import (
    AnalysisError,
    AnalysisTimeout,
    KeyRefused,
    OutputInvalid,
    QuotaExhausted,
    RefreshTooSoon,
    UpstreamBusy,
    UpstreamUnavailable,
    VideoMissing,
)
from gotgan.world import FaultKind, World
from gotgan.world.videos import YOUTUBE
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told
from tests.unit.api.videos.watching import QUIET, SMALL, analysed, submitted


def test_a_day_tells_what_was_spent_and_what_was_saved(api: Api, server: FastAPI) -> None:
    units = analysed(api)["job"]["units"]
    submitted(api)
    submitted(api)
    answer = api.call("GET", "/videos/costs", role="viewer", params={"days": 2})
    expect_told(server, "videos_costs", answer)
    today, before = answer.json()["data"]["items"]
    assert (today["day"], before["day"]) == ("2025-11-15", "2025-11-14")
    assert (today["analyses"], today["units"], today["costUsd"]) == (1, units, 0)
    assert (today["hits"], today["savedUnits"]) == (2, 2 * units)
    assert (before["analyses"], before["hits"]) == (0, 0)


@pytest.mark.parametrize("days", ["0", "367", "many"])
def test_days_that_cannot_be_told_are_refused(api: Api, days: str) -> None:
    assert api.refusal("GET", "/videos/costs", params={"days": days}) == (422, "invalid")


def test_the_quota_tells_what_is_used_and_when_it_comes_back(api: Api, server: FastAPI) -> None:
    units = analysed(api, QUIET)["job"]["units"]
    answer = api.call("GET", "/videos/quota", role="viewer")
    expect_told(server, "videos_quota", answer)
    told = answer.json()["data"]
    assert (told["day"], told["limit"], told["isBlocked"]) == ("2025-11-15", 10_000, False)
    assert told["units"] >= units > 0
    assert told["resetsAt"] == "2025-11-16T08:00:00Z"


def test_a_quota_that_is_used_up_is_told(api: Api, world: World) -> None:
    world.fail(YOUTUBE, "*", FaultKind.QUOTA_EXCEEDED)
    assert analysed(api)["job"]["errorCode"] == "ANALYSIS_RATE_LIMITED"
    assert api.data("GET", "/videos/quota")["isBlocked"] is True


def test_a_version_says_what_it_stands_for(api: Api, server: FastAPI) -> None:
    submitted(api)
    submitted(api, SMALL, analyser="openai")
    answer = api.call("GET", "/videos/versions", role="viewer")
    expect_told(server, "videos_versions", answer)
    versions = answer.json()["data"]["items"]
    assert [(each["version"], each["analyser"]) for each in versions] == [
        ("v1", "builtin"),
        ("v2", "openai"),
    ]
    assert versions[0]["promptVersion"] == "t2"
    assert versions[1]["promptVersion"] is not None


@pytest.mark.parametrize("shape", [1, 2])
def test_the_schema_of_a_shape_is_one_of_json(api: Api, server: FastAPI, shape: int) -> None:
    answer = api.call("GET", f"/videos/schemas/{shape}", role="viewer")
    expect_told(server, "videos_schema", answer)
    schema = answer.json()["data"]
    Draft202012Validator.check_schema(schema)
    meta = schema["$defs"]["Meta" if shape == 2 else "Meta1"]
    assert meta["properties"]["schemaVersion"]["const"] == shape


def test_there_is_no_third_shape(api: Api) -> None:
    assert api.refusal("GET", "/videos/schemas/3") == (422, "invalid")


@pytest.mark.parametrize(
    ("error", "status", "seconds"),
    [
        (AnalysisError("it failed"), 503, None),
        (UpstreamUnavailable("YouTube is away"), 503, None),
        (KeyRefused("no key"), 503, None),
        (UpstreamBusy("wait"), 503, None),
        (UpstreamBusy("wait", 1.2), 503, "2"),
        (QuotaExhausted("wait", 60.0), 503, "60"),
        (RefreshTooSoon("wait", 0.5), 429, "1"),
        (AnalysisTimeout("too long"), 503, None),
        (VideoMissing("no such video"), 404, None),
        (OutputInvalid("no shape"), 502, None),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Exception) else None,
)
def test_an_error_of_an_analysis_has_a_status_and_says_when_to_come_again(
    error: AnalysisError, status: int, seconds: str | None
) -> None:
    assert error_status(error) == status
    assert error_headers(error).get("Retry-After") == seconds
