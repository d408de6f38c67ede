from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain
from .tables import Index, MakeTable, Table, unique_name

CONDITION_FAILED = "ConditionalCheckFailedException"


def test_a_put_replaces_the_whole_item(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, a=1, b=2)
    shared.put(pk=key, c=3)
    assert shared.get(pk=key) == {"pk": key, "c": 3}


def test_a_put_answers_with_nothing_unless_asked(shared: Table) -> None:
    key = item(pk=unique_name())
    shared.put_item(Item=key)
    for members in ({}, {"ReturnValues": "NONE"}):
        answer = shared.put_item(Item=key, **members)
        assert {"Attributes", "ConsumedCapacity", "ItemCollectionMetrics"}.isdisjoint(answer)


def test_all_old_gives_the_item_that_was_replaced(shared: Table) -> None:
    key = unique_name()
    first = shared.put_item(Item=item(pk=key, n=1, s={"x"}), ReturnValues="ALL_OLD")
    second = shared.put_item(Item=item(pk=key, n=2), ReturnValues="ALL_OLD")
    assert "Attributes" not in first
    assert plain(second["Attributes"]) == {"pk": key, "n": 1, "s": {"x"}}


@pytest.mark.parametrize("form", ["UPDATED_OLD", "ALL_NEW", "UPDATED_NEW", "EVERYTHING"])
def test_a_put_returns_no_other_values(shared: Table, form: str) -> None:
    with refused(INVALID):
        shared.put_item(Item=item(pk="x"), ReturnValues=form)


def test_a_put_whose_condition_holds_is_done(shared: Table) -> None:
    key = unique_name()
    shared.put_item(Item=item(pk=key, n=1), ConditionExpression="attribute_not_exists(pk)")
    shared.put_item(Item=item(pk=key, n=2), ConditionExpression="n = :n", **given(n=1))
    assert shared.get(pk=key) == {"pk": key, "n": 2}


def test_a_put_that_fails_its_condition_changes_nothing(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, n=1)
    with refused(CONDITION_FAILED, match="The conditional request failed") as refusal:
        shared.put_item(Item=item(pk=key, n=2), ConditionExpression="attribute_not_exists(pk)")
    assert "Item" not in refusal.response
    assert shared.get(pk=key) == {"pk": key, "n": 1}


def test_a_failed_condition_gives_the_item_where_asked(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, n=1)
    with refused(CONDITION_FAILED) as refusal:
        shared.put_item(
            Item=item(pk=key, n=2),
            ConditionExpression="n > :n",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
            **given(n=5),
        )
    assert plain(refusal.response["Item"]) == {"pk": key, "n": 1}


def test_a_condition_that_fails_on_no_item_gives_none(shared: Table) -> None:
    key = item(pk=unique_name())
    with refused(CONDITION_FAILED) as refusal:
        shared.put_item(
            Item=key,
            ConditionExpression="attribute_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert "Item" not in refusal.response
    assert "Item" not in shared.get_item(Key=key)


def test_conditions_look_only_at_the_item_with_the_same_key(shared_sorted: Table) -> None:
    key = unique_name()
    shared_sorted.put(pk=key, sk=1)
    shared_sorted.put_item(Item=item(pk=key, sk=2), ConditionExpression="attribute_not_exists(pk)")
    assert shared_sorted.get(pk=key, sk=2) == {"pk": key, "sk": 2}


@pytest.mark.parametrize(
    ("absent", "there"),
    [("pk", True), ("sk", True), ("#sk", True), ("n", True), ("m", False), ("pk.deeper", False)],
)
def test_what_must_be_absent_is_an_attribute_of_the_item(
    shared_sorted: Table, absent: str, there: bool
) -> None:
    key = unique_name()
    shared_sorted.put(pk=key, sk=1, n=1)
    names = given({"#sk": "sk"}) if "#" in absent else {}
    put = {
        "Item": item(pk=key, sk=1, m=2),
        "ConditionExpression": f"attribute_not_exists({absent})",
        "ReturnValues": "ALL_OLD",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        "ReturnConsumedCapacity": "TOTAL",
        **names,
    }
    if there:
        with refused(CONDITION_FAILED) as refusal:
            shared_sorted.put_item(**put)
        assert plain(refusal.response["Item"]) == {"pk": key, "sk": 1, "n": 1}
        assert shared_sorted.get(pk=key, sk=1) == {"pk": key, "sk": 1, "n": 1}
    else:
        answer = shared_sorted.put_item(**put)
        assert plain(answer["Attributes"]) == {"pk": key, "sk": 1, "n": 1}
        assert shared_sorted.get(pk=key, sk=1) == {"pk": key, "sk": 1, "m": 2}


def test_a_put_of_what_was_absent_has_no_old_values_and_its_price(shared_sorted: Table) -> None:
    answer = shared_sorted.put_item(
        Item=item(pk=unique_name(), sk=1, s="x" * 1024),
        ConditionExpression="attribute_not_exists(sk)",
        ReturnValues="ALL_OLD",
        ReturnConsumedCapacity="TOTAL",
    )
    assert "Attributes" not in answer
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 2.0


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        pytest.param({}, "Missing the key|missing key", id="no key at all"),
        pytest.param({"pk": "a"}, "Missing the key sk", id="no range key"),
        pytest.param({"sk": 1}, "Missing the key pk", id="no hash key"),
        pytest.param({"pk": 1, "sk": 1}, "Type mismatch for key pk", id="hash of another type"),
        pytest.param({"pk": "a", "sk": "1"}, "Type mismatch for key sk", id="range of another"),
        pytest.param({"pk": None, "sk": 1}, "Type mismatch for key pk", id="null for a key"),
    ],
)
def test_an_item_needs_its_whole_key(
    shared_sorted: Table, attributes: dict[str, Any], said: str
) -> None:
    with refused(INVALID, match=said):
        shared_sorted.put_item(Item=item(attributes))


@pytest.mark.parametrize("kind", ["gsi", "lsi"])
@pytest.mark.parametrize("at", ["1", b"1", None, [1], {1}, {"a": 1}])
def test_an_index_key_of_another_type_is_refused(
    make_table: MakeTable, kind: str, at: object
) -> None:
    table = make_table("pk:S sk:S", **{kind: [Index("by_at", "pk:S at:N")]})
    with refused(INVALID, match="Type mismatch for Index Key at"):
        table.put(pk="a", sk="a", at=at)
    with refused(INVALID):
        table.update_item(
            Key=item(pk="a", sk="a"), UpdateExpression="SET #a = :v", **given({"#a": "at"}, v=at)
        )
    assert table.get(pk="a", sk="a") is None


@pytest.mark.parametrize("empty", ["", b""])
def test_an_index_key_is_never_empty(make_table: MakeTable, empty: object) -> None:
    kind = "S" if empty == "" else "B"
    table = make_table("pk:S", gsi=[Index("by_state", f"state:{kind}")])
    with refused(INVALID, match="empty"):
        table.put(pk="a", state=empty)
    table.put(pk="b")
    with refused(INVALID, match="empty"):
        table.update_item(
            Key=item(pk="b"), UpdateExpression="SET #s = :e", **given({"#s": "state"}, e=empty)
        )


def test_a_put_needs_an_item(shared: Table) -> None:
    with refused(INVALID):
        shared.put_item()
