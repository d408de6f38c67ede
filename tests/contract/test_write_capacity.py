"""Write units: 1 KB each, for the larger of before and after; indexes pay for what changes."""

from __future__ import annotations

from typing import Any

import pytest

from .shapes import given, item, weighing
from .tables import Index, MakeTable, Table, unique_name

TOTAL = {"ReturnConsumedCapacity": "TOTAL"}
INDEXES = {"ReturnConsumedCapacity": "INDEXES"}


def _units(answer: dict[str, Any]) -> float:
    units: float = answer["ConsumedCapacity"]["CapacityUnits"]
    return units


@pytest.mark.parametrize(
    ("size", "units"), [(50, 1), (1024, 1), (1025, 2), (2048, 2), (2049, 3), (409600, 400)]
)
def test_a_put_costs_by_the_size_of_its_item(shared: Table, size: int, units: float) -> None:
    answer = shared.put_item(Item=weighing(size, pk=unique_name()), **TOTAL)
    assert answer["ConsumedCapacity"] == {"TableName": shared.name, "CapacityUnits": units}


@pytest.mark.parametrize(("before", "after", "units"), [(3000, 100, 3), (100, 3000, 3)])
def test_replacing_costs_by_the_larger_item(
    shared: Table, before: int, after: int, units: float
) -> None:
    key = unique_name()
    shared.put_item(Item=weighing(before, pk=key))
    assert _units(shared.put_item(Item=weighing(after, pk=key), **TOTAL)) == units


@pytest.mark.parametrize(("before", "value", "units"), [(3000, "x", 3), (100, "x" * 3000, 3)])
def test_an_update_costs_by_the_larger_item(
    shared: Table, before: int, value: str, units: float
) -> None:
    key = unique_name()
    shared.put_item(Item=weighing(before, pk=key))
    answer = shared.update_item(
        Key=item(pk=key), UpdateExpression="SET v = :v", **given(v=value), **TOTAL
    )
    assert _units(answer) == units


def test_a_small_change_to_a_large_item_costs_the_whole_item(shared: Table) -> None:
    key = unique_name()
    shared.put_item(Item=weighing(5000, pk=key))
    answer = shared.update_item(
        Key=item(pk=key), UpdateExpression="SET n = :n", **given(n=1), **TOTAL
    )
    assert _units(answer) == 5


@pytest.mark.parametrize(("size", "units"), [(0, 1), (100, 1), (3000, 3)])
def test_a_delete_costs_by_what_it_deletes(shared: Table, size: int, units: float) -> None:
    key = unique_name()
    if size:
        shared.put_item(Item=weighing(size, pk=key))
    assert _units(shared.delete_item(Key=item(pk=key), **TOTAL)) == units


NONE: dict[str, Any] | None = None
NEW = {"g": "a", "in": 1, "out": 1}

INDEX_WRITES: dict[str, tuple[dict[str, Any] | None, dict[str, Any] | None, int]] = {
    "an item enters": (NONE, NEW, 1),
    "an item that is not in the index": (NONE, {"out": 1}, 0),
    "nothing changes": (NEW, NEW, 0),
    "a projected attribute changes": (NEW, {**NEW, "in": 2}, 1),
    "an attribute that is not projected changes": (NEW, {**NEW, "out": 2}, 0),
    "the key changes": (NEW, {**NEW, "g": "b"}, 2),
    "the key is removed": (NEW, {"in": 1}, 1),
    "the key is added": ({"in": 1}, NEW, 1),
    "an item leaves": (NEW, NONE, 1),
    "an item leaves that was not in the index": ({"in": 1}, NONE, 0),
}


@pytest.fixture(scope="module")
def indexed(make_shared_table: MakeTable) -> Table:
    return make_shared_table("pk:S", gsi=[Index("by_g", "g:S", ("in",))])


@pytest.fixture(scope="module")
def local(make_shared_table: MakeTable) -> Table:
    return make_shared_table("pk:S sk:S", lsi=[Index("by_g", "pk:S g:S", ("in",))])


def _consumed(table: Table, before: Any, after: Any, key: dict[str, Any]) -> dict[str, Any]:
    if before is not None:
        table.put_item(Item=key | item(before))
    if after is None:
        answer = table.delete_item(Key=key, **INDEXES)
    else:
        answer = table.put_item(Item=key | item(after), **INDEXES)
    consumed: dict[str, Any] = answer["ConsumedCapacity"]
    return consumed


@pytest.mark.parametrize("what", INDEX_WRITES)
def test_a_global_index_pays_when(indexed: Table, what: str) -> None:
    before, after, units = INDEX_WRITES[what]
    consumed = _consumed(indexed, before, after, item(pk=unique_name()))
    assert consumed["CapacityUnits"] == 1 + units
    assert consumed["Table"] == {"CapacityUnits": 1}
    expected = {"by_g": {"CapacityUnits": units}} if units else None
    assert consumed.get("GlobalSecondaryIndexes") == expected


@pytest.mark.parametrize("what", INDEX_WRITES)
def test_a_local_index_pays_when(local: Table, what: str) -> None:
    before, after, units = INDEX_WRITES[what]
    consumed = _consumed(local, before, after, item(pk=unique_name(), sk="a"))
    assert consumed["CapacityUnits"] == 1 + units
    expected = {"by_g": {"CapacityUnits": units}} if units else None
    assert consumed.get("LocalSecondaryIndexes") == expected


def test_an_update_pays_for_its_indexes_as_a_put_does(indexed: Table) -> None:
    key = item(pk=unique_name())
    indexed.put_item(Item=key | item(NEW))
    answer = indexed.update_item(
        Key=key, UpdateExpression="SET g = :g", **given(g="other"), **INDEXES
    )
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 3
    assert answer["ConsumedCapacity"]["GlobalSecondaryIndexes"] == {"by_g": {"CapacityUnits": 2}}


def test_another_order_of_a_set_costs_no_index(indexed: Table) -> None:
    key = item(pk=unique_name())
    for order, units in ((["a", "b"], 2), (["b", "a"], 1)):
        new = key | item(g="g") | {"in": {"SS": order}}
        consumed = indexed.put_item(Item=new, **INDEXES)["ConsumedCapacity"]
        assert consumed["CapacityUnits"] == units


def test_an_index_that_projects_less_pays_less(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[Index("thin", "g:S", "KEYS_ONLY"), Index("whole", "g:S")])
    answer = table.put_item(Item=weighing(3000, pk="a", g="g"), **INDEXES)
    consumed = answer["ConsumedCapacity"]
    assert consumed["CapacityUnits"] == 7
    assert consumed["GlobalSecondaryIndexes"] == {
        "thin": {"CapacityUnits": 1},
        "whole": {"CapacityUnits": 3},
    }


def test_a_batch_adds_up_per_table(make_table: MakeTable) -> None:
    one, two = make_table(), make_table()
    two.put_item(Item=weighing(2500, pk="old"))
    answer = one.client.batch_write_item(
        RequestItems={
            one.name: [
                {"PutRequest": {"Item": weighing(1500, pk="a")}},
                {"PutRequest": {"Item": weighing(100, pk="b")}},
            ],
            two.name: [{"DeleteRequest": {"Key": item(pk="old")}}],
        },
        **TOTAL,
    )
    consumed = {each["TableName"]: each["CapacityUnits"] for each in answer["ConsumedCapacity"]}
    assert consumed == {one.name: 3, two.name: 3}


def test_a_transaction_writes_at_double_cost(shared: Table) -> None:
    keys = [unique_name() for _ in range(4)]
    for key, size in zip(keys[1:], (100, 100, 2500), strict=True):
        shared.put_item(Item=weighing(size, pk=key))
    name = {"TableName": shared.name}
    answer = shared.client.transact_write_items(
        TransactItems=[
            {"Put": {**name, "Item": weighing(1500, pk=keys[0])}},
            {"Delete": {**name, "Key": item(pk=keys[1])}},
            {
                "Update": {
                    **name,
                    "Key": item(pk=keys[2]),
                    "UpdateExpression": "SET n = :n",
                    **given(n=1),
                }
            },
            {
                "ConditionCheck": {
                    **name,
                    "Key": item(pk=keys[3]),
                    "ConditionExpression": "attribute_exists(pk)",
                }
            },
        ],
        **TOTAL,
    )
    (consumed,) = answer["ConsumedCapacity"]
    assert (consumed["TableName"], consumed["CapacityUnits"]) == (shared.name, 4 + 2 + 2 + 6)


def _transact_put(table: Table, item_: dict[str, Any], **members: Any) -> dict[str, Any]:
    put = {"Put": {"TableName": table.name, "Item": item_}}
    answer = table.client.transact_write_items(TransactItems=[put], **members)
    (consumed,) = answer["ConsumedCapacity"]
    assert isinstance(consumed, dict)
    return consumed


def test_only_the_table_pays_double_for_a_transaction(make_table: MakeTable) -> None:
    table = make_table("pk:S", gsi=[Index("by_g", "g:S", ("in",))])
    consumed = _transact_put(table, item(NEW, pk="a"), **INDEXES)
    assert consumed["Table"]["CapacityUnits"] == 2
    assert consumed["GlobalSecondaryIndexes"]["by_g"]["CapacityUnits"] == 1
    assert consumed["CapacityUnits"] == 3


def test_a_repeated_token_costs_what_reading_costs(make_table: MakeTable) -> None:
    table = make_table()
    request: dict[str, Any] = {"ClientRequestToken": unique_name(), **TOTAL}
    first = _transact_put(table, weighing(5000, pk="a"), **request)
    again = _transact_put(table, weighing(5000, pk="a"), **request)
    assert (first["WriteCapacityUnits"], again["ReadCapacityUnits"]) == (10, 4)
    assert "WriteCapacityUnits" not in again


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ({"s": "é한"}, 1 + 5),
        ({"bool": True}, 4 + 1),
        ({"null": None}, 4 + 1),
        ({"b": b"12345"}, 1 + 5),
        ({"l": []}, 1 + 3),
        ({"m": {}}, 1 + 3),
        ({"l": ["a", "b"]}, 1 + 3 + 2 * (1 + 1)),
        ({"m": {"key": "value"}}, 1 + 3 + 1 + 3 + 5),
        pytest.param({"ss": {"ab", "c"}}, 2 + 3, id="ss"),
        pytest.param({"bs": {b"ab", b"c"}}, 2 + 3, id="bs"),
    ],
    ids=str,
)
def test_every_type_has_its_weight(shared: Table, attributes: dict[str, Any], size: int) -> None:
    key = unique_name()
    padding = 1024 - size - len("pk") - len(key) - len("pad")
    exact = item(attributes, pk=key, pad="x" * padding)
    over = item(attributes, pk=key, pad="x" * (padding + 1))
    assert _units(shared.put_item(Item=exact, **TOTAL)) == 1
    assert _units(shared.put_item(Item=over, **TOTAL)) == 2


@pytest.mark.parametrize(
    ("number", "size"),
    [("0", 1), ("1", 2), ("100", 2), ("12345", 4), ("-1", 3), ("1.5", 3), ("0.012", 3)],
)
def test_a_number_weighs_by_its_pairs_of_digits(shared: Table, number: str, size: int) -> None:
    key = unique_name()
    padding = 1024 - size - len("n") - len("pk") - len(key) - len("pad")
    exact = item(pk=key, pad="x" * padding) | {"n": {"N": number}}
    over = item(pk=key, pad="x" * (padding + 1)) | {"n": {"N": number}}
    assert _units(shared.put_item(Item=exact, **TOTAL)) == 1
    assert _units(shared.put_item(Item=over, **TOTAL)) == 2
