"""Collecting over the API: runs that are joined, reports, and every fault of the web."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI

from gotgan.clock import FixedClock
from gotgan.verbs import start
from gotgan.world import (
    EXCHANGE_FAULTS,
    MAIL_FAULTS,
    MODEL_FAULTS,
    YOUTUBE_FAULTS,
    FaultKind,
    ServedWorld,
    World,
)
from tests.unit.api.calling import Api
from tests.unit.api.news.stories import stored
from tests.unit.api.reaching import app_within

YAHOO, LIST = "finance.yahoo.com", "/topic/latest-news/"


def _collect(api: Api, **words: Any) -> Any:
    return api.data("POST", "/news/collect", **words)


def test_what_is_collected_is_new_once(api: Api, world: World) -> None:
    told = _collect(api, role="editor")
    run, report = told["run"], told["report"]
    assert (run["verb"], run["state"], run["error"]) == ("news.collect", "done", None)
    assert run["startedAt"] == run["finishedAt"] == "2025-11-15T12:00:00Z"
    assert (report["given"], len(report["new"]), report["failed"]) == (12, 12, [])
    assert {item["source"] for item in stored(api)} == {"yf_latest"}
    before = stored(api)
    again = _collect(api)["report"]
    assert (again["given"], again["new"], again["duplicates"]) == (12, [], 12)
    assert stored(api) == before
    assert len([seen for seen in world.requests if seen.path == LIST]) >= 2


def test_a_limit_is_how_many_are_taken(api: Api) -> None:
    assert _collect(api, json={"limit": 3})["report"]["given"] == 3


def test_the_feed_is_a_source_of_its_own(api: Api) -> None:
    report = _collect(api, json={"rss": True, "limit": 5})["report"]
    assert (report["source"], len(report["new"])) == ("yf_rss", 5)
    assert {item["source"] for item in stored(api)} == {"yf_rss"}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/news/collect", {"limit": 0}),
        ("/news/collect", {"limit": True}),
        ("/news/collect", {"rss": 1}),
        ("/news/collect", {"source": "x"}),
        ("/news/bodies", {"day": 7}),
        ("/news/bodies", {"day": "2025-11-15", "zone": "est"}),
        ("/news/bodies", {"limit": 10_001}),
        ("/news/collect?wait=31", {}),
        ("/news/collect?wait=-1", {}),
    ],
)
def test_words_that_cannot_be_meant_start_nothing(
    api: Api, path: str, body: dict[str, Any]
) -> None:
    assert api.refusal("POST", path, json=body) == (422, "invalid")
    assert api.app.runs.latest("news.collect") is api.app.runs.latest("news.bodies") is None


def test_whoever_comes_while_it_runs_joins_the_run(api: Api, world: World) -> None:
    world.fail(YAHOO, LIST, FaultKind.HANG)
    first = _collect(api, json={"limit": 1}, params={"wait": 0})
    assert (first["run"]["state"], first["report"]) == ("running", None)
    assert first["run"]["finishedAt"] is None
    joined = _collect(api, json={"limit": 1}, params={"wait": 0})
    assert joined["run"]["id"] == first["run"]["id"]
    assert api.refusal("POST", "/news/collect", json={"rss": True}) == (409, "conflict")
    told = api.data("GET", f"/runs/{first['run']['id']}", role="viewer")
    assert told == first


def test_a_run_that_is_over_can_be_read_with_its_report(api: Api) -> None:
    told = _collect(api)
    assert api.data("GET", f"/runs/{told['run']['id']}", role="viewer") == told


def test_a_run_that_somebody_else_started_is_the_same(api: Api) -> None:
    run = start(api.app.runs, api.app.news.collect, limit=2)
    api.app.runs.wait(run.id, 10)
    assert api.data("GET", f"/runs/{run.id}")["report"]["given"] == 2


def test_a_run_of_another_process_is_not_found(api: Api) -> None:
    assert api.refusal("GET", "/runs/0123456789abcdef") == (404, "not_found")


FAULTS = {
    FaultKind.THROTTLED: (503, "fetch.too_many_requests"),
    FaultKind.THROTTLED_SILENTLY: (503, "fetch.too_many_requests"),
    FaultKind.FORBIDDEN: (502, "fetch.forbidden"),
    FaultKind.BROKEN: (502, "fetch.server"),
    FaultKind.UNAVAILABLE: (502, "fetch.server"),
    FaultKind.SLOW: (504, "fetch.timeout"),
    FaultKind.HANG: (504, "fetch.timeout"),
    FaultKind.TRUNCATED: (502, "fetch.truncated"),
    FaultKind.RESET: (502, "fetch.unreachable"),
    FaultKind.CUT: (502, "page.truncated"),
    FaultKind.GZIP_BOMB: (502, "fetch.too_large"),
    FaultKind.REDIRECT_LOOP: (502, "fetch.redirects"),
    FaultKind.REDIRECT_METADATA: (502, "fetch.address"),
    FaultKind.REDIRECT_LOOPBACK: (502, "fetch.address"),
    FaultKind.REDIRECT_ELSEWHERE: (502, "fetch.missing"),
    FaultKind.CONSENT: (502, "page.consent"),
    FaultKind.BLOCK: (502, "page.blocked"),
    FaultKind.EMPTY: (502, "page.no_stories"),
    FaultKind.WRONG_TYPE: (502, "page.content_type"),
    FaultKind.GARBAGE: (502, "page.content_type"),
}


NEVER_DONE = (FaultKind.SLOW, FaultKind.HANG)
ELSEWHERE = EXCHANGE_FAULTS | YOUTUBE_FAULTS | MODEL_FAULTS | MAIL_FAULTS


@pytest.fixture
def hasty(api: Api, served: ServedWorld, server: FastAPI, clock: FixedClock) -> Iterator[Api]:
    """The API of an app that waits a second for a page."""
    with app_within(served, clock=clock, seconds=1.0) as app:
        server.state.gotgan = app
        issued = app.site.tokens.create(user_id="u001", role="admin")
        yield Api(app, api.client, {"admin": issued.text})


@pytest.mark.parametrize(
    "fault",
    [each for each in FaultKind if each not in {*NEVER_DONE, *ELSEWHERE}],
    ids=lambda fault: fault.value,
)
def test_a_fault_of_the_web_is_told_and_nothing_is_written(
    api: Api, world: World, fault: FaultKind
) -> None:
    _expect_told(api, world, fault)


@pytest.mark.parametrize("fault", NEVER_DONE, ids=lambda fault: fault.value)
def test_a_page_that_does_not_end_is_told_and_nothing_is_written(
    hasty: Api, world: World, fault: FaultKind
) -> None:
    _expect_told(hasty, world, fault)


def _expect_told(api: Api, world: World, fault: FaultKind) -> None:
    world.fail(YAHOO, LIST, fault)
    answer = api.call("POST", "/news/collect")
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == FAULTS[fault]
    run = api.app.runs.latest("news.collect")
    assert run is not None
    assert run.error is not None
    assert error["message"] == run.error.message
    told = api.data("GET", f"/runs/{run.id}")
    assert (told["run"]["state"], told["report"]) == ("failed", None)
    kept = ("code", "reason", "message", "values")
    assert told["run"]["error"] == {name: error[name] for name in kept}
    assert stored(api) == []


def test_who_is_asked_to_wait_is_told_how_long(api: Api, world: World) -> None:
    world.fail(YAHOO, LIST, FaultKind.THROTTLED, times=1)
    assert api.call("POST", "/news/collect").headers["Retry-After"] == "2"


def test_where_nobody_says_how_long_nobody_is_told(api: Api, world: World) -> None:
    world.fail(YAHOO, LIST, FaultKind.THROTTLED_SILENTLY, times=1)
    assert "Retry-After" not in api.call("POST", "/news/collect").headers
