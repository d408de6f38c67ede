"""Each mishap is what it says, seen through a driver that calls once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gotgan.errors import StoreUnreachable
from gotgan.store.engine.faults import (
    DynamoDBError,
    InternalServerError,
    ProvisionedThroughputExceededException,
    TransactionCanceledException,
)
from tests.faults.conftest import TABLE, Scene
from tests.faults.mishaps import (
    Mishap,
    closed_after,
    closed_before,
    cut_off,
    fails,
    hangs,
    page_of_a_proxy,
    partial,
    refuses,
    slow,
    throttles,
    transaction_conflicts,
)

Put = Callable[..., dict[str, Any]]

LOST: list[tuple[Mishap, bool]] = [
    (hangs(), False),
    (hangs(carried_out=True), True),
    (closed_before(), False),
    (closed_after(), True),
    (cut_off(), True),
    (cut_off(checksum=False), True),
    (page_of_a_proxy(), False),
]


@pytest.mark.parametrize("shortcut", [True, False], ids=["shortened", "by botocore"])
@pytest.mark.parametrize(("mishap", "done"), LOST, ids=[f"{one.name} {done}" for one, done in LOST])
def test_a_lost_answer_leaves_the_outcome_open(
    scene: Scene, put: Put, mishap: Mishap, done: bool, shortcut: bool
) -> None:
    scene.endpoint.plan(mishap)
    driver = scene.driver(shortcut=shortcut, read_timeout=0.5)
    with pytest.raises(StoreUnreachable, match="may have been carried out") as caught:
        driver.call("PutItem", put("a", ReturnConsumedCapacity="TOTAL"))
    assert caught.value.maybe_done
    assert scene.endpoint.url in caught.value.message
    assert scene.stored() == (["a"] if done else [])
    assert scene.happened == [mishap.name]


@pytest.mark.parametrize("shortcut", [True, False], ids=["shortened", "by botocore"])
def test_an_answer_that_was_cut_off_is_not_taken_for_a_missing_item(
    scene: Scene, put: Put, shortcut: bool
) -> None:
    driver = scene.driver(shortcut=shortcut)
    driver.call("PutItem", put("a"))
    scene.endpoint.plan(cut_off(checksum=False))
    with pytest.raises(StoreUnreachable):
        driver.call("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": "a"}}})


@pytest.mark.parametrize(
    ("mishap", "done"),
    [
        (fails(500), False),
        (fails(503, b"<html>Service Unavailable</html>"), False),
        (fails(502, b"<!DOCTYPE html><title>Bad gateway</title>"), False),
        (fails(500, b'{"__type": "com.amazonaws.dynamodb.v20120810#InternalServerError"}'), False),
        (fails(500, carried_out=True), True),
    ],
)
def test_a_server_that_fails_leaves_the_outcome_open(
    scene: Scene, put: Put, mishap: Mishap, done: bool
) -> None:
    scene.endpoint.plan(mishap)
    with pytest.raises(InternalServerError) as caught:
        scene.driver().call("PutItem", put("a"))
    assert caught.value.maybe_done
    assert caught.value.retry
    assert caught.value.operation_name == "PutItem"
    assert scene.stored() == (["a"] if done else [])


def test_a_throttled_call_was_not_carried_out(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(throttles())
    with pytest.raises(ProvisionedThroughputExceededException, match="used up") as caught:
        scene.driver().call("PutItem", put("a"))
    assert not caught.value.maybe_done
    assert scene.stored() == []


def test_a_conflict_is_the_reason_of_a_cancelled_transaction(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(transaction_conflicts("None", "TransactionConflict"))
    actions = [{"Put": put("a")}, {"Put": put("b")}]
    with pytest.raises(TransactionCanceledException) as caught:
        scene.driver().call("TransactWriteItems", {"TransactItems": actions})
    codes = [reason["Code"] for reason in caught.value.members["CancellationReasons"]]
    assert codes == ["None", "TransactionConflict"]


def test_a_slow_answer_is_an_answer(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(slow(0.05))
    assert scene.driver().call("PutItem", put("a")) == {}


def test_a_refusal_is_the_one_that_was_planned(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(refuses(TransactionCanceledException("no", CancellationReasons=[])))
    with pytest.raises(DynamoDBError, match="no"):
        scene.driver().call("PutItem", put("a"))


def test_a_mishap_waits_for_its_operation(scene: Scene, put: Put) -> None:
    scene.endpoint.plan(throttles().of("DeleteItem"))
    driver = scene.driver()
    driver.call("PutItem", put("a"))
    assert [mishap.operation for mishap in scene.endpoint.left] == ["DeleteItem"]
    with pytest.raises(ProvisionedThroughputExceededException):
        driver.call("DeleteItem", {"TableName": TABLE, "Key": {"pk": {"S": "a"}}})
    assert scene.endpoint.left == []


@pytest.mark.parametrize(("processed", "stored"), [(0, []), (1, ["a"]), (2, ["a", "b"])])
def test_the_rest_of_a_partial_write_comes_back(
    scene: Scene, put: Put, processed: int, stored: list[str]
) -> None:
    scene.endpoint.plan(partial(processed))
    puts = [{"PutRequest": {"Item": put(key)["Item"]}} for key in ("a", "b")]
    answer = scene.driver().call("BatchWriteItem", {"RequestItems": {TABLE: puts}})
    left = puts[processed:]
    assert answer["UnprocessedItems"] == ({TABLE: left} if left else {})
    assert scene.stored() == stored


@pytest.mark.parametrize("processed", [0, 1])
def test_the_rest_of_a_partial_read_comes_back(scene: Scene, put: Put, processed: int) -> None:
    driver = scene.driver()
    keys = [put(key)["Item"] for key in ("a", "b")]
    for key in keys:
        driver.call("PutItem", {"TableName": TABLE, "Item": key})
    scene.endpoint.plan(partial(processed))
    wanted = {"Keys": keys, "ConsistentRead": True}
    answer = driver.call("BatchGetItem", {"RequestItems": {TABLE: wanted}})
    assert answer["Responses"].get(TABLE, []) == keys[:processed]
    assert answer["UnprocessedKeys"] == {TABLE: {**wanted, "Keys": keys[processed:]}}
