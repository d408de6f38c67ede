"""Transactions: a list of writes, all or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

from gotgan.errors import StoreError, TransactionFailed, UsageError
from gotgan.store.calls import Calls
from gotgan.store.costs import Cost
from gotgan.store.engine.faults import TransactionCanceledException, fault_of
from gotgan.store.writes import Write
from gotgan.store.writing import item_behind, loaded

__all__ = ["Committed", "Reason", "transact"]

_MOST: Final = 100
_FAULTS: Final = {
    "ItemCollectionSizeLimitExceeded": "ItemCollectionSizeLimitExceededException",
    "ProvisionedThroughputExceeded": "ProvisionedThroughputExceededException",
    "ThrottlingError": "ThrottlingException",
    "TransactionConflict": "TransactionConflictException",
    "ValidationError": "ValidationException",
}
"""What AWS calls in a reason that it calls otherwise in an answer."""


@dataclass(frozen=True)
class Committed:
    """A transaction that was carried out."""

    cost: Cost


@dataclass(frozen=True)
class Reason:
    """Why one write of a transaction was refused."""

    write: Write[Any]
    code: str
    """AWS's: ConditionalCheckFailed, TransactionConflict, ValidationError, …"""
    error: StoreError
    """What the write would have raised on its own."""
    current: Any
    """The item as it is, where a condition did not hold."""


def transact(calls: Calls, writes: Sequence[Write[Any]]) -> Committed:
    """Carry out all writes, or none of them."""
    wanted = [write for write in writes if not write.is_empty]
    _refuse_impossible(wanted)
    if not wanted:
        return Committed(Cost())
    request = {
        "TransactItems": [_action(calls, write) for write in wanted],
        # With a token the whole can be sent again when the answer was lost.
        "ClientRequestToken": str(uuid4()),
    }
    try:
        _, cost = calls.send("transact", "TransactWriteItems", request)
    except TransactionCanceledException as fault:
        raise _failure(calls, wanted, fault) from None
    return Committed(cost)


def _refuse_impossible(writes: Sequence[Write[Any]]) -> None:
    if len(writes) > _MOST:
        raise UsageError(f"a transaction takes {_MOST} writes, and these are {len(writes)}")
    twice = [ref for ref, times in Counter(write.ref for write in writes).items() if times > 1]
    if twice:
        raise UsageError(f"a transaction writes an item once, and this one {twice[0]} twice")


def _action(calls: Calls, write: Write[Any]) -> dict[str, Any]:
    action = {"TableName": calls.names.of(write.ref.table), **write.body}
    if "ConditionExpression" in write.body:
        action["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    # An update that changes nothing still asks for something; a transaction wants that as a check.
    is_check = write.action == "Update" and "UpdateExpression" not in write.body
    return {"ConditionCheck" if is_check else write.action: action}


def _failure(
    calls: Calls, writes: Sequence[Write[Any]], fault: TransactionCanceledException
) -> StoreError:
    told = fault.members.get("CancellationReasons", [])
    reasons = tuple(
        _reason(calls, write, reason)
        for write, reason in zip(writes, told, strict=False)
        if reason.get("Code", "None") != "None"
    )
    if not reasons:
        return fault
    first = reasons[0].error.message
    more = f", and {len(reasons) - 1} more" if len(reasons) > 1 else ""
    return TransactionFailed(f"nothing was written: {first}{more}", reasons)


def _reason(calls: Calls, write: Write[Any], told: dict[str, Any]) -> Reason:
    code = told["Code"]
    if code != "ConditionalCheckFailed":
        told_so = f"{write.ref}: {told.get('Message') or code}"
        return Reason(write, code, fault_of(_FAULTS.get(code, code), told_so), None)
    item, _ = item_behind(calls, write, told)
    current = loaded(write, item)
    return Reason(write, code, write.refusal(current), current)
