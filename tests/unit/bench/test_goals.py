"""Ratios, and whether they are good enough."""

from __future__ import annotations

import pytest

from bench.store.contestants import CONTESTANTS
from bench.store.goals import GOALS, Goal, outcomes, verdict
from bench.store.workload import TASKS


@pytest.mark.parametrize(
    ("ratio", "word"),
    [
        (5.0, "met"),
        (7.3, "met"),
        (4.99, "floor"),
        (4.0, "floor"),
        (3.99, "missed"),
        (None, "not measured"),
    ],
)
def test_a_ratio_is_met_or_keeps_the_floor_or_is_missed(ratio: float | None, word: str) -> None:
    assert verdict(ratio, aim=5, floor=4) == word


def test_a_ratio_is_ours_over_theirs_in_the_same_task() -> None:
    rates = {"full": {"put": 4000.0, "get": 1.0}, "dynoxide": {"put": 800.0, "get": 1.0}}
    put = next(each for each in outcomes(rates, GOALS) if each.goal.task == "put")
    assert put.ratio == 5.0
    assert put.verdict == "met"


def test_a_goal_whose_peer_is_missing_is_not_measured() -> None:
    found = outcomes({"full": {"put": 4000.0}}, GOALS)
    assert {(each.ratio, each.verdict) for each in found} == {(None, "not measured")}


@pytest.mark.parametrize("goal", GOALS, ids=lambda goal: f"{goal.ours} {goal.task}")
def test_a_goal_names_contestants_and_tasks_that_exist(goal: Goal) -> None:
    assert goal.ours in CONTESTANTS
    assert goal.theirs in CONTESTANTS
    assert goal.task in TASKS
    assert goal.floor <= goal.aim
