"""TransactGetItems and TransactWriteItems: up to 100 items of several tables, all or nothing."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import orjson

from gotgan.store.engine import codec
from gotgan.store.engine.capacity import Bill, read_units, report
from gotgan.store.engine.clauses import Clauses, read_clauses
from gotgan.store.engine.context import Context
from gotgan.store.engine.expressions import project
from gotgan.store.engine.faults import (
    ConditionalCheckFailedException,
    DynamoDBError,
    IdempotentParameterMismatchException,
    KeyMismatch,
    TransactionCanceledException,
    ValidationException,
)
from gotgan.store.engine.item_collections import collection_metrics
from gotgan.store.engine.items import plan_check, plan_delete, plan_put, plan_update
from gotgan.store.engine.keys import Key, key_of_request
from gotgan.store.engine.requests import capacity_detail, choice, constraint, required
from gotgan.store.engine.rows import find
from gotgan.store.engine.tables import Table
from gotgan.store.engine.values import size_of_item
from gotgan.store.engine.writes import Effect, Modify, Put, Write, decide, store

__all__ = ["transact_get_items", "transact_write_items"]

T = TypeVar("T")

MOST_ACTIONS = 100
MOST_BYTES = 4 << 20
MOST_TOKEN = 36
TOKEN_SECONDS = 600
# Transactions cost every unit twice: once to prepare, once to commit.
TWICE = 2

_PLANS: dict[str, Callable[[Table, Mapping[str, Any]], Write]] = {
    "ConditionCheck": plan_check,
    "Delete": plan_delete,
    "Put": plan_put,
    "Update": plan_update,
}


def transact_write_items(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Write all, or none and say why."""
    detail = capacity_detail(request)
    sizes = choice(request, "ReturnItemCollectionMetrics", ("SIZE", "NONE")) == "SIZE"
    token = _token(request)
    writes = _plan_all(_entries(request), lambda entry: _plan_write(context, entry))
    _refuse_repeats([(write.table.number, write.key) for write in writes])
    _check_payload(writes)
    answer: dict[str, Any] = {}

    def work(connection: sqlite3.Connection) -> None:
        repeated = token is not None and _seen_before(context, connection, token, request)
        effects = _decide_all(connection, writes, repeated=repeated)
        if not repeated:
            for effect in effects:
                store(connection, effect)
            if token is not None:
                _remember(context, connection, token, request)
        if sizes:
            answer["ItemCollectionMetrics"] = _metrics(connection, writes)
        if detail != "NONE":
            answer["ConsumedCapacity"] = report(request, _bills(effects, repeated=repeated))

    context.database.write(work)
    return answer


def transact_get_items(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read several items as they were at one moment."""
    capacity_detail(request)
    gets = _plan_all(_entries(request), lambda entry: _plan_get(context, entry))
    _refuse_repeats([(table.number, key) for table, key, _ in gets])
    bills: dict[int, Bill] = {}

    def work(connection: sqlite3.Connection) -> list[dict[str, Any]]:
        responses = []
        for table, key, clauses in gets:
            row = connection.execute(table.get_sql, key).fetchone()
            bill = bills.setdefault(table.number, Bill(table, kind="Read"))
            bill.charge_read(TWICE * read_units(row[1] if row else 0, consistent=True))
            responses.append(_response(context, clauses, row))
        return responses

    answer: dict[str, Any] = {"Responses": context.database.snapshot(work)}
    charged = report(request, bills.values())
    if charged:
        answer["ConsumedCapacity"] = charged
    return answer


def _response(context: Context, clauses: Clauses, row: Any) -> dict[str, Any]:
    if row is None:
        return {}
    if clauses.projection is None:
        return {"Item": context.load(row[0])}
    shown = project(clauses.projection, codec.load(row[0]))
    return {"Item": shown} if shown else {}


def _entries(request: dict[str, Any]) -> Sequence[Mapping[str, Any]]:
    entries: Sequence[Mapping[str, Any]] = required(request, "TransactItems")
    if not entries:
        rule = "Member must have length greater than or equal to 1"
        raise constraint("transactItems", "[]", rule)
    if len(entries) > MOST_ACTIONS:
        rule = f"Member must have length less than or equal to {MOST_ACTIONS}"
        raise constraint("transactItems", "[...]", rule)
    return entries


def _plan_write(context: Context, entry: Mapping[str, Any]) -> Write:
    actions = [name for name in _PLANS if entry.get(name) is not None]
    if len(actions) != 1:
        raise ValidationException(
            "TransactItems can only contain one of Check, Put, Update or Delete",
        )
    action = entry[actions[0]]
    return _PLANS[actions[0]](context.table(action), action)


def _plan_get(context: Context, entry: Mapping[str, Any]) -> tuple[Table, Key, Clauses]:
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


def _decide_all(
    connection: sqlite3.Connection,
    writes: list[Write],
    *,
    repeated: bool,
) -> list[Effect]:
    """Decide every action; all that fail are told together."""
    if repeated:
        return [Effect(write, find(connection, write.table, write.key), None) for write in writes]
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


def _refuse_repeats(keys: list[tuple[int, Key]]) -> None:
    if len(set(keys)) < len(keys):
        raise ValidationException(
            "Transaction request cannot include multiple operations on one item",
        )


def _check_payload(writes: list[Write]) -> None:
    """Refuse a request that carries too much; how large the items are that it is about is free."""
    if sum(map(_payload, writes)) > MOST_BYTES:
        raise ValidationException(f"Transaction payload size cannot exceed {MOST_BYTES} bytes")


def _payload(write: Write) -> int:
    match write.change:
        case Put(row):
            return row.size
        case Modify(values=values):
            return size_of_item(write.key_item) + size_of_item(values)
        case _:
            return size_of_item(write.key_item)


def _bills(effects: list[Effect], *, repeated: bool) -> list[Bill]:
    """Bill the writes, or, for a repeated token, the reads that found it out."""
    bills: dict[int, Bill] = {}
    for effect in effects:
        table = effect.write.table
        bill = bills.setdefault(table.number, Bill(table, kind="Read" if repeated else "Write"))
        if repeated:
            size = 0 if effect.before is None else effect.before.size
            bill.charge_read(TWICE * read_units(size, consistent=True))
        elif effect.write.change == "check":
            bill.charge_check(effect, TWICE)
        else:
            bill.charge_write(effect, TWICE)
    return list(bills.values())


def _metrics(
    connection: sqlite3.Connection,
    writes: list[Write],
) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for (name, _), write in {(w.table.name, w.key.hash): w for w in writes}.items():
        if write.table.local and write.change != "check":
            found.setdefault(name, []).append(collection_metrics(connection, write))
    return found


def _token(request: dict[str, Any]) -> str | None:
    token: str | None = request.get("ClientRequestToken")
    if token == "":
        rule = "Member must have length greater than or equal to 1"
        raise constraint("clientRequestToken", token, rule)
    if token is not None and len(token) > MOST_TOKEN:
        rule = f"Member must have length less than or equal to {MOST_TOKEN}"
        raise constraint("clientRequestToken", token, rule)
    return token


def _seen_before(
    context: Context,
    connection: sqlite3.Connection,
    token: str,
    request: dict[str, Any],
) -> bool:
    """Say whether the same request was carried out under this token not long ago."""
    now = context.clock.now().timestamp()
    connection.execute("DELETE FROM tokens WHERE expires <= ?", (now,))
    row = connection.execute("SELECT fingerprint FROM tokens WHERE token=?", (token,)).fetchone()
    if row is None:
        return False
    if row[0] != _fingerprint(request):
        raise IdempotentParameterMismatchException(
            "The request uses the same client token as a previous, but non-identical request.",
        )
    return True


def _remember(
    context: Context,
    connection: sqlite3.Connection,
    token: str,
    request: dict[str, Any],
) -> None:
    expires = context.clock.now().timestamp() + TOKEN_SECONDS
    connection.execute(
        "INSERT INTO tokens (token, fingerprint, expires) VALUES (?, ?, ?)",
        (token, _fingerprint(request), expires),
    )


def _fingerprint(request: dict[str, Any]) -> bytes:
    """Return a digest of what is to be written; how the answer should look does not count."""
    text = orjson.dumps(request["TransactItems"], default=bytes.hex, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).digest()
