from __future__ import annotations

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, plain
from .tables import Table, unique_name

CONDITION_FAILED = "ConditionalCheckFailedException"


def test_a_deleted_item_is_gone(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, n=1)
    answer = shared.delete_item(Key=item(pk=key))
    assert "Attributes" not in answer
    assert shared.get(pk=key) is None


def test_deleting_what_is_not_there_succeeds(shared: Table) -> None:
    answer = shared.delete_item(Key=item(pk=unique_name()), ReturnValues="ALL_OLD")
    assert "Attributes" not in answer


def test_all_old_gives_the_deleted_item(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, n=1, tags={"a"})
    answer = shared.delete_item(Key=item(pk=key), ReturnValues="ALL_OLD")
    assert plain(answer["Attributes"]) == {"pk": key, "n": 1, "tags": {"a"}}


@pytest.mark.parametrize("form", ["UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"])
def test_a_delete_returns_no_other_values(shared: Table, form: str) -> None:
    with refused(INVALID):
        shared.delete_item(Key=item(pk="x"), ReturnValues=form)


def test_a_delete_whose_condition_holds_is_done(shared: Table) -> None:
    key = unique_name()
    shared.put(pk=key, n=1)
    shared.delete_item(Key=item(pk=key), ConditionExpression="n = :n", **given(n=1))
    assert shared.get(pk=key) is None


@pytest.mark.parametrize(("form", "gives_item"), [("ALL_OLD", True), ("NONE", False)])
def test_a_delete_that_fails_its_condition_changes_nothing(
    shared: Table, form: str, gives_item: bool
) -> None:
    key = unique_name()
    shared.put(pk=key, n=1)
    with refused(CONDITION_FAILED) as refusal:
        shared.delete_item(
            Key=item(pk=key),
            ConditionExpression="n = :n",
            ReturnValuesOnConditionCheckFailure=form,
            **given(n=2),
        )
    assert ("Item" in refusal.response) is gives_item
    assert shared.get(pk=key) == {"pk": key, "n": 1}


def test_a_condition_on_what_is_not_there_fails(shared: Table) -> None:
    with refused(CONDITION_FAILED):
        shared.delete_item(Key=item(pk=unique_name()), ConditionExpression="attribute_exists(pk)")


def test_only_the_item_with_that_key_is_deleted(shared_sorted: Table) -> None:
    key = unique_name()
    shared_sorted.fill([{"pk": key, "sk": n} for n in range(3)])
    shared_sorted.delete_item(Key=item(pk=key, sk=1))
    found = shared_sorted.query(KeyConditionExpression="pk = :p", **given(p=key))["Items"]
    assert [plain(each)["sk"] for each in found] == [0, 2]
