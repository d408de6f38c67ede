"""The timetable over the API: every job, and what came of it page by page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fastapi import FastAPI

from gotgan.domain import SimpleDecision
from gotgan.schedule import jobs
from gotgan.scheduler import DueJob, Ticks
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told


def _ticked(api: Api, name: str, status: str = "skipped", ago: int = 1) -> None:
    now = api.app.clock.now()
    [job] = [each for each in jobs() if each.name == name]
    answer = SimpleDecision(status, "some_reason", "in words")
    due = DueJob(job, now - timedelta(hours=ago))
    assert Ticks(api.app.database).claim(due, answer, now) is not None


def test_every_job_is_told_with_its_next_time(api: Api, server: FastAPI) -> None:
    answer = api.call("GET", "/schedule", role="viewer")
    expect_told(server, "operations_schedule", answer)
    items = answer.json()["data"]["items"]
    assert [item["name"] for item in items] == [job.name for job in jobs()]
    assert {item["last"] for item in items} == {None}
    assert items[0]["next"] == "2025-11-15T12:30:00Z"
    assert items[0]["nextLocal"] == "2025-11-15T21:30:00+09:00"


def test_the_last_tick_says_why_it_was_skipped(api: Api, server: FastAPI) -> None:
    _ticked(api, "news.collect")
    answer = api.call("GET", "/schedule", role="viewer")
    expect_told(server, "operations_schedule", answer)
    [last] = [item["last"] for item in answer.json()["data"]["items"] if item["last"]]
    assert (last["job"], last["status"], last["words"]) == ("news.collect", "skipped", "in words")


def test_ticks_come_page_by_page(api: Api, server: FastAPI) -> None:
    for ago in range(1, 6):
        _ticked(api, "news.collect", ago=ago)
    first = api.call("GET", "/schedule/ticks", role="viewer", params={"limit": 3})
    expect_told(server, "operations_ticks", first)
    page = first.json()["data"]
    rest = api.data("GET", "/schedule/ticks", params={"limit": 3, "cursor": page["cursor"]})
    hours = [int(tick["at"][11:13]) for tick in (*page["items"], *rest["items"])]
    assert hours == [11, 10, 9, 8, 7]
    assert rest["cursor"] is None


def test_ticks_are_found_by_job_and_status(api: Api) -> None:
    _ticked(api, "news.collect", "failed")
    _ticked(api, "shops.crawl")
    found = api.data("GET", "/schedule/ticks", params={"job": "news.collect", "status": "failed"})
    assert [tick["job"] for tick in found["items"]] == ["news.collect"]
    assert api.data("GET", "/schedule/ticks", params={"status": "done"})["items"] == []


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ({"cursor": "elsewhere"}, (400, "store.cursor")),
        ({"status": "lost"}, (422, "invalid")),
        ({"limit": "0"}, (422, "invalid")),
        ({"job": "nobody"}, (400, "usage")),
    ],
)
def test_what_cannot_be_asked_is_refused(
    api: Api, query: dict[str, str], refused: tuple[int, str]
) -> None:
    assert api.refusal("GET", "/schedule/ticks", params=query) == refused
