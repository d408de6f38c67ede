"""The units that a page promises are those that a database charges."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.store.attributes import Item
from gotgan.store.engine import Engine
from gotgan.store.outputs.definition import create_request
from gotgan.store.outputs.descriptions import example_item, item_units
from gotgan.store.tables import Table

from .blog import BLOG, EVENTS, Category, Event, Post


def _charged(table: Table, item: Item) -> tuple[dict[str, Any], float, float]:
    """What an engine charges for a put, a read, and a consistent read."""
    detail = {"TableName": table.name, "ReturnConsumedCapacity": "INDEXES"}
    key = {"Key": {key.name: item[key.name] for key in table.keys}}
    with Engine(None) as engine:
        engine.execute("CreateTable", create_request(table))
        put = engine.execute("PutItem", {**detail, "Item": item})["ConsumedCapacity"]
        read, consistent = (
            engine.execute("GetItem", {**detail, **key, "ConsistentRead": consistent})
            for consistent in (False, True)
        )
    return put, *(each["ConsumedCapacity"]["CapacityUnits"] for each in (read, consistent))


def _wide(item: Item, size: int) -> Item:
    return {**item, "title": {"S": "x" * size}}


@pytest.mark.parametrize("size", [1, 1_000, 4_000, 9_000])
@pytest.mark.parametrize("entity", [Category, Post, Event])
def test_units_are_those_of_the_engine(entity: Any, size: int) -> None:
    table = EVENTS if entity is Event else BLOG
    example = example_item(entity)
    assert example is not None
    item = _wide(example, size)
    units, (put, read, consistent) = item_units(table, item), _charged(table, item)
    assert units.all_writes == put["CapacityUnits"]
    assert units.write == put["Table"]["CapacityUnits"]
    charged = {n: c["CapacityUnits"] for n, c in put.get("GlobalSecondaryIndexes", {}).items()}
    assert units.index_writes == charged
    assert (units.read, units.consistent_read) == (read, consistent)


def test_an_item_that_is_not_in_an_index_costs_nothing_there() -> None:
    example = example_item(Post)
    assert example is not None
    without = {name: value for name, value in example.items() if name != "authorId"}
    assert set(item_units(BLOG, without).index_writes) == {"Type_CreatedAt", "ByPrice"}
