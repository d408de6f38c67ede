"""UpdateItem around its expression: creation, ReturnValues, conditions, keys."""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain, used
from .tables import Index, MakeTable, Table, unique_name

CONDITION_FAILED = "ConditionalCheckFailedException"


def test_removing_below_an_attribute_of_an_item_that_is_not_there_does_nothing(
    shared: Table,
) -> None:
    key = item(pk=unique_name())
    shared.update_item(Key=key, UpdateExpression="REMOVE a.b, c[0]")
    assert "Item" not in shared.get_item(Key=key)


def test_an_update_makes_the_item_that_is_not_there(shared: Table) -> None:
    key = unique_name()
    shared.update_item(Key=item(pk=key), UpdateExpression="SET a = :a", **given(a=1))
    assert shared.get(pk=key) == {"pk": key, "a": 1}


def test_an_update_without_an_expression_makes_a_bare_item(shared: Table) -> None:
    key = unique_name()
    shared.update_item(Key=item(pk=key))
    assert shared.get(pk=key) == {"pk": key}


def test_an_update_without_an_expression_changes_nothing(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, a=1)
    shared.update_item(Key=item(pk=key))
    assert shared.get(pk=key) == {"pk": key, "a": 1}


def test_an_update_that_only_removes_makes_no_item(shared: Table) -> None:
    key = unique_name()
    answer = shared.update_item(
        Key=item(pk=key), UpdateExpression="REMOVE a", ReturnValues="ALL_NEW"
    )
    assert "Attributes" not in answer
    assert shared.get(pk=key) is None


def test_an_update_leaves_the_other_attributes(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, a=1, b=[1, {"c": 2}], d={"x"})
    shared.update_item(Key=item(pk=key), UpdateExpression="SET a = :a", **given(a=2))
    assert shared.get(pk=key) == {"pk": key, "a": 2, "b": [1, {"c": 2}], "d": {"x"}}


BEFORE: dict[str, Any] = {"a": 1, "b": "stays", "m": {"x": 1, "y": 2}, "l": [10, 20, 30]}


@pytest.mark.parametrize(
    ("expression", "form", "expected"),
    [
        ("SET a = :v", "NONE", None),
        ("SET a = :v", "ALL_OLD", BEFORE),
        ("SET a = :v", "ALL_NEW", {**BEFORE, "a": 9}),
        ("SET a = :v", "UPDATED_OLD", {"a": 1}),
        ("SET a = :v", "UPDATED_NEW", {"a": 9}),
        ("SET fresh = :v", "UPDATED_OLD", None),
        ("SET fresh = :v", "UPDATED_NEW", {"fresh": 9}),
        ("SET fresh = :v, a = :v", "UPDATED_OLD", {"a": 1}),
        ("ADD a :v", "UPDATED_NEW", {"a": 10}),
        ("REMOVE a", "UPDATED_OLD", {"a": 1}),
        ("REMOVE absent", "UPDATED_OLD", None),
        ("REMOVE a", "UPDATED_NEW", None),
        ("REMOVE a", "ALL_NEW", {"b": "stays", "m": {"x": 1, "y": 2}, "l": [10, 20, 30]}),
        ("SET a = :v REMOVE b", "UPDATED_OLD", {"a": 1, "b": "stays"}),
        ("SET a = :v REMOVE b", "UPDATED_NEW", {"a": 9}),
        ("SET m.x = :v", "UPDATED_OLD", {"m": {"x": 1}}),
        ("SET m.x = :v", "UPDATED_NEW", {"m": {"x": 9}}),
        ("SET m.x = :v, m.z = :v", "UPDATED_NEW", {"m": {"x": 9, "z": 9}}),
        ("SET l[1] = :v", "UPDATED_OLD", {"l": [20]}),
        ("SET l[1] = :v", "UPDATED_NEW", {"l": [9]}),
    ],
)
def test_return_values(
    shared: Table, expression: str, form: str, expected: dict[str, Any] | None
) -> None:
    key = unique_name()
    shared.put(pk=key, **BEFORE)
    answer = shared.update_item(
        Key=item(pk=key),
        UpdateExpression=expression,
        ReturnValues=form,
        **used(expression, {"v": 9}),
    )
    if expected is None:
        assert "Attributes" not in answer
    else:
        whole = {"pk": key} if form.startswith("ALL") else {}
        assert plain(answer["Attributes"]) == {**expected, **whole}


@pytest.mark.parametrize("form", ["ALL_OLD", "UPDATED_OLD"])
def test_a_new_item_has_no_old_values(shared: Table, form: str) -> None:
    answer = shared.update_item(
        Key=item(pk=unique_name()),
        UpdateExpression="SET a = :a",
        ReturnValues=form,
        **given(a=1),
    )
    assert "Attributes" not in answer


def test_a_new_item_has_new_values(shared: Table) -> None:
    key = unique_name()
    answer = shared.update_item(
        Key=item(pk=key), UpdateExpression="SET a = :a", ReturnValues="ALL_NEW", **given(a=1)
    )
    assert plain(answer["Attributes"]) == {"pk": key, "a": 1}


def test_an_unknown_form_of_return_values_is_refused(shared: Table) -> None:
    with refused(INVALID):
        shared.update_item(Key=item(pk="x"), ReturnValues="SOME")


def test_an_update_whose_condition_holds_is_done(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, a=1)
    shared.update_item(
        Key=item(pk=key),
        UpdateExpression="SET a = :new",
        ConditionExpression="a = :old",
        **given(old=1, new=2),
    )
    assert shared.get(pk=key) == {"pk": key, "a": 2}


@pytest.mark.parametrize(("form", "gives_item"), [("ALL_OLD", True), ("NONE", False)])
def test_an_update_that_fails_its_condition_changes_nothing(
    shared: Table, form: str, gives_item: bool
) -> None:
    key = unique_name()
    shared.put(pk=key, a=1)
    with refused(CONDITION_FAILED) as refusal:
        shared.update_item(
            Key=item(pk=key),
            UpdateExpression="SET a = :new",
            ConditionExpression="a = :old",
            ReturnValuesOnConditionCheckFailure=form,
            **given(old=5, new=2),
        )
    assert ("Item" in refusal.response) is gives_item
    assert shared.get(pk=key) == {"pk": key, "a": 1}


def test_a_failed_condition_does_not_make_an_item(shared: Table) -> None:
    key = unique_name()
    with refused(CONDITION_FAILED):
        shared.update_item(
            Key=item(pk=key),
            UpdateExpression="SET a = :a",
            ConditionExpression="attribute_exists(pk)",
            **given(a=1),
        )
    assert shared.get(pk=key) is None


@pytest.mark.parametrize(
    "expression", ["SET pk = :v", "REMOVE pk", "SET a = :v, sk = :v", "ADD sk :v"]
)
def test_a_key_attribute_is_not_updated(shared_sorted: Table, expression: str) -> None:
    values = used(expression, {"v": 1})
    with refused(INVALID, match="part of the key"):
        shared_sorted.update_item(Key=item(pk="a", sk=1), UpdateExpression=expression, **values)


def test_a_key_attribute_may_be_read_by_an_update(shared_sorted: Table) -> None:
    key = unique_name()
    shared_sorted.update_item(
        Key=item(pk=key, sk=4), UpdateExpression="SET a = if_not_exists(a, :a)", **given(a=1)
    )
    shared_sorted.update_item(Key=item(pk=key, sk=4), UpdateExpression="SET a = sk + a, b = pk")
    assert shared_sorted.get(pk=key, sk=4) == {"pk": key, "sk": 4, "a": 5, "b": key}


def test_a_refused_update_changes_nothing(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, a=1, text="x")
    with refused(INVALID):
        shared.update_item(
            Key=item(pk=key),
            UpdateExpression="SET a = :n ADD b :n, #t :n",
            **given({"#t": "text"}, n=5),
        )
    assert shared.get(pk=key) == {"pk": key, "a": 1, "text": "x"}


def test_an_update_may_not_empty_the_key_of_an_index(make_table: MakeTable) -> None:
    # Three implementations agree on the text: dynoxide, ministack and moto.
    table = make_table("pk:S", gsi=[Index("by_g", "g:S")])
    table.put(pk="a", g="g")
    message = "The update expression attempted to update a secondary index key to a value that is"
    with refused(INVALID, match=message):
        table.update_item(Key=item(pk="a"), UpdateExpression="SET g = :g", **given(g=""))
    assert table.get(pk="a") == {"pk": "a", "g": "g"}
