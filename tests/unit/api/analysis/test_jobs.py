"""The contract as it is kept when all goes well: jobs, results, and what the cache gives."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fastapi import FastAPI
from jsonschema import Draft202012Validator

from gotgan.clock import FixedClock
from gotgan.domains.videos.schemas import schema_of
from gotgan.world import FaultKind, World
from gotgan.world.videos import MISSING_VIDEO, THREADS, YOUTUBE
from tests.unit.api.analysis.contract import QUIET, SMALL, analysed, asked, refusal, submitted
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told


def test_an_answer_has_its_envelope(api: Api) -> None:
    answer = asked(api, "POST", json={"videoId": SMALL}, headers={"X-Request-Id": "trace-1"})
    told = answer.json()
    assert answer.headers["Content-Type"] == "application/json"
    assert told.keys() == {"success", "data", "meta"}
    assert told["success"] is True
    assert told["meta"] == {"requestId": "trace-1", "timestamp": "2025-11-15T12:00:00Z"}
    assert told["data"].keys() == {"jobId", "status"}
    assert told["data"]["status"] == "queued"


def test_whoever_comes_while_a_job_is_open_joins_it(api: Api) -> None:
    first = submitted(api)
    assert submitted(api, f"https://youtu.be/{SMALL}") == first
    assert submitted(api, forceRefresh=True)["jobId"] == first["jobId"]
    assert submitted(api, QUIET)["jobId"] != first["jobId"]


def test_a_job_that_waits_has_nothing_to_tell_but_that(api: Api, server: FastAPI) -> None:
    first = submitted(api)
    answer = asked(api, "GET", f"/jobs/{first['jobId']}", role="viewer")
    assert answer.json()["data"] == first
    expect_told(server, "follow_job", answer)


def test_a_job_that_is_worked_on_tells_its_step(api: Api, server: FastAPI, world: World) -> None:
    world.fail(YOUTUBE, THREADS, FaultKind.HANG)
    with api.app.videos.workers(at_once=1):
        path = f"/jobs/{submitted(api)['jobId']}"
        answer = asked(api, "GET", path)
        while "step" not in answer.json()["data"]:
            answer = asked(api, "GET", path)
    data = answer.json()["data"]
    assert (data["status"], data["step"]) == ("processing", "collecting_comments")
    assert 0 < data["progress"] < 100
    expect_told(server, "follow_job", answer)


def test_a_job_that_is_done_has_its_result(api: Api, server: FastAPI) -> None:
    job = analysed(api)
    assert (job["status"], job["progress"]) == ("completed", 100)
    assert job.keys() == {"jobId", "status", "progress", "result"}
    Draft202012Validator(schema_of(1)).validate(job["result"])
    meta = job["result"]["meta"]
    assert (meta["cacheHit"], meta["schemaVersion"], meta["analysisVersion"]) == (False, 1, "v1")
    assert meta["analyzedAt"] == "2025-11-15T12:00:00Z"
    answer = asked(api, "GET", f"/jobs/{job['jobId']}", role="viewer")
    expect_told(server, "follow_job", answer)


def test_a_fresh_result_is_given_again_at_once(api: Api, server: FastAPI) -> None:
    job = analysed(api)
    answer = asked(api, "POST", json={"videoId": SMALL})
    expect_told(server, "submit_job", answer)
    data = answer.json()["data"]
    assert data.keys() == {"jobId", "status", "result"}
    assert (data["jobId"], data["status"]) == (job["jobId"], "completed")
    assert data["result"]["meta"].pop("cacheHit") is True
    assert job["result"]["meta"].pop("cacheHit") is False
    assert data["result"] == job["result"]


def test_the_latest_result_is_given_again_and_none_that_was_deleted(
    api: Api, clock: FixedClock
) -> None:
    first = analysed(api)["jobId"]
    assert [submitted(api)["jobId"] for _ in range(2)] == [first] * 2
    clock.advance(timedelta(minutes=1))
    again = analysed(api, forceRefresh=True)["jobId"]
    assert [submitted(api)["jobId"] for _ in range(2)] == [again] * 2
    api.app.videos.delete(SMALL)
    assert submitted(api)["status"] == "queued"


def test_a_result_that_is_a_day_old_is_made_anew(api: Api, clock: FixedClock) -> None:
    job = analysed(api)
    clock.advance(timedelta(hours=23, minutes=59))
    assert submitted(api)["jobId"] == job["jobId"]
    clock.advance(timedelta(minutes=1))
    again = submitted(api)
    assert again["jobId"] != job["jobId"]
    assert (again["status"], "result" in again) == ("queued", False)


def test_a_forced_refresh_is_a_job_of_its_own(api: Api, clock: FixedClock) -> None:
    first = analysed(api)
    again = analysed(api, forceRefresh=True, reason="user_request")
    assert again["jobId"] != first["jobId"]
    assert again["result"]["meta"]["cacheHit"] is False
    [job] = [each for each in api.app.videos.jobs().items if each.job_id == again["jobId"]]
    assert (job.force_refresh, job.refresh_reason) == (True, "user_request")
    answer = asked(api, "POST", json={"videoId": SMALL, "forceRefresh": True})
    assert refusal(answer) == (503, "ANALYSIS_RATE_LIMITED")
    assert answer.headers["Retry-After"] == "600"
    clock.advance(timedelta(minutes=10))
    assert submitted(api, forceRefresh=True)["status"] == "queued"


def test_what_is_partly_there_is_analysed_and_says_so(api: Api) -> None:
    meta = analysed(api, QUIET)["result"]["meta"]
    assert meta["commentSampleCount"] == 0
    assert "comments" not in meta["analysisBasis"]
    assert meta["warnings"]


@pytest.mark.parametrize(
    ("video", "fault", "code"),
    [
        (MISSING_VIDEO, None, "ANALYSIS_VIDEO_NOT_FOUND"),
        (SMALL, FaultKind.KEY_INVALID, "ANALYSIS_UPSTREAM_UNAVAILABLE"),
        (SMALL, FaultKind.QUOTA_EXCEEDED, "ANALYSIS_RATE_LIMITED"),
    ],
)
def test_a_job_that_failed_is_a_good_answer(
    api: Api, server: FastAPI, world: World, video: str, fault: FaultKind | None, code: str
) -> None:
    if fault is not None:
        world.fail(YOUTUBE, "*", fault)
    job = analysed(api, video)
    assert (job["status"], job["error"]["code"]) == ("failed", code)
    assert "result" not in job
    assert job["error"]["message"]
    expect_told(server, "follow_job", asked(api, "GET", f"/jobs/{job['jobId']}"))


def test_a_failed_job_may_be_tried_again(api: Api, world: World) -> None:
    world.fail(YOUTUBE, "*", FaultKind.KEY_INVALID)
    failed = analysed(api)
    world.heal()
    again = analysed(api, forceRefresh=True, reason="retry_failed")
    assert (failed["status"], again["status"]) == ("failed", "completed")


def test_another_analyser_has_a_version_of_its_own(api: Api) -> None:
    first = analysed(api)
    assert submitted(api, analyser="builtin")["jobId"] == first["jobId"]
    assert submitted(api, analyser="openai")["jobId"] != first["jobId"]
