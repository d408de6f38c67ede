"""The scenarios themselves: repeatable, self-contained, and named apart."""

from __future__ import annotations

import json
from collections import Counter

from tests.oracle.handmade import hand_made
from tests.oracle.random_faults import faulty_scenario
from tests.oracle.random_requests import random_scenario
from tests.oracle.scenario import Scenario


def operations(scenario: Scenario) -> set[str]:
    return {step.operation for step in scenario.steps}


def test_a_seed_is_one_scenario_for_ever() -> None:
    assert random_scenario(7) == random_scenario(7)
    assert random_scenario(7) != random_scenario(8)


def test_random_scenarios_reach_every_operation_on_items() -> None:
    reached = set().union(*(operations(random_scenario(seed)) for seed in range(20)))
    assert reached == {
        "BatchGetItem",
        "BatchWriteItem",
        "DeleteItem",
        "GetItem",
        "PutItem",
        "Query",
        "Scan",
        "TransactGetItems",
        "TransactWriteItems",
        "UpdateItem",
    }


def test_a_seed_is_one_scenario_of_faults_for_ever() -> None:
    assert faulty_scenario(7) == faulty_scenario(7)
    assert faulty_scenario(7) != faulty_scenario(8)


def test_faults_reach_every_operation_that_peers_check() -> None:
    reached = set().union(*(operations(faulty_scenario(seed)) for seed in range(20)))
    assert {"BatchGetItem", "BatchWriteItem", "GetItem", "PutItem", "Query", "Scan"} <= reached


def test_hand_made_scenarios_have_names_of_their_own() -> None:
    names = Counter(scenario.name for scenario in hand_made())
    assert [name for name, count in names.items() if count > 1] == []


def test_every_request_can_be_sent() -> None:
    for scenario in hand_made():
        for step in (*scenario.setup, *scenario.steps):
            json.dumps(step.payload)
