"""The embedded numbers are AWS's: the examples of its developer guide, and what follows from them.

The sizes are those of the guide's pages on read and write consumption and on secondary indexes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gotgan.store.costs import Cost
from gotgan.store.engine import Engine
from tests.contract.shapes import given, item, weighing
from tests.contract.tables import Index, table_request

KB = 1024
Put = Callable[..., None]
Spend = Callable[..., Cost]


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(None) as engine:
        yield engine


@pytest.fixture
def spend(engine: Engine) -> Spend:
    """Carry out an operation and say what it cost."""

    def spend(operation: str, **request: Any) -> Cost:
        answer = engine.execute(operation, {**request, "ReturnConsumedCapacity": "INDEXES"})
        return Cost.of("test", operation, answer)

    return spend


@pytest.fixture
def goods(engine: Engine) -> dict[str, str]:
    """A table of goods in groups; half of its indexes hold everything, half only keys."""
    request = table_request(
        "pk:S sk:S",
        gsi=[Index("whole", "group:S"), Index("keys", "group:S", "KEYS_ONLY")],
        lsi=[Index("local", "pk:S rank:S", "KEYS_ONLY")],
    )
    engine.execute("CreateTable", {"TableName": "goods", **request})
    return {"TableName": "goods"}


@pytest.fixture
def put(engine: Engine, goods: dict[str, str]) -> Put:
    def put(size: int, **text: str) -> None:
        engine.execute("PutItem", {**goods, "Item": weighing(size, **{"pk": "p", **text})})

    return put


def _by_index(cost: Cost) -> dict[str | None, float]:
    return {line.index: line.reads + line.writes for line in cost.lines}


KEY = {"Key": item(pk="p", sk="1")}
PARTITION = {"KeyConditionExpression": "pk = :p", **given(p="p")}
GROUP = {"KeyConditionExpression": "#g = :g", **given({"#g": "group"}, g="g")}


# Reads


@pytest.mark.parametrize(
    ("size", "eventually", "strongly", "transaction"),
    [(3500, 0.5, 1, 2), (8 * KB, 1, 2, 4), (10 * KB, 1.5, 3, 6)],
)
def test_a_read_is_rounded_up_to_4_kb_and_strong_costs_double_and_a_transaction_double_again(
    spend: Spend,
    goods: dict[str, str],
    put: Put,
    size: int,
    eventually: float,
    strongly: float,
    transaction: float,
) -> None:
    put(size, sk="1")
    assert spend("GetItem", **goods, **KEY).reads == eventually
    assert spend("GetItem", **goods, **KEY, ConsistentRead=True).reads == strongly
    assert spend("TransactGetItems", TransactItems=[{"Get": {**goods, **KEY}}]).reads == transaction


def test_a_read_of_nothing_is_not_free(spend: Spend, goods: dict[str, str]) -> None:
    assert spend("GetItem", **goods, **KEY).reads == 0.5
    assert spend("GetItem", **goods, **KEY, ConsistentRead=True).reads == 1
    assert spend("Query", **goods, **PARTITION).reads == 0.5


def test_a_batch_rounds_each_item_before_it_adds(spend: Spend, put: Put) -> None:
    """1.5 KB and 6.5 KB are read as 4 KB and 8 KB, not as 8 KB together."""
    put(1536, sk="1")
    put(6656, sk="2")
    keys = {"Keys": [item(pk="p", sk="1"), item(pk="p", sk="2")]}
    strong = {"goods": {**keys, "ConsistentRead": True}}
    assert spend("BatchGetItem", RequestItems=strong).reads == 3
    assert spend("BatchGetItem", RequestItems={"goods": keys}).reads == 1.5


@pytest.mark.parametrize(
    ("count", "size", "strongly"),
    [
        (10, 4178, 11),  # 40.8 KB together, read as 44 KB
        (1500, 64, 24),  # 93.75 KB together, read as 96 KB
    ],
)
def test_a_query_adds_its_items_before_it_rounds(
    spend: Spend,
    goods: dict[str, str],
    put: Put,
    count: int,
    size: int,
    strongly: float,
) -> None:
    for number in range(count):
        put(size, sk=f"{number:04}")
    assert spend("Query", **goods, **PARTITION, ConsistentRead=True).reads == strongly
    assert spend("Query", **goods, **PARTITION).reads == strongly / 2


@pytest.mark.parametrize("operation", ["Query", "Scan"])
@pytest.mark.parametrize(
    "members",
    [
        {"FilterExpression": "attribute_exists(absent)"},
        {"ProjectionExpression": "sk"},
        {"Select": "COUNT"},
    ],
    ids=["filtered", "projected", "counted"],
)
def test_what_is_read_is_paid_for_not_what_is_returned(
    spend: Spend,
    goods: dict[str, str],
    put: Put,
    operation: str,
    members: dict[str, Any],
) -> None:
    for number in range(4):
        put(4 * KB, sk=str(number))
    request = {**goods, **(PARTITION if operation == "Query" else {}), **members}
    assert spend(operation, **request).reads == 2


def test_an_index_that_holds_less_is_read_for_less(
    spend: Spend, goods: dict[str, str], put: Put
) -> None:
    """Eight items of 2,000 bytes: their short entries fit into 4 KB, they themselves need 16."""
    for number in range(8):
        put(2000, sk=str(number), group="g")
    thin = spend("Query", **goods, **GROUP, IndexName="keys")
    whole = spend("Query", **goods, **GROUP, IndexName="whole")
    assert (_by_index(thin), _by_index(whole)) == ({"keys": 0.5}, {"whole": 2.0})


def test_a_local_index_that_must_fetch_pays_for_each_item_it_fetches(
    spend: Spend, goods: dict[str, str], put: Put
) -> None:
    """Four small entries are 4 KB together, the four items behind them 4 KB each."""
    for number in range(4):
        put(300, sk=str(number), rank=str(number))
    request = {**goods, **PARTITION, "IndexName": "local"}
    assert spend("Query", **request, Select="ALL_ATTRIBUTES", ConsistentRead=True).reads == 5
    assert spend("Query", **request, ConsistentRead=True).reads == 1


# Writes


@pytest.mark.parametrize(
    ("size", "units"), [(500, 1), (KB, 1), (1638, 2), (2 * KB, 2), (3 * KB, 3)]
)
def test_a_write_is_rounded_up_to_1_kb_and_costs_double_in_a_transaction(
    spend: Spend, goods: dict[str, str], size: int, units: float
) -> None:
    once, twice = (weighing(size, pk="p", sk=sk) for sk in "12")
    assert spend("PutItem", **goods, Item=once).writes == units
    puts = [{"Put": {**goods, "Item": twice}}]
    assert spend("TransactWriteItems", TransactItems=puts).writes == 2 * units


def test_a_batch_of_writes_rounds_each_item_before_it_adds(
    spend: Spend, goods: dict[str, str]
) -> None:
    """500 bytes and 3.5 KB are written as 1 KB and 4 KB, not as 4 KB together."""
    items = [weighing(500, pk="p", sk="1"), weighing(3584, pk="p", sk="2")]
    puts = {goods["TableName"]: [{"PutRequest": {"Item": each}} for each in items]}
    assert spend("BatchWriteItem", RequestItems=puts).writes == 5


def test_a_change_costs_the_larger_of_before_and_after(
    spend: Spend, goods: dict[str, str], put: Put
) -> None:
    put(5 * KB, sk="1")
    small = {"UpdateExpression": "SET n = :n", **given(n=1)}
    assert spend("UpdateItem", **goods, **KEY, **small).writes == 6  # now a little over 5 KB
    assert spend("PutItem", **goods, Item=item(pk="p", sk="1")).writes == 6
    assert spend("DeleteItem", **goods, **KEY).writes == 1


BASE = {"pk": "p", "sk": "1"}


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        ({}, {"group": "g"}, 1),
        ({"group": "g"}, {"group": "h"}, 2),
        ({"group": "g"}, {}, 1),
        ({}, {"note": "n"}, 0),
        ({"group": "g"}, {"group": "g", "note": "n"}, 0),
    ],
    ids=["entry added", "key changed", "entry removed", "never in it", "not held by it"],
)
def test_an_index_of_keys_is_charged_for_the_entries_that_it_adds_and_removes(
    spend: Spend,
    goods: dict[str, str],
    before: dict[str, str],
    after: dict[str, str],
    units: float,
) -> None:
    spend("PutItem", **goods, Item=item(BASE, **before))
    changed = spend("PutItem", **goods, Item=item(BASE, **after))
    assert _by_index(changed).get("keys", 0) == units


def test_an_index_is_charged_once_for_an_attribute_that_it_holds(
    spend: Spend, goods: dict[str, str]
) -> None:
    spend("PutItem", **goods, Item=item(BASE, group="g"))
    changed = spend("PutItem", **goods, Item=item(BASE, group="g", note="n"))
    assert _by_index(changed) == {None: 1, "whole": 1}


def test_a_transaction_doubles_the_table_and_not_its_indexes(
    spend: Spend, goods: dict[str, str]
) -> None:
    puts = [{"Put": {**goods, "Item": item(BASE, group="g")}}]
    cost = spend("TransactWriteItems", TransactItems=puts)
    assert _by_index(cost) == {None: 2, "keys": 1, "whole": 1}


# The table of the shops


CRAWLED = ("domain", "last_crawled_start", "last_crawled_end")
SCRAPED = ("domain", "last_scraped_start", "last_scraped_end", "last_crawled_end")
SHOP = item(
    pk="SHOP#example.com",
    sk="META#",
    domain="example.com",
    core_domain_name="example",
    shop_name="Example Shop",
    shop_country="COUNTRY#DE",
    gsi2_pk="COUNTRY#DE",
    gsi2_sk="NEVER#",
    gsi3_pk="COUNTRY#DE",
    gsi3_sk="NEVER#",
    gsi4_pk="example",
    gsi4_sk="example.com",
)


@pytest.fixture
def shops(engine: Engine) -> dict[str, str]:
    request = table_request(
        "pk:S sk:S",
        gsi=[
            Index("GSI1", "gsi1_pk:S gsi1_sk:S"),
            Index("GSI2", "gsi2_pk:S gsi2_sk:S", CRAWLED),
            Index("GSI3", "gsi3_pk:S gsi3_sk:S", SCRAPED),
            Index("GSI4", "gsi4_pk:S gsi4_sk:S", "KEYS_ONLY"),
        ],
    )
    engine.execute("CreateTable", {"TableName": "shops", **request})
    engine.execute("PutItem", {"TableName": "shops", "Item": SHOP})
    return {"TableName": "shops"}


def _move(state: str, stamp: str, at: str) -> dict[str, Any]:
    return {
        "Key": {name: SHOP[name] for name in ("pk", "sk")},
        "UpdateExpression": f"SET gsi2_sk = :state, {stamp} = :at",
        **given(state=f"{state}#{at}", at=at),
    }


def test_a_crawl_of_a_shop_costs_seven_write_units_where_two_writes_are_seen(
    spend: Spend, shops: dict[str, str]
) -> None:
    """Each state is a key of GSI2: out with the old entry, in with the new. GSI3 holds the end."""
    started = _move("PROGRESS", "last_crawled_start", "2026-01-15T10:00:00Z")
    finished = _move("DONE", "last_crawled_end", "2026-01-15T12:00:00Z")
    start = spend("UpdateItem", **shops, **started)
    finish = spend("UpdateItem", **shops, **finished)
    assert _by_index(start) == {None: 1, "GSI2": 2}
    assert _by_index(finish) == {None: 1, "GSI2": 2, "GSI3": 1}
    assert (start + finish).writes == 7
    assert _by_index(start + finish) == {None: 2, "GSI2": 4, "GSI3": 1}
