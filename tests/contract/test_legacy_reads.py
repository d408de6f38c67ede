"""KeyConditions, QueryFilter and AttributesToGet: AWS's API reference, dynalite and dynoxide."""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import Shape, item, plain, value
from .tables import Index, MakeTable, Table, everything


def _on(operator: str, *operands: object) -> Shape:
    values = {"AttributeValueList": [value(operand) for operand in operands]} if operands else {}
    return {"ComparisonOperator": operator, **values}


PARTITION = _on("EQ", "p")


@pytest.fixture(scope="module")
def stocked(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:S sk:N", gsi=[Index("by_g", "g:S")])
    table.fill({"pk": "p", "sk": n, "g": "g", "odd": n % 2, "m": {"x": n}} for n in range(1, 7))
    table.put(pk="other", sk=1)
    return table


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        (_on("EQ", 3), [3]),
        (_on("LT", 3), [1, 2]),
        (_on("LE", 3), [1, 2, 3]),
        (_on("GT", 4), [5, 6]),
        (_on("GE", 4), [4, 5, 6]),
        (_on("BETWEEN", 2, 4), [2, 3, 4]),
    ],
)
def test_a_sort_key_is_compared(stocked: Table, condition: Shape, found: list[int]) -> None:
    conditions = {"pk": PARTITION, "sk": condition}
    assert [each["sk"] for each in everything(stocked.query, KeyConditions=conditions)] == found


def test_a_sort_key_may_begin_with_a_text(make_table: MakeTable) -> None:
    table = make_table("pk:S sk:S")
    table.fill({"pk": "p", "sk": sk} for sk in ("a", "ab", "b"))
    conditions = {"pk": PARTITION, "sk": _on("BEGINS_WITH", "a")}
    assert [each["sk"] for each in everything(table.query, KeyConditions=conditions)] == ["a", "ab"]


def test_pages_and_order_are_those_of_any_query(stocked: Table) -> None:
    request = {"KeyConditions": {"pk": PARTITION}, "Limit": 2, "ScanIndexForward": False}
    found = [each["sk"] for each in everything(stocked.query, **request)]
    assert found == [6, 5, 4, 3, 2, 1]


def test_an_index_has_conditions_on_its_own_key(stocked: Table) -> None:
    found = stocked.query(IndexName="by_g", KeyConditions={"g": _on("EQ", "g")})
    assert found["Count"] == 6


def test_a_filter_keeps_some_of_what_was_read(stocked: Table) -> None:
    found = stocked.query(KeyConditions={"pk": PARTITION}, QueryFilter={"odd": _on("EQ", 1)})
    assert (found["Count"], found["ScannedCount"]) == (3, 6)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({}, "Either the KeyConditions or KeyConditionExpression parameter must be specified"),
        ({"KeyConditions": {}}, "Conditions can be of length 1 or 2 only"),
        (
            {"KeyConditions": dict.fromkeys(("pk", "sk", "odd"), PARTITION)},
            "Conditions can be of length 1 or 2 only",
        ),
        ({"KeyConditions": {"sk": _on("EQ", 1)}}, "Query condition missed key schema element: pk"),
        (
            {"KeyConditions": {"pk": PARTITION, "odd": _on("EQ", 1)}},
            "Query condition missed key schema element: sk",
        ),
        ({"KeyConditions": {"pk": _on("GT", "p")}}, "Query key condition not supported"),
        (
            {"KeyConditions": {"g": _on("EQ", "g"), "sk": _on("EQ", 1)}, "IndexName": "by_g"},
            "Query key condition not supported",
        ),
        (
            {"KeyConditions": {"pk": PARTITION, "sk": _on("NE", 1)}},
            "Attempted conditional constraint is not an indexable operation",
        ),
        (
            {"KeyConditions": {"pk": PARTITION, "sk": _on("EQ", "1")}},
            "Condition parameter type does not match schema type",
        ),
        (
            {"KeyConditions": {"pk": PARTITION}, "QueryFilter": {"sk": _on("EQ", 1)}},
            "QueryFilter can only contain non-primary key attributes: Primary key attribute: sk",
        ),
    ],
)
def test_conditions_that_are_not_of_the_key_are_refused(
    stocked: Table, request_: dict[str, Any], message: str
) -> None:
    with refused(INVALID, match=message):
        stocked.query(**request_)


def test_whole_attributes_are_got_by_their_names(stocked: Table) -> None:
    wanted = ["m", "absent", "m.x"]
    shown = {"m": {"x": 1}}
    key = item(pk="p", sk=1)
    assert plain(stocked.get_item(Key=key, AttributesToGet=wanted)["Item"]) == shown
    found = stocked.query(
        KeyConditions={"pk": PARTITION, "sk": _on("EQ", 1)}, AttributesToGet=wanted
    )
    assert [plain(each) for each in found["Items"]] == [shown]
    found = stocked.scan(
        ScanFilter={"sk": _on("EQ", 1), "m": _on("NOT_NULL")}, AttributesToGet=wanted
    )
    assert [plain(each) for each in found["Items"]] == [shown]
    answer = stocked.client.batch_get_item(
        RequestItems={stocked.name: {"Keys": [key], "AttributesToGet": wanted}}
    )
    assert [plain(each) for each in answer["Responses"][stocked.name]] == [shown]


def test_attributes_are_named_once(stocked: Table) -> None:
    twice = {"AttributesToGet": ["m", "m"]}
    key = item(pk="p", sk=1)
    message = "Duplicate value in attribute name: m"
    with refused(INVALID, match=message):
        stocked.get_item(Key=key, **twice)
    with refused(INVALID, match=message):
        stocked.client.batch_get_item(RequestItems={stocked.name: {"Keys": [key], **twice}})


def test_a_batch_is_written_in_one_notation(stocked: Table) -> None:
    wanted = {
        "Keys": [item(pk="p", sk=1)],
        "AttributesToGet": ["m"],
        "ProjectionExpression": "m",
    }
    with refused(INVALID, match="Can not use both expression and non-expression parameters"):
        stocked.client.batch_get_item(RequestItems={stocked.name: wanted})


def test_names_without_an_expression_are_refused_beside_attributes(stocked: Table) -> None:
    with refused(INVALID, match="ExpressionAttributeNames can only be specified when using"):
        stocked.get_item(
            Key=item(pk="p", sk=1),
            AttributesToGet=["m"],
            ExpressionAttributeNames={"#m": "m"},
        )
