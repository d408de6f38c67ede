"""TransactGetItems and TransactWriteItems: up to 100 items of several tables, all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from gotgan.store.engine import tokens
from gotgan.store.engine.capacity import ConsumedCapacity, bills_of, read_units, report
from gotgan.store.engine.clauses import Clauses, read_clauses
from gotgan.store.engine.context import Context
from gotgan.store.engine.faults import (
    ConditionalCheckFailedException,
    DynamoDBError,
    KeyMismatch,
    TransactionCanceledException,
    ValidationException,
)
from gotgan.store.engine.item_collections import metrics_by_table
from gotgan.store.engine.items import plan_check, plan_delete, plan_put, plan_update
from gotgan.store.engine.keys import EncodedKey, key_of_request
from gotgan.store.engine.requests import (
    capacity_detail,
    check_length,
    required,
    wants_collection_sizes,
)
from gotgan.store.engine.rows import find
from gotgan.store.engine.tables import EngineTable
from gotgan.store.engine.values import size_of_item
from gotgan.store.engine.writes import Effect, EngineWrite, Modify, Put, decide, store

__all__ = ["transact_get_items", "transact_write_items"]

T = TypeVar("T")

MOST_ACTIONS = 100
MOST_BYTES = 4 << 20
MOST_TOKEN = 36
# Transactions cost every unit twice: once to prepare, once to commit.
TWICE = 2

_PLANS: dict[str, Callable[[EngineTable, Mapping[str, Any]], EngineWrite]] = {
    "ConditionCheck": plan_check,
    "Delete": plan_delete,
    "Put": plan_put,
    "Update": plan_update,
}


def transact_write_items(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Write all, or none and say why."""
    priced = capacity_detail(request) != "NONE"
    sizes = wants_collection_sizes(request)
    token = _token(request)
    writes = _plan_all(_entries(request), lambda entry: _plan_write(context, entry))
    _refuse_repeats([(write.table.number, write.key) for write in writes])
    _check_total(map(_payload, writes))

    def work(connection: sqlite3.Connection) -> tuple[bool, list[Effect], dict[str, Any]]:
        if token is not None and tokens.seen(connection, token, writes, _now(context)):
            return True, [_looked_at(connection, write) for write in writes], {}
        effects = _decide_all(connection, writes)
        for effect in effects:
            store(connection, effect)
        if token is not None:
            tokens.remember(connection, token, writes, _now(context))
        return False, effects, metrics_by_table(connection, writes) if sizes else {}

    repeated, effects, metrics = context.database.write(work)
    answer: dict[str, Any] = {}
    if priced:
        answer["ConsumedCapacity"] = report(request, _bills(effects, repeated=repeated))
    if metrics:
        answer["ItemCollectionMetrics"] = metrics
    return answer


def transact_get_items(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read several items as they were at one moment."""
    priced = capacity_detail(request) != "NONE"
    gets = _plan_all(_entries(request), lambda entry: _plan_get(context, entry))
    _refuse_repeats([(table.number, key) for table, key, _ in gets])
    rows = context.database.snapshot(
        lambda connection: [
            connection.execute(table.get_sql, key).fetchone() for table, key, _ in gets
        ],
    )
    _check_total(row[1] for row in rows if row is not None)
    answer: dict[str, Any] = {
        "Responses": [
            _response(context, clauses, row) for (*_, clauses), row in zip(gets, rows, strict=True)
        ],
    }
    if priced:
        sizes = [(table, row[1] if row else 0) for (table, *_), row in zip(gets, rows, strict=True)]
        answer["ConsumedCapacity"] = report(request, _bills_of_reads(sizes))
    return answer


def _response(context: Context, clauses: Clauses, row: Any) -> dict[str, Any]:
    """Return one answer; unlike GetItem's, it has no Item when a projection leaves nothing."""
    shown = None if row is None else context.shown(clauses, row[0])
    return {"Item": shown} if shown else {}


def _entries(request: dict[str, Any]) -> Sequence[Mapping[str, Any]]:
    entries: Sequence[Mapping[str, Any]] = required(request, "TransactItems")
    check_length("transactItems", entries, 1, MOST_ACTIONS)
    return entries


def _plan_write(context: Context, entry: Mapping[str, Any]) -> EngineWrite:
    actions = [name for name in _PLANS if entry.get(name) is not None]
    if len(actions) != 1:
        raise ValidationException(
            "TransactItems can only contain one of Check, Put, Update or Delete",
        )
    action = entry[actions[0]]
    return _PLANS[actions[0]](context.table(action), action)


def _plan_get(
    context: Context, entry: Mapping[str, Any]
) -> tuple[EngineTable, EncodedKey, Clauses]:
    get = required(entry, "Get")
    clauses = read_clauses(get, "ProjectionExpression")
    table = context.table(get)
    _, key = key_of_request(table.key, required(get, "Key"))
    return table, key, clauses


def _plan_all(entries: Sequence[Mapping[str, Any]], plan: Callable[[Any], T]) -> list[T]:
    """Plan every action; the first item that does not fit its table cancels, as on AWS."""
    planned: list[T] = []
    for number, entry in enumerate(entries):
        try:
            planned.append(plan(entry))
        except KeyMismatch as fault:
            raise _cancelled(len(entries), {number: fault}) from fault
    return planned


def _decide_all(connection: sqlite3.Connection, writes: list[EngineWrite]) -> list[Effect]:
    """Decide every action; all that fail are told together."""
    effects: list[Effect] = []
    faults: dict[int, DynamoDBError] = {}
    for number, write in enumerate(writes):
        try:
            effects.append(decide(connection, write))
        except DynamoDBError as fault:
            faults[number] = fault
    if faults:
        raise _cancelled(len(writes), faults)
    return effects


def _cancelled(count: int, faults: Mapping[int, DynamoDBError]) -> TransactionCanceledException:
    reasons = [_reason(faults.get(number)) for number in range(count)]
    codes = ", ".join(reason["Code"] for reason in reasons)
    return TransactionCanceledException(
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]",
        CancellationReasons=reasons,
    )


def _reason(fault: DynamoDBError | None) -> dict[str, Any]:
    if fault is None:
        return {"Code": "None"}
    if isinstance(fault, ConditionalCheckFailedException):
        return {"Code": "ConditionalCheckFailed", "Message": fault.message, **fault.members}
    return {"Code": "ValidationError", "Message": fault.message}


def _refuse_repeats(keys: list[tuple[int, EncodedKey]]) -> None:
    if len(set(keys)) < len(keys):
        raise ValidationException(
            "Transaction request cannot include multiple operations on one item",
        )


def _check_total(sizes: Iterable[int]) -> None:
    """Refuse what carries too much: of a write, what the request brings, not the items there."""
    if sum(sizes) > MOST_BYTES:
        raise ValidationException(f"Transaction payload size cannot exceed {MOST_BYTES} bytes")


def _payload(write: EngineWrite) -> int:
    match write.change:
        case Put(row):
            return row.size
        case Modify(values=values):
            return size_of_item(write.key_item) + size_of_item(values)
        case _:
            return size_of_item(write.key_item)


def _looked_at(connection: sqlite3.Connection, write: EngineWrite) -> Effect:
    return Effect(write, find(connection, write.table, write.key), None)


def _bills(effects: list[Effect], *, repeated: bool) -> list[ConsumedCapacity]:
    """Bill the writes, or the reads that found out that they were carried out before."""
    if not repeated:
        return bills_of(effects, TWICE, "Write")
    return _bills_of_reads(
        (effect.write.table, effect.before.size if effect.before else 0) for effect in effects
    )


def _bills_of_reads(sizes: Iterable[tuple[EngineTable, int]]) -> list[ConsumedCapacity]:
    bills: dict[int, ConsumedCapacity] = {}
    for table, size in sizes:
        bill = bills.setdefault(table.number, ConsumedCapacity(table, kind="Read"))
        bill.charge_read(TWICE * read_units(size, consistent=True))
    return list(bills.values())


def _token(request: dict[str, Any]) -> str | None:
    token: str | None = request.get("ClientRequestToken")
    if token is not None:
        check_length("clientRequestToken", token, 1, MOST_TOKEN)
    return token


def _now(context: Context) -> float:
    return context.clock.now().timestamp()
