"""Read units: 4 KB each, half when eventually consistent, double in a transaction."""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, weighing
from .tables import Index, MakeTable, Table, unique_name

TOTAL = {"ReturnConsumedCapacity": "TOTAL"}
INDEXES = {"ReturnConsumedCapacity": "INDEXES"}


@pytest.fixture(scope="module")
def three(make_shared_table: MakeTable) -> Table:
    """Three items of 2,000 bytes in one partition, whose index entries are small."""
    table = make_shared_table(
        "pk:S sk:S",
        gsi=[Index("thin", "g:S", "KEYS_ONLY"), Index("whole", "g:S sk:S")],
        lsi=[Index("local", "pk:S l:S", "KEYS_ONLY")],
    )
    for letter in "abc":
        table.put_item(Item=weighing(2000, pk="p", sk=letter, g="g", l=letter))
    return table


def _partition(index: str | None = None) -> dict[str, Any]:
    if index is None:
        return {"KeyConditionExpression": "pk = :p", **given(p="p")}
    hash_, value = ("pk", "p") if index == "local" else ("g", "g")
    return {
        "IndexName": index,
        "KeyConditionExpression": f"{hash_} = :h",
        **given(h=value),
    }


@pytest.mark.parametrize(
    ("size", "consistent", "units"),
    [
        (100, False, 0.5),
        (100, True, 1),
        (4096, False, 0.5),
        (4096, True, 1),
        (4097, False, 1),
        (4097, True, 2),
        (8192, True, 2),
        (8193, True, 3),
        (409600, False, 50),
    ],
)
def test_a_get_costs_by_the_size_of_its_item(
    shared: Table, size: int, consistent: bool, units: float
) -> None:
    key = unique_name()
    shared.put_item(Item=weighing(size, pk=key))
    request = {"Key": item(pk=key), "ConsistentRead": consistent, **TOTAL}
    expected = {"TableName": shared.name, "CapacityUnits": units}
    assert shared.get_item(**request)["ConsumedCapacity"] == expected
    projected = shared.get_item(**request, ProjectionExpression="pk")
    assert projected["ConsumedCapacity"] == expected


@pytest.mark.parametrize(("consistent", "units"), [(False, 0.5), (True, 1)])
def test_a_get_of_nothing_costs_the_least(shared: Table, consistent: bool, units: float) -> None:
    answer = shared.get_item(Key=item(pk=unique_name()), ConsistentRead=consistent, **TOTAL)
    assert answer["ConsumedCapacity"]["CapacityUnits"] == units


def test_capacity_is_only_told_where_asked(three: Table) -> None:
    for members in ({}, {"ReturnConsumedCapacity": "NONE"}):
        assert "ConsumedCapacity" not in three.get_item(Key=item(pk="p", sk="a"), **members)
        assert "ConsumedCapacity" not in three.query(**_partition(), **members)
        assert "ConsumedCapacity" not in three.scan(**members)
    with refused(INVALID):
        three.get_item(Key=item(pk="p", sk="a"), ReturnConsumedCapacity="SOME")


@pytest.mark.parametrize(
    ("members", "units"),
    [
        ({}, 1),
        ({"ConsistentRead": True}, 2),
        ({"Select": "COUNT"}, 1),
        ({"ProjectionExpression": "sk"}, 1),
        ({"FilterExpression": "attribute_exists(absent)"}, 1),
        ({"Limit": 2}, 0.5),
        ({"Limit": 2, "ConsistentRead": True}, 1),
    ],
    ids=str,
)
@pytest.mark.parametrize("method", ["query", "scan"])
def test_items_are_added_up_before_they_are_rounded(
    three: Table, method: str, members: dict[str, Any], units: float
) -> None:
    request = _partition() if method == "query" else {}
    answer = getattr(three, method)(**request, **members, **TOTAL)
    assert answer["ConsumedCapacity"]["CapacityUnits"] == units


@pytest.mark.parametrize(("consistent", "units"), [(False, 0.5), (True, 1)])
def test_a_query_that_finds_nothing_costs_the_least(
    three: Table, consistent: bool, units: float
) -> None:
    request = {"KeyConditionExpression": "pk = :p", **given(p="nobody")}
    answer = three.query(**request, ConsistentRead=consistent, **TOTAL)
    assert answer["ConsumedCapacity"]["CapacityUnits"] == units


@pytest.mark.parametrize(("index", "units"), [("thin", 0.5), ("whole", 1), ("local", 0.5)])
@pytest.mark.parametrize("method", ["query", "scan"])
def test_an_index_costs_by_what_it_holds(
    three: Table, method: str, index: str, units: float
) -> None:
    request = _partition(index) if method == "query" else {"IndexName": index}
    answer = getattr(three, method)(**request, **INDEXES)
    consumed = answer["ConsumedCapacity"]
    kind = "LocalSecondaryIndexes" if index == "local" else "GlobalSecondaryIndexes"
    assert consumed["CapacityUnits"] == units
    assert consumed["Table"]["CapacityUnits"] == 0
    assert consumed[kind] == {index: {"CapacityUnits": units}}


def test_a_local_index_pays_for_each_item_it_fetches(three: Table) -> None:
    answer = three.query(**_partition("local"), Select="ALL_ATTRIBUTES", **INDEXES)
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 0.5 + 3 * 0.5


def test_without_an_index_the_table_pays_all(three: Table) -> None:
    consumed = three.query(**_partition(), **INDEXES)["ConsumedCapacity"]
    assert consumed["Table"] == {"CapacityUnits": 1}
    assert "GlobalSecondaryIndexes" not in consumed


@pytest.mark.parametrize(("consistent", "units"), [(False, 2), (True, 4)])
def test_a_batch_rounds_each_item(three: Table, consistent: bool, units: float) -> None:
    keys = [item(pk="p", sk=letter) for letter in ("a", "b", "c", "absent")]
    answer = three.client.batch_get_item(
        RequestItems={three.name: {"Keys": keys, "ConsistentRead": consistent}}, **TOTAL
    )
    assert answer["ConsumedCapacity"] == [{"TableName": three.name, "CapacityUnits": units}]


def test_a_batch_tells_each_table_apart(three: Table, shared: Table) -> None:
    answer = three.client.batch_get_item(
        RequestItems={
            three.name: {"Keys": [item(pk="p", sk="a")]},
            shared.name: {"Keys": [item(pk=unique_name())], "ConsistentRead": True},
        },
        **TOTAL,
    )
    consumed = {each["TableName"]: each["CapacityUnits"] for each in answer["ConsumedCapacity"]}
    assert consumed == {three.name: 0.5, shared.name: 1}


@pytest.mark.parametrize(("size", "units"), [(100, 2), (4096, 2), (4097, 4), (8193, 6)])
def test_a_transaction_reads_at_double_cost(shared: Table, size: int, units: float) -> None:
    key = unique_name()
    shared.put_item(Item=weighing(size, pk=key))
    answer = shared.client.transact_get_items(
        TransactItems=[{"Get": {"TableName": shared.name, "Key": item(pk=key)}}], **TOTAL
    )
    (consumed,) = answer["ConsumedCapacity"]
    assert (consumed["TableName"], consumed["CapacityUnits"]) == (shared.name, units)
