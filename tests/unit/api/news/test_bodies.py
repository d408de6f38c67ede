"""Bodies over the API: many in a run, one by its key, and what an item tells of its own."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.news.claims import MAX_ATTEMPTS
from gotgan.world import FaultKind, World
from tests.unit.api.calling import Api
from tests.unit.api.news.stories import details, stored, story, upload

YAHOO = "finance.yahoo.com"


@pytest.fixture
def items(api: Api) -> list[Any]:
    """What was collected from the world."""
    api.data("POST", "/news/collect")
    return stored(api)


def _body(api: Api, item: Any) -> Any:
    return details(api, item["pk"])["body"]


def _retry(api: Api, *items: str, **words: Any) -> Any:
    return api.data("POST", "/news/retry", json={"items": items}, **words)


def _of_yahoo(items: list[Any]) -> Any:
    return next(item for item in items if item["url"].startswith(f"https://{YAHOO}/news/"))


def test_a_run_fetches_the_bodies_that_are_missing(api: Api, items: list[Any]) -> None:
    told = api.data("POST", "/news/bodies", role="editor")
    run, report = told["run"], told["report"]
    assert (run["verb"], run["state"], run["done"]) == ("news.bodies", "done", run["total"])
    assert report["tried"] == sum(report["outcomes"].values()) == len(items)
    assert (report["waiting"], report["skipped"], report["stopped"]) == (0, 0, None)
    assert report["hasMore"] is False
    bodies = [_body(api, item) for item in items]
    assert {body["state"] for body in bodies} == {"DONE"}
    read = [body for body in bodies if body["outcome"] == "ok"]
    assert len(read) == report["outcomes"]["ok"] > 0
    assert all(body["text"] and body["word_count"] > 0 for body in read)
    again = api.data("POST", "/news/bodies")["report"]
    assert (again["tried"], again["outcomes"]) == (0, {})


def test_a_run_is_of_a_day_and_has_a_limit(api: Api, items: list[Any]) -> None:
    other = api.data("POST", "/news/bodies", json={"day": "2025-11-14", "zone": "kst"})
    assert other["report"]["tried"] == 0
    told = api.data("POST", "/news/bodies", json={"day": "2025-11-15", "limit": 1})["report"]
    assert told["hasMore"] is True
    assert sum(_body(api, item) is None for item in items) == len(items) - told["tried"]


def test_a_run_over_bodies_is_joined(api: Api, items: list[Any], world: World) -> None:
    world.fail(YAHOO, "*", FaultKind.HANG)
    first = api.data("POST", "/news/bodies", params={"wait": 0})["run"]
    assert first["state"] == "running"
    assert api.data("POST", "/news/bodies", params={"wait": 0})["run"]["id"] == first["id"]
    assert _body(api, items[0]) is None or _body(api, items[0])["state"] != "DONE"


def test_one_body_is_fetched_by_its_key(api: Api, items: list[Any]) -> None:
    item = _of_yahoo(items)
    told = _retry(api, item["pk"], role="editor")
    assert (told["run"]["verb"], told["run"]["about"]) == ("news.retry", [item["pk"]])
    assert (told["run"]["state"], told["run"]["last"]) == ("done", item["url"])
    assert told["report"]["tried"] == 1
    assert _body(api, item)["state"] == "DONE"
    assert [each["pk"] for each in items if _body(api, each)] == [item["pk"]]


def test_a_body_that_is_there_is_not_fetched_again(api: Api, items: list[Any]) -> None:
    item = _of_yahoo(items)
    _retry(api, item["pk"])
    before = _body(api, item)
    assert before["outcome"] == "ok"
    assert api.refusal("POST", "/news/retry", json={"items": [item["pk"]]}) == (409, "conflict")
    assert _body(api, item) == before


def test_a_body_that_waits_is_fetched_when_somebody_asks(
    api: Api, items: list[Any], world: World
) -> None:
    item = _of_yahoo(items)
    world.fail(YAHOO, "*", FaultKind.BROKEN)
    report = _retry(api, item["pk"])["report"]
    assert (report["tried"], report["waiting"], report["outcomes"]) == (1, 1, {})
    waiting = _body(api, item)
    assert (waiting["state"], waiting["error"]) == ("WAITING", "fetch.server")
    assert waiting["reason"]
    world.heal()
    assert _retry(api, item["pk"])["report"]["outcomes"] == {"ok": 1}


def test_one_body_does_not_join_a_run_over_many(
    api: Api, items: list[Any], world: World, clock: FixedClock
) -> None:
    clock.advance(timedelta(seconds=1))
    upload(api, story(1, url=f"https://{YAHOO}/news/another-000000001.html"))
    world.fail(YAHOO, "*", FaultKind.HANG)
    many = api.data("POST", "/news/bodies", params={"wait": 0}, json={"day": "2025-11-15"})["run"]
    [item] = [each for each in stored(api) if each not in items]
    one = _retry(api, item["pk"], params={"wait": 0})["run"]
    assert one["id"] != many["id"]


def test_a_viewer_fetches_nothing(api: Api, items: list[Any]) -> None:
    for each in ("/news/collect", "/news/bodies", "/news/retry"):
        named = {"items": [items[0]["pk"]]} if each == "/news/retry" else {}
        assert api.refusal("POST", each, json=named, role="viewer") == (403, "forbidden")
    assert api.app.runs.latest("news.bodies") is api.app.runs.latest("news.retry") is None


def test_what_waits_and_what_was_given_up_are_lists(
    api: Api, items: list[Any], world: World, clock: FixedClock
) -> None:
    world.fail(YAHOO, "*", FaultKind.UNAVAILABLE)
    pk = _of_yahoo(items)["pk"]
    _retry(api, pk)
    [waiting] = api.data("GET", "/news/queue", role="viewer")["items"]
    assert (waiting["pk"], waiting["state"], waiting["attempts"]) == (pk, "WAITING", 1)
    assert waiting["url"] == _of_yahoo(items)["url"]
    assert api.data("GET", "/news/queue", params={"dead": True})["items"] == []
    for _ in range(MAX_ATTEMPTS - 1):
        clock.advance(timedelta(days=1))
        api.data("POST", "/news/bodies", json={"limit": 1, "day": "2025-11-01"})
    assert api.data("GET", "/news/queue")["items"] == []
    [dead] = api.data("GET", "/news/queue", params={"dead": True})["items"]
    assert (dead["pk"], dead["outcome"]) == (pk, "dead")
    world.heal()
    told = api.data("POST", "/news/bodies", json={"day": "2025-11-01", "retryDead": True})["report"]
    assert (told["tried"], told["outcomes"]) == (1, {"ok": 1})
