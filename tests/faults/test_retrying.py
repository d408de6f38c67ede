"""Calls that are repeated where that helps, and never where it could do harm."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import OutcomeUnknown, StoreLocked, StoreUnreachable
from gotgan.events import Event
from gotgan.retry import Budget, Policy
from gotgan.store.drivers import Driver
from gotgan.store.drivers.retries import RetryingDriver, is_transient
from gotgan.store.engine.faults import (
    BY_CODE,
    ConditionalCheckFailedException,
    DynamoDBError,
    InternalServerError,
    ProvisionedThroughputExceededException,
    RequestLimitExceeded,
    ThrottlingException,
    TransactionCanceledException,
    TransactionConflictException,
    TransactionInProgressException,
    ValidationException,
    fault_for_code,
)
from tests.faults.conftest import TABLE, Scene
from tests.faults.mishaps import (
    Mishap,
    closed_after,
    closed_before,
    cut_off,
    fails,
    hangs,
    refuses,
    throttles,
    transaction_conflicts,
)

Put = Callable[..., dict[str, Any]]

PASSING = [
    throttles(),
    refuses(ThrottlingException("slower")),
    refuses(RequestLimitExceeded("fewer")),
    refuses(TransactionConflictException("a transaction is under way")),
    refuses(TransactionInProgressException("this transaction is under way")),
    fails(500),
    fails(503),
    closed_before(),
    closed_after(),
    cut_off(),
]
LOST = [fails(500, carried_out=True), closed_after(), cut_off(), hangs(carried_out=True)]


def named(mishap: Mishap) -> str:
    return mishap.name


@pytest.mark.parametrize("mishap", PASSING, ids=named)
def test_what_passes_is_tried_until_it_has_passed(scene: Scene, put: Put, mishap: Mishap) -> None:
    scene.endpoint.plan(mishap, mishap)
    retrying = scene.retrying()
    assert retrying.call("PutItem", put("a")) == {}
    assert scene.happened == [mishap.name, mishap.name, "ok"]
    assert scene.stored() == ["a"]


def test_a_database_that_hangs_is_asked_again(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(hangs())
    retrying = scene.retrying(scene.driver(read_timeout=0.2))
    retrying.call("PutItem", put("a"))
    assert scene.happened == ["hangs", "ok"]


def test_the_pauses_are_chances_of_the_longest_ones(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(throttles(), throttles(), throttles())
    scene.retrying(policy=Policy(attempts=4, base=0.1, cap=0.3)).call("PutItem", put("a"))
    assert scene.pauses == pytest.approx([0.05, 0.1, 0.15])


def test_chance_is_asked_anew_for_each_pause(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(throttles(), throttles())
    chances = iter([0.25, 0.75])
    policy = Policy(base=0.1, cap=0.1)
    retrying = RetryingDriver(
        scene.driver(), policy, sleep=scene.pauses.append, random=lambda: next(chances)
    )
    retrying.call("PutItem", put("a"))
    assert scene.pauses == pytest.approx([0.025, 0.075])


def test_a_request_that_breaks_a_rule_is_sent_once(scene: Scene) -> None:
    with pytest.raises(ValidationException) as caught:
        scene.retrying().call("PutItem", {"TableName": TABLE, "Item": {}})
    assert scene.happened == ["ok"]
    assert scene.pauses == []
    assert not caught.value.maybe_done


def test_after_the_last_attempt_the_failure_is_raised_as_one_that_may_pass(
    scene: Scene, put: Put
) -> None:
    scene.endpoint.plan(*[throttles()] * 9)
    with pytest.raises(ProvisionedThroughputExceededException) as caught:
        scene.retrying().call("PutItem", put("a"))
    assert caught.value.retry
    assert not caught.value.maybe_done
    assert len(scene.happened) == 4


def test_an_empty_budget_ends_the_attempts(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(*[throttles()] * 9)
    budget = Budget(7, cost=5)
    retrying = scene.retrying(budget=budget)
    with pytest.raises(ProvisionedThroughputExceededException) as caught:
        retrying.call("PutItem", put("a"))
    assert caught.value.retry
    assert len(scene.happened) == 2
    with pytest.raises(ProvisionedThroughputExceededException):
        retrying.call("PutItem", put("a"))
    assert len(scene.happened) == 3


def test_a_success_fills_the_budget_again(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(throttles())
    budget = Budget(10, cost=5)
    scene.retrying(budget=budget).call("PutItem", put("a"))
    assert budget.left == 10


def test_a_success_without_a_retry_is_worth_little(scene: Scene, put: Put) -> None:
    budget = Budget(10, cost=5)
    budget.spend()
    scene.retrying(budget=budget).call("PutItem", put("a"))
    assert budget.left == 6


def test_the_deadline_ends_the_attempts(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(*[throttles()] * 9)
    clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    retrying = RetryingDriver(
        scene.driver(),
        Policy(attempts=9, base=4.0, cap=4.0, deadline=5.0),
        sleep=lambda pause: clock.advance(timedelta(seconds=pause)),
        random=lambda: 0.5,
        clock=clock,
    )
    with pytest.raises(ProvisionedThroughputExceededException):
        retrying.call("PutItem", put("a"))
    assert clock.monotonic() == 4.0
    assert len(scene.happened) == 3


@pytest.mark.parametrize("mishap", LOST, ids=named)
def test_a_put_whose_answer_was_lost_fails_its_condition_and_says_why_that_may_be(
    scene: Scene, put: Put, mishap: Mishap
) -> None:
    scene.endpoint.plan(mishap)
    retrying = scene.retrying(scene.driver(read_timeout=0.5))
    with pytest.raises(ConditionalCheckFailedException) as caught:
        retrying.call("PutItem", put("a", new=True))
    assert caught.value.maybe_done
    assert scene.stored() == ["a"]


def test_a_put_that_never_got_through_says_nothing_of_the_kind(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(throttles())
    scene.engine.execute("PutItem", put("a"))
    with pytest.raises(ConditionalCheckFailedException) as caught:
        scene.retrying().call("PutItem", put("a", new=True))
    assert not caught.value.maybe_done


def test_a_failure_after_a_lost_answer_remembers_it(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(closed_after(), *[throttles()] * 9)
    with pytest.raises(ProvisionedThroughputExceededException) as caught:
        scene.retrying().call("PutItem", put("a"))
    assert caught.value.maybe_done


@pytest.mark.parametrize("mishap", [*LOST, closed_before(), fails(503)], ids=named)
def test_what_must_not_be_sent_twice_is_not(scene: Scene, put: Put, mishap: Mishap) -> None:
    scene.endpoint.plan(mishap)
    retrying = scene.retrying(scene.driver(read_timeout=0.5))
    with pytest.raises(OutcomeUnknown, match="before you repeat it") as caught:
        retrying.call("PutItem", put("a"), repeatable=False)
    assert len(scene.happened) == 1
    assert caught.value.maybe_done
    assert not caught.value.retry


def test_what_must_not_be_sent_twice_is_repeated_where_it_was_refused(
    scene: Scene, put: Put
) -> None:
    scene.endpoint.plan(throttles())
    assert scene.retrying().call("PutItem", put("a"), repeatable=False) == {}
    assert scene.happened == ["ProvisionedThroughputExceededException", "ok"]


def test_nobody_listening_is_no_unknown_outcome(scene: Scene, put: Put) -> None:
    driver = scene.driver()
    retrying = scene.retrying(driver)
    scene.stack.pop_all().close()
    with pytest.raises(StoreUnreachable) as caught:
        retrying.call("PutItem", put("a"), repeatable=False)
    assert not caught.value.maybe_done
    assert len(scene.pauses) == 3


def test_a_transaction_whose_answer_was_lost_is_done_once(scene: Scene) -> None:
    scene.endpoint.plan(closed_after())
    add = {
        "TableName": TABLE,
        "Key": {"pk": {"S": "a"}},
        "UpdateExpression": "ADD times :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}},
    }
    request = {"TransactItems": [{"Update": add}], "ClientRequestToken": "the-same"}
    scene.retrying().call("TransactWriteItems", request)
    assert scene.happened == ["closed after", "ok"]
    found = scene.engine.execute("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": "a"}}})
    assert found["Item"]["times"] == {"N": "1"}


@pytest.mark.parametrize(
    "codes",
    [
        ("TransactionConflict", "None"),
        ("None", "ThrottlingError"),
        ("ProvisionedThroughputExceeded", "TransactionConflict"),
    ],
)
def test_a_transaction_in_the_way_of_others_is_repeated_whole(
    scene: Scene, put: Put, codes: tuple[str, ...]
) -> None:
    scene.endpoint.plan(transaction_conflicts(*codes))
    request = {"TransactItems": [{"Put": put("a")}, {"Put": put("b")}]}
    scene.retrying().call("TransactWriteItems", request)
    assert scene.stored() == ["a", "b"]


@pytest.mark.parametrize(
    "codes",
    [("TransactionConflict", "ConditionalCheckFailed"), ("ValidationError",), ()],
)
def test_a_transaction_with_any_other_reason_is_not(
    scene: Scene, put: Put, codes: tuple[str, ...]
) -> None:
    scene.endpoint.plan(transaction_conflicts(*codes))
    with pytest.raises(TransactionCanceledException):
        scene.retrying().call("TransactWriteItems", {"TransactItems": [{"Put": put("a")}]})
    assert len(scene.happened) == 1


@pytest.mark.parametrize("code", BY_CODE)
def test_of_the_faults_those_are_repeated_that_say_so(code: str) -> None:
    assert is_transient(fault_for_code(code, "x")) == BY_CODE[code].retry


def test_a_locked_file_was_waited_for_already() -> None:
    assert not is_transient(StoreLocked("held for too long"))
    assert is_transient(StoreUnreachable("nobody listens"))
    assert not is_transient(DynamoDBError("something else"))


def test_each_retry_and_the_end_of_them_is_an_event(
    scene: Scene, put: Put, caplog: pytest.LogCaptureFixture
) -> None:
    scene.endpoint.plan(*[throttles()] * 9)
    with (
        caplog.at_level(logging.INFO, "gotgan"),
        pytest.raises(ProvisionedThroughputExceededException),
    ):
        scene.retrying().call("PutItem", put("a"))
    events = [record.msg for record in caplog.records if isinstance(record.msg, Event)]
    assert [event.name for event in events] == ["store.retried"] * 3 + ["store.gave_up"]
    assert events[0].fields == {
        "operation": "PutItem",
        "attempt": 1,
        "code": "ProvisionedThroughputExceededException",
        "reason": "The table's capacity is used up",
        "after": 0.05,
    }
    assert events[-1].fields["because"] == "4 attempts are enough"


def test_it_stands_for_the_driver_that_it_repeats(scene: Scene) -> None:
    driver = scene.driver()
    retrying: Driver = scene.retrying(driver)
    assert (retrying.name, retrying.parallel) == (driver.name, driver.parallel)


def test_an_engine_that_failed_is_asked_again() -> None:
    assert is_transient(InternalServerError("the table's definition kept changing"))
