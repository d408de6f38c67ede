"""Analyses asked for over the API: given again, joined, waited for, and followed."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from jsonschema import Draft202012Validator
from sqlalchemy import text

from gotgan.domains.videos.schemas import schema_of
from gotgan.world.videos import MISSING_VIDEO
from tests.sql.foreign import ANALYSIS_ROWS
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told
from tests.unit.api.videos.watching import QUIET, SMALL, analysed, followed, submitted


def test_a_video_is_queued_joined_and_then_given_again(api: Api) -> None:
    first = submitted(api)
    assert (first["outcome"], first["job"]["status"], first["analysis"]) == ("new", "queued", None)
    joined = submitted(api, f"https://www.youtube.com/watch?v={SMALL}")
    assert (joined["outcome"], joined["job"]) == ("joined", first["job"])
    api.app.videos.work()
    again = submitted(api)
    assert (again["outcome"], again["job"]["jobId"]) == ("hit", first["job"]["jobId"])
    assert again["analysis"]["result"]["meta"]["cacheHit"] is True


def test_who_waits_is_told_the_end(api: Api, server: FastAPI) -> None:
    with api.app.videos.workers(at_once=1):
        answer = api.call("POST", "/videos/analyse", role="editor", json={"video": SMALL})
    expect_told(server, "videos_analyse", answer)
    told = answer.json()["data"]
    assert (told["outcome"], told["job"]["status"]) == ("new", "completed")
    assert told["analysis"]["result"]["meta"]["cacheHit"] is False


def test_who_does_not_want_to_wait_for_long_is_told_how_it_stands(api: Api) -> None:
    words = {"json": {"video": SMALL}, "params": {"wait": 1}}
    told = api.data("POST", "/videos/analyse", **words)
    assert (told["job"]["status"], told["analysis"]) == ("queued", None)


def test_a_job_has_its_analysis_in_shape_2(api: Api, server: FastAPI) -> None:
    told = analysed(api)
    job, analysis = told["job"], told["analysis"]
    assert (job["status"], job["progress"], job["analyser"]) == ("completed", 100, "builtin")
    assert (job["analysisResultId"], job["jobId"]) == (analysis["id"], analysis["jobId"])
    assert job["units"] == analysis["result"]["usage"]["units"] > 0
    Draft202012Validator(schema_of(2)).validate(analysis["result"])
    assert analysis["result"]["meta"]["cacheHit"] is False
    expect_told(server, "videos_job", api.call("GET", f"/videos/jobs/{job['jobId']}"))


def test_an_analysis_has_the_words_of_the_comments_that_it_names(api: Api) -> None:
    analysis = analysed(api)["analysis"]
    named = {found["commentId"] for found in analysis["result"]["highlights"]}
    assert named
    assert named <= analysis["evidence"].keys()
    for comment_id, comment in analysis["evidence"].items():
        assert comment.keys() == {"commentId", "text", "likes", "publishedAt"}
        assert comment["commentId"] == comment_id


def test_a_job_that_failed_says_why_and_is_no_error(api: Api, server: FastAPI) -> None:
    told = analysed(api, MISSING_VIDEO)
    job = told["job"]
    assert (job["status"], job["errorCode"]) == ("failed", "ANALYSIS_VIDEO_NOT_FOUND")
    assert (bool(job["errorMessage"]), told["analysis"]) == (True, None)
    expect_told(server, "videos_job", api.call("GET", f"/videos/jobs/{job['jobId']}"))


def test_what_is_wanted_anew_too_soon_is_refused_with_when_to_come_again(api: Api) -> None:
    analysed(api)
    assert analysed(api, force=True)["job"]["refreshReason"] == "user_request"
    answer = api.call("POST", "/videos/analyse", json={"video": SMALL, "force": True})
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "videos.refresh_too_soon")
    assert answer.headers["Retry-After"] == "600"


def test_a_reason_that_does_not_hold_is_a_conflict(api: Api) -> None:
    analysed(api)
    body = {"video": SMALL, "force": True, "reason": "retry_failed"}
    assert api.refusal("POST", "/videos/analyse", json=body) == (409, "conflict")


def test_a_reason_without_force_is_refused_in_words(api: Api) -> None:
    body = {"video": SMALL, "reason": "user_request"}
    answer = api.call("POST", "/videos/analyse", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "usage")
    assert "Use it with force" in answer.json()["error"]["message"]
    assert api.data("GET", "/videos/jobs")["items"] == []


def test_jobs_are_listed_by_state_and_by_video(api: Api, server: FastAPI) -> None:
    done = analysed(api, QUIET)["job"]
    waits = submitted(api)["job"]
    answer = api.call("GET", "/videos/jobs", role="viewer")
    expect_told(server, "videos_jobs", answer)
    both = answer.json()["data"]["items"]
    assert sorted(job["jobId"] for job in both) == sorted([done["jobId"], waits["jobId"]])
    queued = api.data("GET", "/videos/jobs", params={"status": "queued"})
    assert (queued["items"], queued["cursor"]) == ([waits], None)
    address = f"https://youtu.be/{QUIET}"
    assert api.data("GET", "/videos/jobs", params={"video": address})["items"] == [done]


def test_a_cursor_leads_through_all_jobs(api: Api) -> None:
    jobs = {submitted(api, video)["job"]["jobId"] for video in (SMALL, QUIET, MISSING_VIDEO)}
    seen: list[str] = []
    query: dict[str, Any] | None = {"limit": 1}
    while query is not None:
        page = api.data("GET", "/videos/jobs", params=query)
        seen += [job["jobId"] for job in page["items"]]
        query = None if page["cursor"] is None else {"limit": 1, "cursor": page["cursor"]}
    assert (len(seen), set(seen)) == (3, jobs)
    assert api.refusal("GET", "/videos/jobs", params={"cursor": "abc"}) == (400, "store.cursor")


def test_a_job_that_nobody_knows_is_not_found(api: Api) -> None:
    assert api.refusal("GET", f"/videos/jobs/{'0' * 32}") == (404, "not_found")
    assert api.refusal("GET", "/videos/jobs/no.thing") == (422, "invalid")


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({}, (422, "invalid")),
        ({"video": ""}, (422, "invalid")),
        ({"video": SMALL, "force": 1}, (422, "invalid")),
        ({"video": SMALL, "reason": "boredom"}, (422, "invalid")),
        ({"video": SMALL, "analyser": "oracle"}, (422, "invalid")),
        ({"video": SMALL, "wait": 5}, (422, "invalid")),
        ({"video": "https://example.com/video"}, (400, "usage")),
    ],
)
def test_words_that_cannot_be_meant_make_no_job(
    api: Api, body: dict[str, Any], refused: tuple[int, str]
) -> None:
    assert api.refusal("POST", "/videos/analyse", json=body) == refused
    assert api.data("GET", "/videos/jobs")["items"] == []


def test_a_viewer_has_nothing_analysed(api: Api) -> None:
    words = {"json": {"video": SMALL}, "role": "viewer"}
    assert api.refusal("POST", "/videos/analyse", **words) == (403, "forbidden")


def test_a_job_of_another_program_has_its_result(api: Api, server: FastAPI) -> None:
    with api.app.database.begin() as connection:
        for statement in ANALYSIS_ROWS.split(";")[:2]:
            connection.execute(text(statement.replace(":", r"\:")))
    api.app.videos.adopt()
    known = [("completed", None), ("failed", None), ("queued", "builtin"), ("queued", None)]
    for number, stands in enumerate(known, start=1):  # the first open job of a video is queued here
        path = f"/videos/jobs/3f1c2a34-000{number}-4c7e-9f5e-1f6f7c1f000{number}"
        answer = api.call("GET", path)
        expect_told(server, "videos_job", answer)
        job = answer.json()["data"]
        assert (job["status"], job["analyser"]) == stands
        assert (followed(api, job["jobId"])["analysis"] is not None) is (number == 1)
    for path, name in (("/videos/jobs", "videos_jobs"), ("/videos", "videos_list")):
        expect_told(server, name, api.call("GET", path))
    expect_told(server, "videos_get", api.call("GET", "/videos/dQw4w9WgXcQ"))
