"""Stories that are uploaded: each stored once, all of them right or none taken."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import orjson
import pytest

from gotgan.api.runs import error_data
from gotgan.clock import FixedClock
from gotgan.domains.news.keys import pk_of
from gotgan.encoding import encode
from gotgan.errors import StoreUnreachable
from gotgan.middleware import MAX_BODY_BYTES
from gotgan.store import FailedPut
from tests.unit.api.calling import Api
from tests.unit.api.news.stories import stored, story, upload


def test_a_report_says_what_became_of_the_stories(api: Api) -> None:
    report = upload(api, story(1), story(2), story(1), role="editor")
    cost = report.pop("cost")
    assert report == {
        "source": "yf_latest",
        "uploadedAt": "2025-11-15T12:00:00Z",
        "given": 3,
        "new": stored(api)[::-1],
        "duplicates": 1,
        "failed": [],
    }
    assert cost["writes"] == sum(line["writes"] for line in cost["lines"]) >= 4


def test_a_duplicate_changes_nothing(api: Api, clock: FixedClock) -> None:
    upload(api, story(1, tickers=["A"]))
    before = stored(api)
    clock.advance(timedelta(hours=1))
    report = upload(api, story(1, title="Another title", tickers=["B"]), story(2))
    assert (report["given"], len(report["new"]), report["duplicates"]) == (2, 1, 1)
    assert stored(api)[1:] == before


def test_an_empty_list_is_nothing(api: Api) -> None:
    assert upload(api)["given"] == 0


def test_tickers_may_be_left_out(api: Api) -> None:
    upload(api, story(1), story(2, tickers=None), story(3, tickers=[]))
    assert [item["tickers"] for item in stored(api)] == [[], [], []]


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"title": "No address"}, "url is missing"),
        ({"url": "https://example.com"}, "title is missing"),
        (story(9, title=" "), "title is missing, empty"),
        (story(9, url="ftp://example.com/a"), "url 'ftp://example.com/a' is not"),
        (story(9, tickers="NVDA"), "tickers is not a list"),
        (story(9, tickers=[1]), "tickers is not a list"),
        (story(9, published="today"), "unknown fields: published"),
        ("a story", "not an object"),
        (None, "not an object"),
    ],
)
def test_one_bad_story_keeps_all_others_out(api: Api, entry: Any, why: str) -> None:
    answer = api.call("POST", "/news", json=[story(1), entry, story(2)])
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (422, "upload")
    assert error["message"].startswith(f"Nothing was stored: story 2: {why}")
    assert stored(api) == []


@pytest.mark.parametrize("body", [{}, {"stories": []}, "text", 7, None])
def test_what_is_no_list_is_refused(api: Api, body: Any) -> None:
    headers = {"Content-Type": "application/json"}
    content = orjson.dumps(body)
    assert api.refusal("POST", "/news", content=content, headers=headers) == (422, "invalid")


def test_what_is_no_json_is_refused(api: Api) -> None:
    words = {"content": b"[{]", "headers": {"Content-Type": "application/json"}}
    assert api.refusal("POST", "/news", **words) == (422, "invalid")
    assert api.refusal("POST", "/news", content=b"a,b", headers={"Content-Type": "text/csv"}) == (
        415,
        "unsupported_media_type",
    )


def test_a_list_that_is_too_long_is_refused(api: Api) -> None:
    body = orjson.dumps([story(1, title="x" * MAX_BODY_BYTES)])
    words = {"content": body, "headers": {"Content-Type": "application/json"}}
    assert api.refusal("POST", "/news", **words) == (413, "too_large")
    assert stored(api) == []


def test_a_story_that_no_table_can_hold_is_refused_and_nothing_is_stored(api: Api) -> None:
    long = story(2, title="x" * 450_000)
    assert api.refusal("POST", "/news", json=[story(1), long]) == (422, "upload")
    assert stored(api) == []


def test_what_the_database_says_of_itself_is_not_told(api: Api) -> None:
    upload(api, story(1))
    [item] = api.app.news.list()
    failed = FailedPut(item, StoreUnreachable("no route to arn:aws:dynamodb:eu-west-1:1234"))
    report = replace(api.app.news.upload([]), failed=(failed,))
    told = encode(report, error_data)
    assert told is not None
    assert told["failed"] == [
        {
            "item": stored(api)[0],
            "error": {
                "code": "store.unreachable",
                "reason": "api.database_busy",
                "message": "The database does not answer. Try again.",
                "values": {},
            },
        }
    ]


def test_a_viewer_uploads_nothing(api: Api) -> None:
    words = {"json": [story(1)], "role": "viewer"}
    assert api.refusal("POST", "/news", **words) == (403, "forbidden")
    assert stored(api) == []


def test_two_addresses_that_look_alike_are_two_items(api: Api) -> None:
    urls = [f"{story(1)['url']}{end}" for end in ("", "?guccounter=1", "#comments", "/")]
    upload(api, *(story(1, url=url) for url in urls))
    assert {item["pk"] for item in stored(api)} == {pk_of(url) for url in urls}
