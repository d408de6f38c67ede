"""Writes carried out: one by one, with what came of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, cast

from gotgan.errors import BadItem, ConditionFailed, KeyCollision, StoreError
from gotgan.store.attributes import Item
from gotgan.store.calls import Calls
from gotgan.store.costs import Cost
from gotgan.store.engine.faults import ConditionalCheckFailedException
from gotgan.store.entities import Entity
from gotgan.store.schema import schema_of
from gotgan.store.writes import Write

__all__ = [
    "PutNew",
    "Refused",
    "Removed",
    "Written",
    "carry_out",
    "change",
    "collides",
    "insert",
    "item_behind",
    "loaded",
    "remove",
]

_COMINGS_AND_GOINGS: Final = 10

T = TypeVar("T")
E = TypeVar("E", bound=Entity)


@dataclass(frozen=True)
class Written(Generic[T]):
    """An item that was written, as it is now."""

    item: T
    cost: Cost


@dataclass(frozen=True)
class PutNew(Generic[T]):
    """What became of an item that was to be written only if it is new."""

    new: bool
    item: T
    """The item as it is stored: this one, or the first one."""
    cost: Cost


@dataclass(frozen=True)
class Removed:
    """An item that is gone."""

    existed: bool
    cost: Cost


class Refused(Exception):
    """The condition of a write did not hold; carries the item as it is."""

    def __init__(self, item: Item | None, cost: Cost, *, maybe_done: bool) -> None:
        super().__init__()
        self.item, self.cost = item, cost
        self.maybe_done = maybe_done


def carry_out(calls: Calls, write: Write[Any]) -> tuple[Item, Cost]:
    """Carry out one write; give the item that the answer has in it, and the cost."""
    try:
        return _attempt(calls, write)
    except Refused as refused:
        refusal = _refusal(write, refused.item)
        refusal.maybe_done = refused.maybe_done
        raise refusal from None


def change(calls: Calls, instance: E | None, write: Write[E]) -> Written[E]:
    """Carry out a put or an update; an empty one of something that was read changes nothing."""
    if write.is_empty and instance is not None:
        return Written(instance, Cost())
    item, cost = carry_out(calls, write)
    return Written(schema_of(write.ref.entity).load(write.item or item), cost)


def insert(calls: Calls, instance: E, write: Write[E]) -> PutNew[E]:
    """Write an item if it is new; a different thing under the same key is a collision."""
    spent = Cost()
    for _ in range(_COMINGS_AND_GOINGS):
        try:
            _, cost = _attempt(calls, write)
        except Refused as refused:
            spent += refused.cost
            stored = loaded(write, refused.item)
            if stored is None:  # removed in the meantime: this one can be the first again
                continue
            if collision := collides(instance, stored):
                raise collision from None
            return PutNew(new=False, item=stored, cost=spent)
        return PutNew(new=True, item=instance, cost=spent + cost)
    raise ConditionFailed(f"{write.ref} was refused again and again, and is not there; try again")


def remove(calls: Calls, write: Write[Any]) -> Removed:
    """Remove an item."""
    item, cost = carry_out(calls, write)
    return Removed(existed=bool(item), cost=cost)


def collides(given: Entity, stored: Entity | None) -> KeyCollision | None:
    """The error, if what is stored under the same key is another thing."""
    for name in schema_of(type(given)).identity:
        mine, theirs = getattr(given, name), getattr(stored, name, None)
        if stored is not None and mine != theirs:
            return KeyCollision(
                f"{given.key} is the key of {name} {theirs!r} already, and now of {mine!r} too; "
                "the first one is kept, and this one needs another key"
            )
    return None


def _refusal(write: Write[Any], item: Item | None) -> StoreError:
    try:
        current = loaded(write, item)
    except BadItem as misfit:
        return ConditionFailed(f"{write.ref} was not written, and {misfit.message}")
    return write.refusal(current)


def loaded(write: Write[T], item: Item | None) -> T | None:
    """The entity that a refused write found."""
    return None if not item else cast("T", schema_of(write.ref.entity).load(item))


def item_behind(
    calls: Calls, write: Write[Any], told: Mapping[str, Any]
) -> tuple[Item | None, Cost]:
    """The item that kept a write from being done, and what it cost to look at it.

    DynamoDB tells it with the refusal, and nothing where there is none; others never tell, and the
    two would look alike.
    """
    if told.get("Item"):
        return told["Item"], Cost()
    table, key = calls.names.of(write.ref.table), write.ref.item
    request = {"TableName": table, "Key": key, "ConsistentRead": True}
    answer, cost = calls.send(write.verb, "GetItem", request)
    return answer.get("Item"), cost


def _attempt(calls: Calls, write: Write[Any]) -> tuple[Item, Cost]:
    table = calls.names.of(write.ref.table)
    request = {"TableName": table, **write.body, "ReturnValues": _RETURNS[write.action]}
    if "ConditionExpression" in write.body:
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    operation = f"{write.action}Item"
    try:
        answer, cost = calls.send(write.verb, operation, request, repeatable=write.repeatable)
    except ConditionalCheckFailedException as fault:
        there, looked = item_behind(calls, write, fault.members)
        cost = looked + calls.book_failed_write(write.verb, table, there, write.item)
        if fault.maybe_done and not write.is_contested and write.is_done(there):
            return there or {}, cost  # the answer to our first attempt was lost: this is ours
        raise Refused(there, cost, maybe_done=fault.maybe_done) from fault
    return answer.get("Attributes", {}), cost


_RETURNS = {"Put": "NONE", "Update": "ALL_NEW", "Delete": "ALL_OLD"}
