"""A cost is a value: read from an answer, added up, taken apart."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.store.costs import Cost, CostLine
from gotgan.store.engine import connect
from tests.contract.shapes import item, weighing

UNITS = st.integers(0, 1000).map(lambda halves: halves / 2)
LINES = st.builds(
    CostLine,
    verb=st.sampled_from(["get", "put"]),
    table=st.sampled_from(["news", "shops"]),
    index=st.sampled_from([None, "GSI1", "GSI2"]),
    reads=UNITS,
    writes=UNITS,
)
COSTS = st.lists(LINES, max_size=5).map(lambda lines: sum((Cost((x,)) for x in lines), Cost()))


def _consumed(units: float, **more: Any) -> dict[str, Any]:
    return {"TableName": "shops", "CapacityUnits": units, **more}


def _cost(operation: str, consumed: Any) -> Cost:
    return Cost.of("verb", operation, {"ConsumedCapacity": consumed})


def _lines(cost: Cost) -> list[tuple[str, str | None, float, float]]:
    return [(line.table, line.index, line.reads, line.writes) for line in cost.lines]


@pytest.mark.parametrize(
    "operation", ["BatchGetItem", "GetItem", "Query", "Scan", "TransactGetItems"]
)
def test_an_operation_that_reads_costs_reads(operation: str) -> None:
    assert _lines(_cost(operation, _consumed(1.5))) == [("shops", None, 1.5, 0.0)]


@pytest.mark.parametrize(
    "operation", ["BatchWriteItem", "DeleteItem", "PutItem", "TransactWriteItems", "UpdateItem"]
)
def test_an_operation_that_writes_costs_writes(operation: str) -> None:
    assert _lines(_cost(operation, _consumed(3))) == [("shops", None, 0.0, 3.0)]


def test_each_index_has_a_line_of_its_own_after_the_table() -> None:
    consumed = _consumed(
        6.0,
        Table={"CapacityUnits": 1.0},
        GlobalSecondaryIndexes={"GSI3": {"CapacityUnits": 1.0}, "GSI2": {"CapacityUnits": 2.0}},
        LocalSecondaryIndexes={"local": {"CapacityUnits": 2.0}},
    )
    assert _lines(_cost("PutItem", consumed)) == [
        ("shops", None, 0.0, 1.0),
        ("shops", "GSI2", 0.0, 2.0),
        ("shops", "GSI3", 0.0, 1.0),
        ("shops", "local", 0.0, 2.0),
    ]


def test_a_table_that_took_nothing_has_no_line() -> None:
    consumed = _consumed(
        0.5, Table={"CapacityUnits": 0.0}, GlobalSecondaryIndexes={"GSI2": {"CapacityUnits": 0.5}}
    )
    assert _lines(_cost("Query", consumed)) == [("shops", "GSI2", 0.5, 0.0)]


def test_an_index_that_took_nothing_has_no_line() -> None:
    consumed = _consumed(
        1.0, Table={"CapacityUnits": 1.0}, GlobalSecondaryIndexes={"GSI2": {"CapacityUnits": 0.0}}
    )
    assert _lines(_cost("PutItem", consumed)) == [("shops", None, 0.0, 1.0)]


def test_units_that_are_given_both_to_the_table_and_to_its_index_count_once() -> None:
    """As moto shows a query of an index."""
    consumed = _consumed(
        1.0, Table={"CapacityUnits": 1.0}, LocalSecondaryIndexes={"GSI2": {"CapacityUnits": 1.0}}
    )
    assert _lines(_cost("Query", consumed)) == [("shops", "GSI2", 1.0, 0.0)]


def test_a_total_that_leaves_the_indexes_out_takes_nothing_from_the_table() -> None:
    consumed = _consumed(1.0, GlobalSecondaryIndexes={"GSI2": {"CapacityUnits": 2.0}})
    assert _lines(_cost("PutItem", consumed)) == [("shops", "GSI2", 0.0, 2.0)]


def test_a_batch_over_two_tables_has_a_line_for_each() -> None:
    consumed = [_consumed(3.0), {"TableName": "news", "CapacityUnits": 1.0}]
    assert _lines(_cost("BatchWriteItem", consumed)) == [
        ("news", None, 0.0, 1.0),
        ("shops", None, 0.0, 3.0),
    ]


def test_a_table_that_is_named_twice_in_one_answer_is_added_up() -> None:
    assert _lines(_cost("BatchGetItem", [_consumed(1.0), _consumed(0.5)])) == [
        ("shops", None, 1.5, 0.0)
    ]


def test_what_dynamodb_calls_reads_are_reads_even_of_a_write() -> None:
    """A transaction that is repeated with its token only reads."""
    consumed = [_consumed(2.0, ReadCapacityUnits=2.0, Table={"ReadCapacityUnits": 2.0})]
    assert _lines(_cost("TransactWriteItems", consumed)) == [("shops", None, 2.0, 0.0)]


def test_reads_and_writes_in_one_answer_are_told_apart() -> None:
    consumed = [_consumed(6.0, ReadCapacityUnits=2.0, WriteCapacityUnits=4.0)]
    assert _lines(_cost("TransactWriteItems", consumed)) == [("shops", None, 2.0, 4.0)]


@pytest.mark.parametrize("answer", [{}, {"ConsumedCapacity": None}, {"ConsumedCapacity": []}])
def test_an_answer_that_says_nothing_costs_nothing(answer: dict[str, Any]) -> None:
    assert Cost.of("put", "TransactWriteItems", answer) == Cost()


def test_whole_units_are_the_same_from_every_implementation() -> None:
    """Dynalite writes 1 where others write 1.0."""
    first = Cost.of("put", "PutItem", {"ConsumedCapacity": {"TableName": "d", "CapacityUnits": 1}})
    assert json.dumps(first.as_dict()["writes"]) == "1.0"


def test_a_failed_write_of_a_missing_item_costs_one_unit() -> None:
    assert _lines(Cost.of_failed_write("put_new", "shops", None)) == [("shops", None, 0.0, 1.0)]


@pytest.mark.parametrize(("there", "units"), [(1024, 1), (2048, 2)])
def test_a_failed_write_costs_the_item_that_is_there(there: int, units: float) -> None:
    assert Cost.of_failed_write("put_new", "shops", weighing(there, pk="a")).writes == units


@pytest.mark.parametrize(("there", "attempted"), [(300, 310), (310, 300)])
def test_a_failed_write_costs_the_larger_of_what_is_there_and_what_was_tried(
    there: int, attempted: int
) -> None:
    cost = Cost.of_failed_write(
        "put_new",
        "shops",
        weighing(there * 1024, pk="a"),
        attempted=weighing(attempted * 1024, pk="a"),
    )
    assert cost.writes == 310


def test_the_fault_of_a_failed_write_carries_what_its_cost_is_computed_from() -> None:
    with connect(None) as client:
        client.create_table(
            TableName="shops",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            BillingMode="PAY_PER_REQUEST",
        )
        client.put_item(TableName="shops", Item=weighing(2500, pk="a"))
        with pytest.raises(client.exceptions.ConditionalCheckFailedException) as fault:
            client.put_item(
                TableName="shops",
                Item=item(pk="a"),
                ConditionExpression="attribute_not_exists(pk)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
    there = fault.value.response["Item"]
    assert Cost.of_failed_write("put_new", "shops", there).writes == 3


@given(COSTS, COSTS, COSTS)
def test_costs_add_up_in_any_order(one: Cost, two: Cost, three: Cost) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert (one + two).reads == one.reads + two.reads
    assert (one + two).writes == one.writes + two.writes


@given(COSTS)
def test_nothing_added_changes_nothing(cost: Cost) -> None:
    assert cost + Cost() == Cost() + cost == cost


@given(COSTS, COSTS)
def test_a_sum_has_one_line_for_each_verb_table_and_index(one: Cost, two: Cost) -> None:
    keys = [(line.verb, line.table, line.index) for line in (one + two).lines]
    assert len(keys) == len(set(keys))


@given(COSTS)
def test_the_parts_of_a_cost_make_the_whole(cost: Cost) -> None:
    for parts in (cost.by_verb(), cost.by_table(), cost.by_index()):
        assert sum(parts.values(), Cost()) == cost


def test_a_cost_is_taken_apart_by_verb_table_and_index() -> None:
    get = CostLine("get", "news", None, 0.5, 0.0)
    put = CostLine("put", "shops", None, 0.0, 1.0)
    moved = CostLine("put", "shops", "GSI2", 0.0, 2.0)
    cost = Cost((get, put, moved))
    assert cost.by_verb() == {"get": Cost((get,)), "put": Cost((put, moved))}
    assert cost.by_table() == {"news": Cost((get,)), "shops": Cost((put, moved))}
    assert cost.by_index() == {
        ("news", None): Cost((get,)),
        ("shops", None): Cost((put,)),
        ("shops", "GSI2"): Cost((moved,)),
    }


def test_a_cost_can_be_written_as_json() -> None:
    cost = Cost((CostLine("put", "shops", "GSI2", 0.0, 2.0),))
    assert json.loads(json.dumps(cost.as_dict())) == {
        "reads": 0.0,
        "writes": 2.0,
        "lines": [
            {"verb": "put", "table": "shops", "index": "GSI2", "reads": 0.0, "writes": 2.0},
        ],
    }
