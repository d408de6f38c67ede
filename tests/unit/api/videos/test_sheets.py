"""What is known of videos, over the API: lists, sheets, comments, results and comparisons."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI

from gotgan.clock import FixedClock
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told
from tests.unit.api.videos.watching import QUIET, SMALL, STUDY, analysed, submitted


def test_a_list_tells_how_fresh_each_analysis_is(
    api: Api, server: FastAPI, clock: FixedClock
) -> None:
    analysed(api)
    clock.advance(timedelta(hours=24))
    analysed(api, QUIET)
    submitted(api, STUDY)
    answer = api.call("GET", "/videos", role="viewer")
    expect_told(server, "videos_list", answer)
    lines = {line["videoId"]: line for line in answer.json()["data"]["items"]}
    assert (lines[SMALL]["isFresh"], lines[SMALL]["jobStatus"]) == (False, "completed")
    assert (lines[QUIET]["isFresh"], lines[QUIET]["commentSampleCount"]) == (True, 0)
    assert (lines[STUDY]["isFresh"], lines[STUDY]["jobStatus"]) == (False, "queued")
    assert lines[STUDY]["analysedAt"] is None
    page = api.data("GET", "/videos", params={"limit": 2})
    [last] = api.data("GET", "/videos", params={"cursor": page["cursor"]})["items"]
    assert {SMALL, QUIET, STUDY} == {line["videoId"] for line in [*page["items"], last]}


def test_a_sheet_has_all_that_there_is_of_a_video(api: Api, server: FastAPI) -> None:
    first, again = analysed(api), analysed(api, force=True)
    answer = api.call("GET", f"/videos/{SMALL}", role="viewer")
    expect_told(server, "videos_get", answer)
    sheet = answer.json()["data"]
    assert (sheet["videoId"], sheet["video"]["title"]) == (SMALL, "첫 영상입니다")
    assert sheet["video"]["keptUntil"] == "2025-12-15T12:00:00Z"
    assert sheet["channel"]["title"] == "느린 하루"
    made = {first["analysis"]["id"], again["analysis"]["id"]}
    assert {line["id"] for line in sheet["history"]} == made
    assert (sheet["analysis"]["isStale"], sheet["analysis"]["id"] in made) == (False, True)
    assert sheet["analysis"]["result"]["meta"]["cacheHit"] is True
    assert sheet["lastJob"]["jobId"] == again["job"]["jobId"]


def test_a_stale_analysis_is_shown_as_stale(api: Api, clock: FixedClock) -> None:
    analysed(api)
    clock.advance(timedelta(hours=24))
    analysis = api.data("GET", f"/videos/{SMALL}")["analysis"]
    assert (analysis["isStale"], analysis["result"]["meta"]["cacheHit"]) == (True, False)


def test_a_version_may_be_asked_for(api: Api) -> None:
    made = analysed(api)["analysis"]["id"]
    told = api.data("GET", f"/videos/{SMALL}", params={"version": "v1"})
    assert told["analysis"]["id"] == made
    words = {"params": {"version": "v9"}}
    assert api.refusal("GET", f"/videos/{SMALL}", **words) == (404, "not_found")
    words = {"params": {"version": "latest"}}
    assert api.refusal("GET", f"/videos/{SMALL}", **words) == (422, "invalid")


def test_a_result_stays_what_it_was(api: Api, server: FastAPI) -> None:
    first = analysed(api)["analysis"]
    analysed(api, force=True)
    answer = api.call("GET", f"/videos/results/{first['id']}", role="viewer")
    expect_told(server, "videos_result", answer)
    assert answer.json()["data"] == first
    assert api.refusal("GET", f"/videos/results/{'0' * 32}") == (404, "not_found")


def test_comments_come_with_how_they_sound(api: Api, server: FastAPI) -> None:
    analysed(api, STUDY)
    answer = api.call("GET", f"/videos/{STUDY}/comments", role="viewer")
    expect_told(server, "videos_comments", answer)
    told = answer.json()["data"]
    assert {"positive", "neutral"} <= {comment["label"] for comment in told["items"]}
    parts = [_comments(api, STUDY, limit=7, offset=start) for start in (0, 7, 14)]
    assert [each for part in parts for each in part] == told["items"][:21]
    assert _comments(api, STUDY, offset=told["total"]) == []


def _comments(api: Api, video: str, **query: int) -> list[Any]:
    found: list[Any] = api.data("GET", f"/videos/{video}/comments", params=query)["items"]
    return found


def test_nobody_is_named_anywhere(api: Api) -> None:
    job = analysed(api, STUDY)["job"]["jobId"]
    paths = [f"/videos/{STUDY}", f"/videos/{STUDY}/comments", f"/videos/jobs/{job}", "/videos"]
    for path in paths:
        assert "author" not in api.call("GET", path).text.lower()


def test_what_may_not_be_kept_any_longer_is_gone_and_the_result_stays(
    api: Api, clock: FixedClock
) -> None:
    made = analysed(api)["analysis"]
    assert made["evidence"]
    clock.advance(timedelta(days=31))
    assert api.data("POST", "/videos/purge") == {"snapshots": 1}
    sheet = api.data("GET", f"/videos/{SMALL}")
    assert (sheet["video"], sheet["channel"], sheet["analysis"]["evidence"]) == (None, None, {})
    assert sheet["analysis"]["id"] == made["id"]
    assert api.refusal("GET", f"/videos/{SMALL}/comments") == (404, "not_found")


def test_two_videos_are_compared(api: Api, server: FastAPI) -> None:
    analysed(api)
    query = {"first": SMALL, "second": f"https://youtu.be/{STUDY}"}
    submitted(api, STUDY)
    answer = api.call("GET", "/videos/compare", params=query)
    expect_told(server, "videos_compare", answer)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")
    api.app.videos.work()
    answer = api.call("GET", "/videos/compare", role="viewer", params=query)
    expect_told(server, "videos_compare", answer)
    told = answer.json()["data"]
    assert [sheet["videoId"] for sheet in told["videos"]] == [SMALL, STUDY]
    assert len(told["net"]) == 2
    assert api.refusal("GET", "/videos/compare", params={"first": SMALL}) == (422, "invalid")


def test_an_admin_deletes_a_video_and_all_that_there_is_of_it(api: Api, server: FastAPI) -> None:
    analysed(api)
    path = f"/videos/{SMALL}"
    assert api.refusal("DELETE", path, role="editor") == (403, "forbidden")
    answer = api.call("DELETE", path)
    expect_told(server, "videos_delete", answer)
    assert answer.json()["data"] == {"videoId": SMALL, "snapshots": 1, "results": 1, "jobs": 1}
    assert api.refusal("GET", path) == (404, "not_found")
    assert api.refusal("DELETE", path) == (404, "not_found")


@pytest.mark.parametrize("path", ["/videos/short", "/videos/much-too-long", "/videos/a/comments"])
def test_what_is_no_id_of_a_video_is_refused(api: Api, path: str) -> None:
    assert api.refusal("GET", path) == (400, "usage")
