from __future__ import annotations

from typing import Any

import pytest

from .refusals import CANCELLED, INVALID, refused
from .shapes import given, item, plain, weighing
from .tables import Index, MakeTable, Table, everything, unique_name

FAILED = "ConditionalCheckFailed"
Action = dict[str, Any]


def _put(table: Table, item_: dict[str, Any], **members: Any) -> Action:
    return {"Put": {"TableName": table.name, "Item": item_, **members}}


def _update(table: Table, key: dict[str, Any], expression: str, **members: Any) -> Action:
    update = {"TableName": table.name, "Key": key, "UpdateExpression": expression, **members}
    return {"Update": update}


def _delete(table: Table, key: dict[str, Any], **members: Any) -> Action:
    return {"Delete": {"TableName": table.name, "Key": key, **members}}


def _check(table: Table, key: dict[str, Any], condition: str, **members: Any) -> Action:
    check = {"TableName": table.name, "Key": key, "ConditionExpression": condition, **members}
    return {"ConditionCheck": check}


def _write(table: Table, *actions: Action, **members: Any) -> dict[str, Any]:
    answer: dict[str, Any] = table.client.transact_write_items(
        TransactItems=list(actions), **members
    )
    return answer


@pytest.fixture
def keys() -> list[dict[str, Any]]:
    """Keys that no other test uses."""
    base = unique_name()
    return [item(pk=f"{base}-{n}") for n in range(4)]


def _get(table: Table, key: dict[str, Any]) -> dict[str, Any] | None:
    found = table.get_item(Key=key, ConsistentRead=True).get("Item")
    return plain(found) if found else None


def test_all_four_actions_happen_together(shared: Table, keys: list[dict[str, Any]]) -> None:
    put, update, delete, check = keys
    for key in (update, delete, check):
        shared.put_item(Item=key | item(n=1))
    answer = _write(
        shared,
        _put(shared, put | item(n=5), ConditionExpression="attribute_not_exists(pk)"),
        _update(shared, update, "SET n = n + :v", **given(v=1)),
        _delete(shared, delete, ConditionExpression="n = :v", **given(v=1)),
        _check(shared, check, "n = :v", **given(v=1)),
    )
    assert {"ConsumedCapacity", "ItemCollectionMetrics"}.isdisjoint(answer)
    found = [_get(shared, key) for key in keys]
    assert [each and each["n"] for each in found] == [5, 2, None, 1]


def test_a_transaction_spans_tables(make_table: MakeTable) -> None:
    one, two = make_table("pk:S"), make_table("pk:S sk:N")
    _write(one, _put(one, item(pk="a")), _put(two, item(pk="a", sk=1)))
    assert one.get(pk="a") == {"pk": "a"}
    assert two.get(pk="a", sk=1) == {"pk": "a", "sk": 1}


@pytest.mark.parametrize("failing", range(4))
def test_one_failed_condition_undoes_everything(
    shared: Table, keys: list[dict[str, Any]], failing: int
) -> None:
    for key in keys:
        shared.put_item(Item=key | item(n=1))
    put, update, delete, check = (
        {"ConditionExpression": "n = :n", **given(n=9 if place == failing else 1)}
        for place in range(4)
    )
    with refused(CANCELLED, match=r"\[.*ConditionalCheckFailed.*\]") as refusal:
        _write(
            shared,
            _put(shared, keys[0] | item(n=5), **put),
            _update(shared, keys[1], "SET m = :n", **update),
            _delete(shared, keys[2], **delete),
            {"ConditionCheck": {"TableName": shared.name, "Key": keys[3], **check}},
        )
    assert refusal.reasons == [FAILED if place == failing else "None" for place in range(4)]
    for key in keys:
        assert _get(shared, key) == plain(key | item(n=1))


def test_every_failed_condition_has_its_reason(shared: Table, keys: list[dict[str, Any]]) -> None:
    with refused(CANCELLED) as refusal:
        _write(
            shared,
            _check(shared, keys[0], "attribute_exists(pk)"),
            _put(shared, keys[1]),
            _delete(shared, keys[2], ConditionExpression="attribute_exists(pk)"),
        )
    assert refusal.reasons == [FAILED, "None", FAILED]
    reason = refusal.response["CancellationReasons"][0]
    assert reason["Message"] == "The conditional request failed"
    assert "Item" not in reason


def test_a_reason_holds_the_item_where_asked(shared: Table, keys: list[dict[str, Any]]) -> None:
    stored = keys[0] | item(n=1, m={"x": [b"y"]})
    shared.put_item(Item=stored)
    asked = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    with refused(CANCELLED) as refusal:
        _write(
            shared,
            _check(shared, keys[0], "n = :v", **given(v=2), **asked),
            _check(shared, keys[1], "attribute_exists(pk)", **asked),
        )
    present, absent = refusal.response["CancellationReasons"]
    assert present["Item"] == stored
    assert not absent.get("Item")


def test_an_update_that_does_not_fit_its_item_cancels(
    shared: Table, keys: list[dict[str, Any]]
) -> None:
    shared.put_item(Item=keys[0] | item(n="text"))
    with refused(CANCELLED) as refusal:
        _write(
            shared,
            _put(shared, keys[1]),
            _update(shared, keys[0], "SET n = n + :v", **given(v=1)),
        )
    assert refusal.reasons == ["None", "ValidationError"]
    assert _get(shared, keys[1]) is None


def test_an_update_makes_the_item_that_is_not_there(
    shared: Table, keys: list[dict[str, Any]]
) -> None:
    _write(shared, _update(shared, keys[0], "ADD n :v", **given(v=3)))
    found = _get(shared, keys[0])
    assert found is not None
    assert found["n"] == 3


def test_a_transaction_keeps_the_indexes(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[Index("by_state", "state:S", "KEYS_ONLY")])
    table.put(pk="a", state="NEW")
    table.put(pk="b", state="NEW")
    _write(
        table,
        _delete(table, item(pk="a")),
        _update(table, item(pk="b"), "REMOVE #s", **given({"#s": "state"})),
        _put(table, item(pk="c", state="OLD")),
    )
    assert everything(table.scan, IndexName="by_state") == [{"pk": "c", "state": "OLD"}]


def test_the_same_token_is_carried_out_once(shared: Table, keys: list[dict[str, Any]]) -> None:
    add = _update(shared, keys[0], "ADD n :v", **given(v=1))
    token = unique_name()
    for _ in range(3):
        _write(shared, add, ClientRequestToken=token)
    found = _get(shared, keys[0])
    assert found is not None
    assert found["n"] == 1


@pytest.mark.parametrize("action", [_delete, _put])
def test_a_transaction_that_was_carried_out_is_billed_as_reads(
    shared: Table, keys: list[dict[str, Any]], action: Any
) -> None:
    """Of the items as they were: also of one that the transaction deleted."""
    large = weighing(9 * 1024, pk=plain(keys[0])["pk"])
    shared.put_item(Item=large)
    write = action(shared, keys[0] if action is _delete else large)
    members = {"ClientRequestToken": unique_name(), "ReturnConsumedCapacity": "TOTAL"}
    _write(shared, write, **members)
    (bill,) = _write(shared, write, **members)["ConsumedCapacity"]
    assert (bill["CapacityUnits"], bill["ReadCapacityUnits"]) == (6, 6)


def test_a_token_goes_with_one_request(shared: Table, keys: list[dict[str, Any]]) -> None:
    token = unique_name()
    _write(shared, _put(shared, keys[0] | item(n=1)), ClientRequestToken=token)
    with refused("IdempotentParameterMismatchException"):
        _write(shared, _put(shared, keys[0] | item(n=2)), ClientRequestToken=token)
    found = _get(shared, keys[0])
    assert found is not None
    assert found["n"] == 1


def test_the_token_of_a_cancelled_transaction_may_be_used_again(
    shared: Table, keys: list[dict[str, Any]]
) -> None:
    token = unique_name()
    actions = [_check(shared, keys[0], "attribute_exists(pk)"), _put(shared, keys[1])]
    with refused(CANCELLED):
        _write(shared, *actions, ClientRequestToken=token)
    shared.put_item(Item=keys[0])
    _write(shared, *actions, ClientRequestToken=token)
    assert _get(shared, keys[1]) is not None


@pytest.mark.parametrize("token", ["", "x" * 37])
def test_a_token_has_1_to_36_characters(
    shared: Table, keys: list[dict[str, Any]], token: str
) -> None:
    with refused(INVALID):
        _write(shared, _put(shared, keys[0]), ClientRequestToken=token)


def test_a_hundred_actions_are_one_transaction(make_table: MakeTable) -> None:
    table = make_table("pk:N")
    _write(table, *(_put(table, item(pk=n)) for n in range(100)))
    assert table.scan(Select="COUNT")["Count"] == 100


def test_a_hundred_and_one_actions_are_too_many(shared: Table) -> None:
    base = unique_name()
    with refused(INVALID):
        _write(shared, *(_put(shared, item(pk=f"{base}-{n}")) for n in range(101)))
    assert shared.get(pk=f"{base}-0") is None


def test_items_of_over_4_megabytes_are_too_much(make_table: MakeTable) -> None:
    table = make_table("pk:N")
    with refused(INVALID):
        _write(table, *(_put(table, item(pk=n, v="x" * (390 * 1024))) for n in range(11)))
    assert table.scan(Select="COUNT")["Count"] == 0


@pytest.mark.parametrize("second", ["put", "update", "delete", "check"])
def test_one_item_is_named_by_one_action_only(
    shared: Table, keys: list[dict[str, Any]], second: str
) -> None:
    again = {
        "put": _put(shared, keys[0] | item(n=1)),
        "update": _update(shared, keys[0], "SET n = :v", **given(v=1)),
        "delete": _delete(shared, keys[0]),
        "check": _check(shared, keys[0], "attribute_exists(pk)"),
    }
    with refused(INVALID, match="multiple operations on one item"):
        _write(shared, _put(shared, keys[0]), again[second])
    assert _get(shared, keys[0]) is None


NAME = Table(None, "absent-table")

REFUSED: dict[str, list[Action]] = {
    "no actions": [],
    "an action of nothing": [{}],
    "an action of two kinds": [_put(NAME, item(pk="a")) | _delete(NAME, item(pk="b"))],
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_transaction_is_refused_for(shared: Table, fault: str) -> None:
    with refused(INVALID):
        _write(shared, *REFUSED[fault])


def test_a_transaction_on_a_missing_table_is_refused(
    shared: Table, keys: list[dict[str, Any]]
) -> None:
    with refused("ResourceNotFoundException"):
        _write(shared, _put(shared, keys[0]), _put(Table(None, unique_name()), keys[1]))
    assert _get(shared, keys[0]) is None


@pytest.mark.parametrize(
    "members",
    [
        {"UpdateExpression": "SET"},
        {"UpdateExpression": "SET n = :undefined"},
        {"UpdateExpression": "SET pk = :v", **given(v="x")},
        {"UpdateExpression": "SET n = :v", "ConditionExpression": "n ==", **given(v=1)},
        {"UpdateExpression": "SET n = :v", **given(v=1, unused=1)},
    ],
    ids=str,
)
def test_an_update_that_cannot_be_read_is_refused(
    shared: Table, keys: list[dict[str, Any]], members: dict[str, Any]
) -> None:
    update = {"Update": {"TableName": shared.name, "Key": keys[0], **members}}
    with refused(INVALID, CANCELLED):
        _write(shared, _put(shared, keys[1]), update)
    assert _get(shared, keys[1]) is None


@pytest.mark.parametrize(
    "bad", [item(n=1), item(pk=1), item(pk=""), item(pk="a") | {"v": {"SS": []}}], ids=str
)
def test_a_put_of_a_bad_item_writes_nothing(
    shared: Table, keys: list[dict[str, Any]], bad: dict[str, Any]
) -> None:
    # AWS refuses some of these before it begins and cancels for others; either is a refusal.
    with refused(INVALID, CANCELLED):
        _write(shared, _put(shared, keys[0]), _put(shared, bad))
    assert _get(shared, keys[0]) is None
