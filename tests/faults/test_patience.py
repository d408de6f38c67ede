"""How long a batch is pursued of which parts are left undone."""

from __future__ import annotations

import pytest

from gotgan.retry import Budget, Policy
from tests.faults.conftest import TABLE, Scene
from tests.faults.mishaps import partial


def test_a_batch_that_gets_nowhere_is_given_up(scene: Scene) -> None:
    patience = scene.retrying().attempts("BatchWriteItem")
    assert [patience.unfinished(9, progressed=False) for _ in range(4)] == [True] * 3 + [False]
    assert scene.pauses == pytest.approx([0.05, 0.1, 0.2])


def test_a_batch_that_gets_on_may_take_as_long_as_it_needs(scene: Scene) -> None:
    budget = Budget(10, cost=5)
    patience = scene.retrying(budget=budget).attempts("BatchWriteItem")
    assert all(patience.unfinished(9, progressed=True) for _ in range(50))
    assert scene.pauses == pytest.approx([0.05] * 50)
    assert budget.left == 10


def test_standing_still_is_paid_from_the_budget(scene: Scene) -> None:
    retrying = scene.retrying(policy=Policy(attempts=99), budget=Budget(10, cost=5))
    patience = retrying.attempts("BatchWriteItem")
    assert [patience.unfinished(9, progressed=False) for _ in range(3)] == [True, True, False]


def test_a_partial_batch_is_written_to_its_end(scene: Scene) -> None:
    """What the store does, in its shortest form."""
    scene.endpoint.plan(partial(2), partial(0), partial(1))
    retrying = scene.retrying()
    patience = retrying.attempts("BatchWriteItem")
    left = {TABLE: [{"PutRequest": {"Item": {"pk": {"S": key}}}} for key in "abcde"]}
    going = True
    while left and going:
        before = len(left[TABLE])
        left = retrying.call("BatchWriteItem", {"RequestItems": left})["UnprocessedItems"]
        count = len(left.get(TABLE, []))
        going = not left or patience.unfinished(count, progressed=count < before)
    assert scene.stored() == list("abcde")
    assert scene.happened == ["partial 2", "partial 0", "partial 1", "ok"]
