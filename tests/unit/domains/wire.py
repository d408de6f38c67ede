"""Documents as JSON against items as DynamoDB keeps them."""

from __future__ import annotations

from typing import Any

from gotgan.store import Query, Store
from gotgan.store.attributes import decode_item
from gotgan.store.patterns import PatternRead
from gotgan.store.queries import SortCondition
from gotgan.store.schema import schema_of

__all__ = ["asked", "condition", "stored", "stored_alone"]


def stored(store: Store, instance: Any) -> dict[str, Any]:
    """What the database holds after an instance was put and read back, as JSON would show it."""
    store.put_new(instance)
    found = store.get(instance.key)
    assert found == instance
    return decode_item(found.origin.item)


def stored_alone(instance: Any) -> dict[str, Any]:
    """What an instance would be stored as."""
    return decode_item(schema_of(type(instance)).item(instance))


def condition(read: PatternRead) -> str:
    """The key condition of a traced read, as the documents write it."""
    place = read.table if read.index is None else read.index
    partition = f'{place.pk.name} = "{read.pk}"'
    return f"{partition} AND {read.sort}" if read.sort else partition


def asked(query: Query[Any]) -> list[tuple[str | None, Any, SortCondition | None]]:
    """For each leg of a query: the index, the partition, and the condition on the sort key."""
    return [(None if leg.index is None else leg.index.name, leg.pk, leg.sort) for leg in query.legs]
