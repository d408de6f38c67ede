"""TransactGetItems and TransactWriteItems: up to 100 items of several tables, all or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import orjson

from gotgan.store.engine.capacity import ConsumedCapacity, capacity_report, read_units, write_bills
from gotgan.store.engine.catalog import Context, EngineTable
from gotgan.store.engine.faults import (
    DynamoDBError,
    IdempotentParameterMismatchException,
    KeyMismatch,
    TransactionCanceledException,
    ValidationException,
    reason_code,
)
from gotgan.store.engine.items import plan_check, plan_delete, plan_put, plan_update
from gotgan.store.engine.keys import EncodedKey, request_key
from gotgan.store.engine.requests import (
    Clauses,
    capacity_detail,
    read_clauses,
    wants_collection_sizes,
)
from gotgan.store.engine.values import Item, size_of_item
from gotgan.store.engine.writes import (
    Effect,
    EngineWrite,
    Modify,
    NewRow,
    Put,
    StoredRow,
    decide,
    metrics_by_table,
    store,
)

T = TypeVar("T")
_Bills: TypeAlias = list[ConsumedCapacity]

MAX_TRANSACTION_BYTES = 4 << 20
TOKEN_LIFETIME_S = 600
_DIGEST_BYTES = 32  # of SHA-256
# Transactions cost every unit twice: once to prepare, once to commit.
TRANSACTION_COST_FACTOR = 2

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
    token: str | None = request.get("ClientRequestToken")
    writes = _plan_all(request, lambda entry: _plan_write(context, entry))
    _refuse_repeats([(write.table.number, write.key) for write in writes])
    _check_total(map(_payload_size, writes))

    def work(connection: sqlite3.Connection) -> tuple[_Bills, dict[str, Any]]:
        now = 0.0 if token is None else context.clock.now().timestamp()
        if token is not None:
            earlier = _earlier_sizes(connection, token, writes, now)
            if earlier is not None:  # it costs the reads that found out
                tables = (write.table for write in writes)
                return _read_bills(zip(tables, earlier, strict=True)), {}
        effects = _decide_all(connection, writes)
        for effect in effects:
            store(connection, effect)
        if token is not None:
            _save_token(connection, token, effects, now)
        bills = write_bills(effects, TRANSACTION_COST_FACTOR, "Write") if priced else []
        return bills, metrics_by_table(connection, writes) if sizes else {}

    bills, metrics = context.database.write(work)
    answer: dict[str, Any] = {}
    if priced:
        answer["ConsumedCapacity"] = capacity_report(request, bills)
    if metrics:
        answer["ItemCollectionMetrics"] = metrics
    return answer


def transact_get_items(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read several items as they were at one moment."""
    priced = capacity_detail(request) != "NONE"
    gets = _plan_all(request, lambda entry: _plan_get(context, entry))
    _refuse_repeats([(table.number, key) for table, key, _ in gets])
    rows = context.database.read(
        lambda connection: [
            connection.execute(table.get_sql, key).fetchone() for table, key, _ in gets
        ],
        begin=True,
    )
    _check_total(row[1] for row in rows if row is not None)
    answer: dict[str, Any] = {
        "Responses": [
            _response(context, clauses, row) for (*_, clauses), row in zip(gets, rows, strict=True)
        ]
    }
    if priced:
        sizes = [(table, row[1] if row else 0) for (table, *_), row in zip(gets, rows, strict=True)]
        answer["ConsumedCapacity"] = capacity_report(request, _read_bills(sizes))
    return answer


def _response(context: Context, clauses: Clauses, row: Any) -> dict[str, Any]:
    """Return one answer; unlike GetItem's, it has no Item when a projection leaves nothing."""
    item = None if row is None else context.load_projected(clauses, row[0])
    return {"Item": item} if item else {}


def _plan_write(context: Context, entry: Mapping[str, Any]) -> EngineWrite:
    actions = [name for name in _PLANS if entry.get(name) is not None]
    if len(actions) != 1:
        raise ValidationException(
            "TransactItems can only contain one of Check, Put, Update or Delete"
        )
    action = entry[actions[0]]
    return _PLANS[actions[0]](context.table(action), action)


def _plan_get(
    context: Context, entry: Mapping[str, Any]
) -> tuple[EngineTable, EncodedKey, Clauses]:
    get = entry["Get"]
    clauses = read_clauses(get, "ProjectionExpression")
    table = context.table(get)
    _, key = request_key(table.key, get["Key"])
    return table, key, clauses


def _plan_all(request: dict[str, Any], plan: Callable[[Any], T]) -> list[T]:
    """Plan every action; the first item that does not fit its table cancels, as on AWS."""
    entries: Sequence[Mapping[str, Any]] = request["TransactItems"]
    planned: list[T] = []
    for number, entry in enumerate(entries):
        try:
            planned.append(plan(entry))
        except KeyMismatch as fault:
            raise _cancellation(len(entries), {number: fault}) from fault
    return planned


def _decide_all(connection: sqlite3.Connection, writes: list[EngineWrite]) -> list[Effect]:
    """Decide every action; all failures are reported together."""
    effects: list[Effect] = []
    faults: dict[int, DynamoDBError] = {}
    for number, write in enumerate(writes):
        try:
            effects.append(decide(connection, write))
        except DynamoDBError as fault:
            faults[number] = fault
    if faults:
        raise _cancellation(len(writes), faults)
    return effects


def _cancellation(count: int, faults: Mapping[int, DynamoDBError]) -> TransactionCanceledException:
    reasons = [_reason(faults.get(number)) for number in range(count)]
    codes = ", ".join(reason["Code"] for reason in reasons)
    return TransactionCanceledException(
        f"Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]",
        CancellationReasons=reasons,
    )


def _reason(fault: DynamoDBError | None) -> dict[str, Any]:
    if fault is None:
        return {"Code": "None"}
    return {"Code": reason_code(fault), "Message": fault.message, **fault.members}


def _refuse_repeats(keys: list[tuple[int, EncodedKey]]) -> None:
    if len(set(keys)) < len(keys):
        raise ValidationException(
            "Transaction request cannot include multiple operations on one item"
        )


def _check_total(sizes: Iterable[int]) -> None:
    """Refuse too large a transaction: of a write, the request counts, not the items there."""
    if sum(sizes) > MAX_TRANSACTION_BYTES:
        raise ValidationException(
            f"Transaction payload size cannot exceed {MAX_TRANSACTION_BYTES} bytes"
        )


def _payload_size(write: EngineWrite) -> int:
    match write.change:
        case Put(row):
            return row.size
        case Modify(values=values):
            return size_of_item(write.key_item) + size_of_item(values)
        case _:
            return size_of_item(write.key_item)


def _read_bills(sizes: Iterable[tuple[EngineTable, int]]) -> list[ConsumedCapacity]:
    bills: dict[int, ConsumedCapacity] = {}
    for table, size in sizes:
        bill = bills.setdefault(table.number, ConsumedCapacity(table, kind="Read"))
        bill.charge_read(TRANSACTION_COST_FACTOR * read_units(size, consistent=True))
    return list(bills.values())


def _earlier_sizes(
    connection: sqlite3.Connection, token: str, writes: Sequence[EngineWrite], now: float
) -> list[int] | None:
    """The sizes of the items of these writes, if the token was used in the last ten minutes."""
    sql = "SELECT fingerprint FROM tokens WHERE token=? AND expires > ?"
    row = connection.execute(sql, (token, now)).fetchone()
    if row is None:
        return None
    digest, sizes = row[0][:_DIGEST_BYTES], row[0][_DIGEST_BYTES:]
    if digest != _fingerprint(writes):
        raise IdempotentParameterMismatchException(
            "The request uses the same client token as a previous, but non-identical request."
        )
    return orjson.loads(sizes) if sizes else [0] * len(writes)


def _save_token(
    connection: sqlite3.Connection, token: str, effects: Sequence[Effect], now: float
) -> None:
    fingerprint = _fingerprint([effect.write for effect in effects])
    sizes = orjson.dumps([max(_size(each.before), _size(each.after)) for each in effects])
    connection.execute("DELETE FROM tokens WHERE expires <= ?", (now,))
    connection.execute(
        "INSERT INTO tokens (token, fingerprint, expires) VALUES (?, ?, ?)",
        (token, fingerprint + sizes, now + TOKEN_LIFETIME_S),
    )


def _size(row: StoredRow | NewRow | None) -> int:
    return 0 if row is None else row.size


def _fingerprint(writes: Sequence[EngineWrite]) -> bytes:
    """Return a digest of the writes; what is asked of the answer does not count."""
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, which few programs need

    digest = sha256()
    for write in writes:
        digest.update(repr((write.table.name, write.key, _fingerprint_parts(write))).encode())
    return digest.digest()


def _fingerprint_parts(write: EngineWrite) -> object:
    checked = write.condition
    condition = checked and (checked.condition.tree, _sorted_json(checked.values))
    match write.change:
        case Put(row):
            return _sorted_json(row.item), condition
        case Modify(update, values):
            return update and update.actions, _sorted_json(values), condition
        case other:
            return other, condition


def _sorted_json(item: Item) -> bytes:
    return orjson.dumps(item, default=bytes.hex, option=orjson.OPT_SORT_KEYS)
