"""Files imported over the API: all of them or none, and no key of YouTube's."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from fastapi import FastAPI

from gotgan.middleware import MAX_BODY_BYTES
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told
from tests.unit.api.videos.watching import TABLE, imported

VIDEO = "dQw4w9WgXcQ"
INFO = {"id": VIDEO, "title": "A song", "extractor": "youtube", "comments": []}


def _files(*files: tuple[str, str]) -> dict[str, Any]:
    return {"files": [{"name": name, "text": text} for name, text in files]}


def test_a_table_of_comments_is_kept(api: Api, server: FastAPI) -> None:
    body = _files(("comments.csv", TABLE))
    answer = api.call("POST", "/videos/import", role="editor", json=body)
    expect_told(server, "import_videos", answer)
    [kept] = answer.json()["data"]["items"]
    assert (kept["videoId"], kept["comments"]) == (VIDEO, 2)
    comments = api.data("GET", f"/videos/{VIDEO}/comments")["items"]
    assert [comment["text"] for comment in comments] == ["I love it", "What is this song?"]


def test_files_of_one_video_make_one_collection(api: Api) -> None:
    body = _files(("a.info.json", orjson.dumps(INFO).decode()), ("comments.csv", TABLE))
    [kept] = api.data("POST", "/videos/import", json=body)["items"]
    assert kept == {"videoId": VIDEO, "title": "A song", "comments": 2}


def test_a_file_that_names_no_video_is_about_the_one_that_is_given(api: Api) -> None:
    body = {**_files(("comments.csv", "text\nnice\n")), "video": f"https://youtu.be/{VIDEO}"}
    [kept] = api.data("POST", "/videos/import", json=body)["items"]
    assert (kept["videoId"], kept["comments"]) == (VIDEO, 1)
    assert api.refusal("POST", "/videos/import", json={**body, "video": "no"}) == (400, "usage")


def test_one_bad_file_keeps_all_others_out(api: Api) -> None:
    body = _files(("comments.csv", TABLE), ("broken.json", "{"))
    answer = api.call("POST", "/videos/import", json=body)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (422, "upload")
    assert error["message"].startswith("broken.json, line 1: ")
    assert api.data("GET", "/videos")["items"] == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"files": []},
        {"files": [{"name": "a.csv"}]},
        {"files": [{"name": "", "text": TABLE}]},
        {"files": [{"name": "a.csv", "text": 7}]},
        {"files": [{"name": "a.csv", "text": TABLE, "path": "/etc/passwd"}]},
        {"files": [{"name": "a.csv", "text": TABLE}] * 51},
    ],
)
def test_what_are_no_files_is_refused(api: Api, body: dict[str, Any]) -> None:
    assert api.refusal("POST", "/videos/import", json=body) == (422, "invalid")


def test_what_is_too_large_for_a_request_is_refused(api: Api) -> None:
    body = _files(("comments.csv", TABLE + "x" * MAX_BODY_BYTES))
    assert api.refusal("POST", "/videos/import", json=body) == (413, "too_large")


def test_a_viewer_imports_nothing_and_only_an_admin_purges(api: Api, server: FastAPI) -> None:
    body = _files(("comments.csv", TABLE))
    words = {"json": body, "role": "viewer"}
    assert api.refusal("POST", "/videos/import", **words) == (403, "forbidden")
    imported(api, TABLE)
    assert api.refusal("POST", "/videos/purge", role="editor") == (403, "forbidden")
    answer = api.call("POST", "/videos/purge")
    expect_told(server, "videos_purge", answer)
    assert answer.json()["data"] == {"snapshots": 0}
