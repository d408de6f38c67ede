"""Collecting, calculating and recovering over the API: runs that are joined, and their reports."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.api.errors import error_status, public_error
from gotgan.domains.market.days import DaySpan
from gotgan.errors import DatabaseUnavailable
from gotgan.verbs import start
from gotgan.world import FaultKind, World
from gotgan.world.market import DATA, KRX
from tests.unit.api.calling import Api
from tests.unit.api.market.trading import DAY, HOLIDAY, SHARES, recovered


def _collect(api: Api, **words: Any) -> Any:
    return api.data("POST", "/market/collect", role="editor", **words)


def _calculate(api: Api, **words: Any) -> Any:
    return api.data("POST", "/market/indicators", role="editor", **words)


def test_a_day_is_collected_calculated_and_then_left_alone(api: Api) -> None:
    told = _collect(api, json={"day": DAY})
    run, report = told["run"], told["report"]
    assert (run["verb"], run["state"], run["done"], run["total"]) == (
        "market.collect",
        "done",
        2,
        2,
    )
    assert (report["day"], report["outcome"]) == (DAY, "success")
    assert report["decision"]["words"] == f"{DAY} was never collected."
    assert {side["side"]: side["count"] for side in report["sides"]} == {
        "prices": SHARES,
        "indices": 2,
    }
    lacking = _calculate(api, json={"day": DAY})["report"]
    assert (lacking["outcome"], lacking["decision"]["reason"]) == ("waiting", "not_enough_history")
    again = _collect(api, json={"day": DAY})["report"]
    assert (again["outcome"], again["decision"]["reason"]) == ("skipped", "already_success")


def test_without_a_day_it_is_today(api: Api) -> None:
    report = _collect(api)["report"]
    assert (report["day"], report["outcome"]) == ("2025-11-15", "skipped")
    assert report["words"] == "2025-11-15 is not a trading day: a weekend."


def test_indicators_wait_for_both_sides(api: Api) -> None:
    report = _calculate(api, json={"day": DAY, "now": True})["report"]
    assert (report["outcome"], report["decision"]["reason"]) == (
        "waiting",
        "collection_not_success",
    )


def test_a_side_that_fails_is_told_with_its_code_and_tried_again_now(
    api: Api, world: World
) -> None:
    world.fail(KRX, DATA, FaultKind.GARBAGE)
    told = _collect(api, json={"day": DAY})
    assert (told["run"]["state"], told["report"]["outcome"]) == ("done", "failed")
    assert {side["code"] for side in told["report"]["sides"]} == {"market.answer"}
    world.heal()
    waits = _collect(api, json={"day": DAY})["report"]
    assert (waits["outcome"], waits["decision"]["reason"]) == ("waiting", "before_retry_time")
    assert waits["decision"]["until"] == "2025-11-15T13:00:00Z"
    assert _collect(api, json={"day": DAY, "now": True})["report"]["outcome"] == "success"


def test_a_span_is_recovered_with_its_indicators(api: Api) -> None:
    _collect(api, json={"day": DAY})
    report = recovered(api, "2025-10-18", "2025-10-22")
    assert [day["day"] for day in report["days"]] == ["2025-10-21", "2025-10-22"]
    assert (report["duplicates"], report["stopped"]) == (1, None)
    assert [each["day"] for each in report["indicators"]] == [DAY, "2025-10-21", "2025-10-22"]
    assert recovered(api, HOLIDAY, HOLIDAY)["days"] == []


def test_one_side_alone_is_recovered(api: Api) -> None:
    report = recovered(api, only="indices")
    assert [side["side"] for side in report["days"][0]["sides"]] == ["indices"]
    assert report["days"][0]["outcome"] == "partial"


def test_a_recovery_that_is_blocked_ends_at_once_and_says_why(api: Api, world: World) -> None:
    world.fail(KRX, DATA, FaultKind.BLOCK)
    report = recovered(api, "2025-10-20", "2025-10-24")
    assert len(report["days"]) == 1
    assert "krx" in report["stopped"]


@pytest.mark.parametrize("verb", ["collect", "indicators", "recover"])
def test_a_day_that_has_not_come_is_refused_before_anything_runs(api: Api, verb: str) -> None:
    body = {"day": "2025-11-17"}
    if verb == "recover":
        body = {"span": "2025-11-17..2025-11-18"}
    answer = api.call("POST", f"/market/{verb}", json=body, params={"wait": 0})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "usage")
    assert "Today is 2025-11-15 in Asia/Seoul" in answer.json()["error"]["message"]
    assert api.app.runs.latest(f"market.{verb}") is None


@pytest.mark.parametrize(
    ("verb", "body"),
    [
        ("collect", {"day": "today"}),
        ("collect", {"day": 1761004800}),
        ("collect", {"now": 1}),
        ("indicators", {"only": "prices"}),
        ("recover", {"only": "prices"}),
        ("recover", {"span": DAY, "only": "both"}),
        ("open-day", {"now": True}),
    ],
)
def test_words_that_cannot_be_meant_start_nothing(
    api: Api, verb: str, body: dict[str, Any]
) -> None:
    assert api.refusal("POST", f"/market/{verb}", json=body) == (422, "invalid")
    assert api.app.runs.latest(f"market.{verb}") is None


def test_whoever_comes_while_it_runs_joins_the_run(api: Api, world: World) -> None:
    world.fail(KRX, DATA, FaultKind.HANG)
    first = _collect(api, json={"day": DAY}, params={"wait": 0})
    assert (first["run"]["state"], first["report"]) == ("running", None)
    again = _collect(api, json={"day": DAY}, params={"wait": 0})
    assert again["run"]["id"] == first["run"]["id"]
    body = {"day": "2025-10-21"}
    assert api.refusal("POST", "/market/collect", json=body) == (409, "conflict")


def test_a_run_that_somebody_else_started_is_the_same(api: Api) -> None:
    market = api.app.market
    day = market.calendar().last_session(market.today())
    run = start(api.app.runs, market.recover, DaySpan(day, day))
    api.app.runs.wait(run.id, 30)
    told = api.data("GET", f"/runs/{run.id}", role="viewer")
    assert (told["run"]["verb"], told["report"]["first"]) == ("market.recover", str(day))
    assert [each["outcome"] for each in told["report"]["days"]] == ["success"]


def test_a_database_that_does_not_answer_keeps_its_address_to_itself() -> None:
    error = DatabaseUnavailable("Could not use the database gotgan at db.internal")
    assert error_status(error) == 503
    assert "db.internal" not in public_error(error)[1]


def test_whatever_is_missing_of_the_last_sessions_is_caught_up(api: Api) -> None:
    told = api.data("POST", "/market/catch-up", role="editor", params={"wait": 30})
    run, report = told["run"], told["report"]
    assert (run["verb"], run["state"]) == ("market.catch_up", "done")
    assert (report["outcome"], report["stopped"]) == ("success", None)
    assert {day["outcome"] for day in report["days"]} == {"success"}
    assert len(report["days"]) == 10
    again = api.data("POST", "/market/catch-up", params={"wait": 30})["report"]
    assert again["days"] == []
