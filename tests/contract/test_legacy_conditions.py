"""Expected and the filters from before expressions: AWS's API reference, dynalite and dynoxide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import Shape, given, item, value
from .tables import MakeTable, Table, unique_name

CONDITION_FAILED = "ConditionalCheckFailedException"
SUBJECT: dict[str, object] = {
    "s": "hello", "n": 5, "b": b"\x01\x02", "yes": True, "ss": {"a", "b"}, "ns": {1, 2},
    "l": ["a", 1], "m": {"x": 1},
}  # fmt: skip

HOLDS: list[tuple[Any, ...]] = [
    ("s", "EQ", "hello"), ("ss", "EQ", {"a", "b"}), ("m", "EQ", {"x": 1}), ("l", "EQ", ["a", 1]),
    ("yes", "EQ", True), ("s", "NE", 1), ("n", "NE", 6), ("absent", "NE", "x"),
    ("n", "LE", 5), ("n", "LT", 6), ("n", "GE", 5), ("n", "GT", 4), ("b", "GT", b"\x01"),
    ("s", "NOT_NULL"), ("absent", "NULL"),
    ("s", "CONTAINS", "ell"), ("ss", "CONTAINS", "a"), ("ns", "CONTAINS", 2), ("l", "CONTAINS", 1),
    ("s", "NOT_CONTAINS", "x"), ("ss", "NOT_CONTAINS", "x"), ("absent", "NOT_CONTAINS", "x"),
    ("s", "BEGINS_WITH", "he"), ("b", "BEGINS_WITH", b"\x01"),
    ("n", "IN", 4, 5), ("s", "IN", "hello"), ("n", "BETWEEN", 5, 6),
]  # fmt: skip
FAILS: list[tuple[Any, ...]] = [
    ("s", "EQ", "other"), ("s", "EQ", 1), ("absent", "EQ", "x"), ("s", "NE", "hello"),
    ("n", "LT", 5), ("n", "LT", "6"), ("n", "GT", 5), ("absent", "LT", 1),
    ("s", "NULL"), ("absent", "NOT_NULL"), ("s", "CONTAINS", "x"), ("n", "CONTAINS", 5),
    ("s", "NOT_CONTAINS", "ell"), ("s", "BEGINS_WITH", "ello"), ("absent", "IN", 1),
    ("n", "BETWEEN", 6, 7),
]  # fmt: skip
REFUSED: list[tuple[tuple[Any, ...], str]] = [
    (("n", "EQ"), "number of argument|must be used with"),
    (("n", "EQ", 1, 2), "Invalid number of argument"),
    (("n", "NULL", 1), "Invalid number of argument"),
    (("n", "BETWEEN", 1), "Invalid number of argument"),
    (("n", "BETWEEN", 2, 1), "lower bound is greater than the upper bound"),
    (("n", "BETWEEN", 2, "a"), "must be of same type"),
    (("n", "IN", 2, "a"), "must be of same type"),
    (("n", "LT", {1}), "ComparisonOperator LT is not valid for NS AttributeValue type"),
    (("n", "IN", {"a"}), "ComparisonOperator IN is not valid for SS AttributeValue type"),
    (("s", "CONTAINS", {"a"}), "ComparisonOperator CONTAINS is not valid for SS"),
    (("s", "BEGINS_WITH", 1), "ComparisonOperator BEGINS_WITH is not valid for N"),
]


def _conditions(*terms: tuple[Any, ...]) -> dict[str, Shape]:
    conditions: dict[str, Shape] = {}
    for name, operator, *operands in terms:
        conditions[name] = {"ComparisonOperator": operator}
        if operands:
            conditions[name]["AttributeValueList"] = [value(operand) for operand in operands]
    return conditions


def _label(case: Any) -> str:
    """A comparison without its values: a set is written differently in each process."""
    return " ".join(case[:2]) if isinstance(case, tuple) else ""


@pytest.fixture(scope="module")
def subject(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:S sk:N")
    table.put(pk="p", sk=1, **SUBJECT)
    return table


@pytest.mark.parametrize("term", HOLDS, ids=_label)
def test_a_comparison_that_holds_selects_and_permits(subject: Table, term: Any) -> None:
    condition = _conditions(term)
    assert subject.scan(ScanFilter=condition)["Count"] == 1
    keys = _conditions(("pk", "EQ", "p"))
    assert subject.query(KeyConditions=keys, QueryFilter=condition)["Count"] == 1
    subject.put_item(Item=item(SUBJECT, pk="p", sk=1), Expected=condition)


@pytest.mark.parametrize("term", FAILS, ids=_label)
def test_a_comparison_that_fails_selects_nothing_and_forbids(subject: Table, term: Any) -> None:
    condition = _conditions(term)
    assert subject.scan(ScanFilter=condition)["Count"] == 0
    with refused(CONDITION_FAILED):
        subject.put_item(Item=item(pk="p", sk=1), Expected=condition)


@pytest.mark.parametrize(("term", "message"), REFUSED, ids=_label)
def test_a_comparison_takes_values_of_its_number_and_types(
    subject: Table, term: Any, message: str
) -> None:
    condition = _conditions(term)
    calls: tuple[Callable[[], Any], ...] = (
        lambda: subject.scan(ScanFilter=condition),
        lambda: subject.delete_item(Key=item(pk="p", sk=1), Expected=condition),
    )
    for call in calls:
        with refused(INVALID, match=message):
            call()


@pytest.mark.parametrize(
    ("expected", "holds"),
    [
        ({"s": {"Value": value("hello")}}, True),
        ({"s": {"Value": value("other")}}, False),
        ({"s": {"Value": value("hello"), "Exists": True}}, True),
        ({"absent": {"Exists": False}}, True),
        ({"s": {"Exists": False}}, False),
        ({"s": {"ComparisonOperator": "EQ", "Value": value("hello")}}, True),
        ({}, True),
    ],
)
def test_expected_has_a_short_form_for_a_value_and_for_none(
    subject: Table, expected: Any, holds: bool
) -> None:
    request = {"Item": item(SUBJECT, pk="p", sk=1), "Expected": expected}
    if holds:
        subject.put_item(**request)
    else:
        with refused(CONDITION_FAILED):
            subject.put_item(**request)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({}, "Value must be provided when Exists is null for Attribute: s"),
        ({"Exists": True}, "Value must be provided when Exists is true for Attribute: s"),
        (
            {"Exists": False, "Value": value(1)},
            "Value cannot be used when Exists is false for Attribute: s",
        ),
        (
            {"Exists": True, "ComparisonOperator": "NULL"},
            "Exists and ComparisonOperator cannot be used together for Attribute: s",
        ),
        (
            {"Value": value(1), "AttributeValueList": [value(1)], "ComparisonOperator": "EQ"},
            "Value and AttributeValueList cannot be used together for Attribute: s",
        ),
        (
            {"AttributeValueList": [value(1)]},
            "AttributeValueList can only be used with a ComparisonOperator for Attribute: s",
        ),
        (
            {"ComparisonOperator": "EQ"},
            "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: s",
        ),
    ],
)
def test_expected_is_one_of_its_forms(subject: Table, entry: Any, message: str) -> None:
    with refused(INVALID, match=f"One or more parameter values were invalid: {message}"):
        subject.put_item(Item=item(pk="p", sk=1), Expected={"s": entry})


def test_conditions_are_joined_by_and_unless_by_or(subject: Table) -> None:
    both = _conditions(("s", "EQ", "hello"), ("n", "EQ", 6))
    assert subject.scan(ScanFilter=both)["Count"] == 0
    assert subject.scan(ScanFilter=both, ConditionalOperator="AND")["Count"] == 0
    assert subject.scan(ScanFilter=both, ConditionalOperator="OR")["Count"] == 1
    request = {"Item": item(SUBJECT, pk="p", sk=1), "Expected": both}
    subject.put_item(**request, ConditionalOperator="OR")
    with refused(CONDITION_FAILED):
        subject.put_item(**request)


def test_an_operator_needs_two_conditions_to_join(subject: Table) -> None:
    with refused(INVALID, match="ConditionalOperator cannot be used without Filter or Expected"):
        subject.scan(ConditionalOperator="OR")
    one = _conditions(("s", "EQ", "hello"))
    with refused(INVALID, match="Filter or Expected has two or more elements"):
        subject.delete_item(Key=item(pk="p", sk=1), Expected=one, ConditionalOperator="AND")


def test_a_failed_expectation_shows_the_item_where_it_was_asked_for(subject: Table) -> None:
    with refused(CONDITION_FAILED) as refusal:
        subject.put_item(
            Item=item(pk="p", sk=1),
            Expected={"pk": {"Exists": False}},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert refusal.response["Item"] == item(SUBJECT, pk="p", sk=1)


def test_an_attribute_may_have_any_name(shared: Table) -> None:
    key = unique_name()
    shared.put_item(Item=item({"a.b": 1, "size": 2, "#x": 3}, pk=key))
    condition = _conditions(("a.b", "EQ", 1), ("size", "EQ", 2), ("#x", "EQ", 3))
    shared.update_item(Key=item(pk=key), Expected=condition)


@pytest.mark.parametrize(
    ("method", "members", "message"),
    [
        (
            "put_item",
            {"Item": item(pk="p", sk=1), "Expected": {}, "ConditionExpression": "s = n"},
            "{Expected} Expression parameters: {ConditionExpression}",
        ),
        (
            "update_item",
            {"Key": item(pk="p", sk=1), "AttributeUpdates": {}, "UpdateExpression": "REMOVE s"},
            "{AttributeUpdates} Expression parameters: {UpdateExpression}",
        ),
        (
            "get_item",
            {"Key": item(pk="p", sk=1), "AttributesToGet": ["s"], "ProjectionExpression": "s"},
            "{AttributesToGet} Expression parameters: {ProjectionExpression}",
        ),
        (
            "scan",
            {"ScanFilter": {}, "ProjectionExpression": "s", "FilterExpression": "s = n"},
            "{ScanFilter} Expression parameters: {ProjectionExpression, FilterExpression}",
        ),
    ],
)
def test_one_request_is_written_in_one_notation(
    subject: Table, method: str, members: Any, message: str
) -> None:
    with refused(INVALID) as refusal:
        getattr(subject, method)(**members)
    assert refusal.response["Error"]["Message"] == (
        "Can not use both expression and non-expression parameters in the same request:"
        f" Non-expression parameters: {message}"
    )


def test_key_conditions_may_have_a_filter_expression_beside_them(subject: Table) -> None:
    # Both dynalite and dynoxide have this exception.
    found = subject.query(
        KeyConditions=_conditions(("pk", "EQ", "p")),
        FilterExpression="n = :0 AND s = :1",
        **given(**{"0": 5, "1": "hello"}),
    )
    assert found["Count"] == 1
