"""Executes writes: one by one with their results, or all or none in a transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, cast
from uuid import uuid4

from gotgan import errors
from gotgan.store import messages
from gotgan.store.attributes import Item
from gotgan.store.calls import Calls
from gotgan.store.costs import Cost
from gotgan.store.engine import faults
from gotgan.store.entities import Entity
from gotgan.store.schema import schema_of
from gotgan.store.writes import Write

_MAX_ATTEMPTS: Final = 10

T = TypeVar("T")
E = TypeVar("E", bound=Entity)


@dataclass(frozen=True)
class WriteResult(Generic[T]):
    """An item that was written, as it is now."""

    item: T
    cost: Cost


@dataclass(frozen=True)
class PutNew(Generic[T]):
    """The outcome of a put-if-absent."""

    new: bool
    item: T
    """The item as it is stored: this one, or the first one."""
    cost: Cost


@dataclass(frozen=True)
class DeleteResult:
    """An item that is gone."""

    existed: bool
    cost: Cost


class _WriteRefused(Exception):
    """The condition of a write did not hold; carries the item as it is."""

    def __init__(self, item: Item | None, cost: Cost, *, maybe_done: bool) -> None:
        super().__init__()
        self.item, self.cost = item, cost
        self.maybe_done = maybe_done


def execute(calls: Calls, write: Write[Any]) -> tuple[Item, Cost]:
    """Carry out one write; give the item that the answer has in it, and the cost."""
    try:
        return _attempt(calls, write)
    except _WriteRefused as refused:
        refusal: errors.StoreError
        try:
            current = load_entity(write, refused.item)
        except errors.BadItem as misfit:
            refusal = errors.ConditionFailed(
                messages.NOT_WRITTEN(key=write.ref, cause=misfit.message)
            )
        else:
            refusal = write.refusal(current)
        refusal.maybe_done = refused.maybe_done
        raise refusal from None


def change(calls: Calls, instance: E | None, write: Write[E]) -> WriteResult[E]:
    """Carry out a put or an update; an empty one of something that was read changes nothing."""
    if write.is_empty and instance is not None:
        return WriteResult(instance, Cost())
    item, cost = execute(calls, write)
    return WriteResult(schema_of(write.ref.entity).load(write.item or item), cost)


def insert(calls: Calls, instance: E, write: Write[E]) -> PutNew[E]:
    """Write an item if it is new; a different thing under the same key is a collision."""
    spent = Cost()
    for _ in range(_MAX_ATTEMPTS):
        try:
            _, cost = _attempt(calls, write)
        except _WriteRefused as refused:
            spent += refused.cost
            stored = load_entity(write, refused.item)
            if stored is None:  # removed in the meantime: this one can be the first again
                continue
            if collision := key_collision(instance, stored):
                raise collision from None
            return PutNew(new=False, item=stored, cost=spent)
        return PutNew(new=True, item=instance, cost=spent + cost)
    raise errors.ConditionFailed(messages.KEEPS_CHANGING(key=write.ref))


def remove(calls: Calls, write: Write[Any]) -> DeleteResult:
    """Remove an item."""
    item, cost = execute(calls, write)
    return DeleteResult(existed=bool(item), cost=cost)


def key_collision(given: Entity, stored: Entity | None) -> errors.KeyCollision | None:
    """The error, if what is stored under the same key is another thing."""
    for name in schema_of(type(given)).identity:
        mine, theirs = getattr(given, name), getattr(stored, name, None)
        if stored is not None and mine != theirs:
            return errors.KeyCollision(
                messages.KEY_TAKEN(key=given.key, field=name, theirs=repr(theirs), mine=repr(mine))
            )
    return None


def load_entity(write: Write[T], item: Item | None) -> T | None:
    """The entity that a refused write found."""
    return None if not item else cast("T", schema_of(write.ref.entity).load(item))


def blocking_item(
    calls: Calls, write: Write[Any], refusal: Mapping[str, Any]
) -> tuple[Item | None, Cost]:
    """The item that a write was refused for, and what it cost to read where it was not sent."""
    if refusal.get("Item"):
        return refusal["Item"], Cost()
    table, key = calls.names.of(write.ref.table), write.ref.item
    request = {"TableName": table, "Key": key, "ConsistentRead": True}
    answer, cost = calls.send(write.verb, "GetItem", request)
    return answer.get("Item"), cost


def _attempt(calls: Calls, write: Write[Any]) -> tuple[Item, Cost]:
    table = calls.names.of(write.ref.table)
    request = {"TableName": table, **write.body, "ReturnValues": _RETURN_VALUES[write.action]}
    if "ConditionExpression" in write.body:
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    operation = f"{write.action}Item"
    try:
        answer, cost = calls.send(write.verb, operation, request, repeatable=write.repeatable)
    except faults.ConditionalCheckFailedException as fault:
        there, looked = blocking_item(calls, write, fault.members)
        cost = looked + calls.book_failed_write(write.verb, table, there, write.item)
        if fault.maybe_done and not write.is_contested and write.is_done(there):
            return there or {}, cost  # the answer to our first attempt was lost: this is ours
        raise _WriteRefused(there, cost, maybe_done=fault.maybe_done) from fault
    return answer.get("Attributes", {}), cost


_RETURN_VALUES = {"Put": "NONE", "Update": "ALL_NEW", "Delete": "ALL_OLD"}


_MAX_WRITES: Final = 100
_FAULT_CODES: Final = {
    "ItemCollectionSizeLimitExceeded": "ItemCollectionSizeLimitExceededException",
    "ProvisionedThroughputExceeded": "ProvisionedThroughputExceededException",
    "ThrottlingError": "ThrottlingException",
    "TransactionConflict": "TransactionConflictException",
    "ValidationError": "ValidationException",
}
"""What AWS calls in a reason that it calls otherwise in an answer."""


@dataclass(frozen=True)
class TransactionResult:
    """A transaction that was carried out."""

    cost: Cost


@dataclass(frozen=True)
class CancellationReason:
    """Why one write of a transaction was refused."""

    write: Write[Any]
    code: str
    """AWS's: ConditionalCheckFailed, TransactionConflict, ValidationError, …"""
    error: errors.StoreError
    """What the write would have raised on its own."""
    current: Any
    """The item as it is, where a condition did not hold."""


def transact(calls: Calls, writes: Sequence[Write[Any]]) -> TransactionResult:
    """Carry out all writes, or none of them."""
    wanted = [write for write in writes if not write.is_empty]
    if len(wanted) > _MAX_WRITES:
        raise errors.UsageError(
            f"a transaction takes {_MAX_WRITES} writes, and these are {len(wanted)}"
        )
    for ref, times in Counter(write.ref for write in wanted).items():
        if times > 1:
            raise errors.UsageError(f"a transaction writes an item once, and this one {ref} twice")
    if not wanted:
        return TransactionResult(Cost())
    request = {
        "TransactItems": [_action(calls, write) for write in wanted],
        # With a token the whole can be sent again when the answer was lost.
        "ClientRequestToken": str(uuid4()),
    }
    try:
        _, cost = calls.send("transact", "TransactWriteItems", request)
    except faults.TransactionCanceledException as fault:
        raise _failure(calls, wanted, fault) from None
    return TransactionResult(cost)


def _action(calls: Calls, write: Write[Any]) -> dict[str, Any]:
    action = {"TableName": calls.names.of(write.ref.table), **write.body}
    if "ConditionExpression" in write.body:
        action["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    # An update that changes nothing still asks for something; a transaction wants that as a check.
    is_check = write.action == "Update" and "UpdateExpression" not in write.body
    return {"ConditionCheck" if is_check else write.action: action}


def _failure(
    calls: Calls, writes: Sequence[Write[Any]], fault: faults.TransactionCanceledException
) -> errors.StoreError:
    refusals = fault.members.get("CancellationReasons", [])
    reasons = tuple(
        _reason(calls, write, refusal)
        for write, refusal in zip(writes, refusals, strict=False)
        if refusal.get("Code", "None") != "None"
    )
    if not reasons:
        return fault
    first = reasons[0].error.message
    message = messages.TRANSACTION_FAILED(cause=first)
    if len(reasons) > 1:
        message = messages.TRANSACTION_FAILED_MORE(cause=first, count=len(reasons) - 1)
    return errors.TransactionFailed(message, reasons)


def _reason(calls: Calls, write: Write[Any], refusal: dict[str, Any]) -> CancellationReason:
    code = refusal["Code"]
    if code != "ConditionalCheckFailed":
        text = f"{write.ref}: {refusal.get('Message') or code}"
        return CancellationReason(
            write, code, faults.fault_for_code(_FAULT_CODES.get(code, code), text), None
        )
    item, _ = blocking_item(calls, write, refusal)
    current = load_entity(write, item)
    return CancellationReason(write, code, write.refusal(current), current)
