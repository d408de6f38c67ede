"""GetItem, PutItem, UpdateItem, DeleteItem, BatchGetItem and BatchWriteItem."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from gotgan.store.engine.capacity import ConsumedCapacity, capacity_report, read_units, write_bills
from gotgan.store.engine.catalog import Context, EngineTable
from gotgan.store.engine.expressions.operands import pick
from gotgan.store.engine.faults import KeyMismatch, ValidationException, invalid_value
from gotgan.store.engine.keys import NO_SUCH_KEY, EncodedKey, IndexKeyMismatch, request_key
from gotgan.store.engine.legacy import LEGACY, translate
from gotgan.store.engine.requests import (
    Clauses,
    capacity_detail,
    read_clauses,
    wants_collection_sizes,
)
from gotgan.store.engine.shapes import MAX_BATCH_GETS, MAX_BATCH_WRITES
from gotgan.store.engine.values import Item, clean_item
from gotgan.store.engine.writes import (
    Effect,
    EngineWrite,
    Modify,
    Put,
    WriteCondition,
    collection_metrics,
    metrics_by_table,
    new_row,
    perform,
)

MAX_BATCH_GET_BYTES = 16 << 20
_OLD_RETURNS = ("ALL_OLD", "NONE")
_DUPLICATES = "Provided list of item keys contains duplicates"


def get_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read one item by its key."""
    detail = capacity_detail(request)
    clauses = read_clauses(request, "ProjectionExpression")
    table = context.table(request)
    _, key = request_key(table.key, request["Key"])
    row = context.database.read(lambda c: c.execute(table.get_sql, key).fetchone())
    answer: dict[str, Any] = {}
    if row is not None:
        answer["Item"] = context.load_projected(clauses, row[0])
    if detail != "NONE":
        bill = ConsumedCapacity(table)
        consistent = bool(request.get("ConsistentRead"))
        bill.charge_read(read_units(row[1] if row else 0, consistent=consistent))
        answer["ConsumedCapacity"] = bill.to_dict(detail)
    return answer


def put_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Write one whole item."""
    returns = _old_or_none(request)
    effect, answer = _perform(context, request, plan_put(context.table(request), request))
    if returns == "ALL_OLD" and effect.before is not None:
        answer["Attributes"] = effect.before.item
    return answer


def delete_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Remove one item."""
    returns = _old_or_none(request)
    effect, answer = _perform(context, request, plan_delete(context.table(request), request))
    if returns == "ALL_OLD" and effect.before is not None:
        answer["Attributes"] = effect.before.item
    return answer


def update_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Change one item, or make it from its key."""
    returns = request.get("ReturnValues", "NONE")
    effect, answer = _perform(context, request, plan_update(context.table(request), request))
    attributes = returned_attributes(returns, effect)
    if attributes:
        answer["Attributes"] = attributes
    return answer


def plan_put(table: EngineTable, request: Mapping[str, Any]) -> EngineWrite:
    """Prepare a put."""
    clauses = read_clauses(request, "ConditionExpression")
    return _put_write(table, request["Item"], _write_condition(request, clauses))


def _put_write(
    table: EngineTable, item: Mapping[str, Any], condition: WriteCondition | None = None
) -> EngineWrite:
    row = new_row(table, *clean_item(item))
    return EngineWrite(table, row.key, row.item, Put(row), condition)


def plan_delete(table: EngineTable, request: Mapping[str, Any]) -> EngineWrite:
    """Prepare a delete."""
    clauses = read_clauses(request, "ConditionExpression")
    key_item, key = request_key(table.key, request["Key"])
    return EngineWrite(table, key, key_item, "delete", _write_condition(request, clauses))


def plan_update(table: EngineTable, request: Mapping[str, Any]) -> EngineWrite:
    """Prepare an update; its effect on the item is worked out when the item is read."""
    clauses = read_clauses(request, "ConditionExpression", "UpdateExpression")
    key_item, key = request_key(table.key, request["Key"])
    if clauses.update is not None:
        for path in clauses.update.paths:
            if path.name in table.key.names:
                raise invalid_value(
                    f"Cannot update attribute {path.name}. This attribute is part of the key"
                )
    change = Modify(clauses.update, clauses.values)
    return EngineWrite(table, key, key_item, change, _write_condition(request, clauses))


def plan_check(table: EngineTable, request: Mapping[str, Any]) -> EngineWrite:
    """Prepare the condition check of a transaction."""
    clauses = read_clauses(request, "ConditionExpression")
    key_item, key = request_key(table.key, request["Key"])
    return EngineWrite(table, key, key_item, "check", _write_condition(request, clauses))


def _write_condition(request: Mapping[str, Any], clauses: Clauses) -> WriteCondition | None:
    returns = request.get("ReturnValuesOnConditionCheckFailure", "NONE")
    if clauses.condition is None:
        return None
    return WriteCondition(clauses.condition, clauses.values, show_item=returns == "ALL_OLD")


def _old_or_none(request: Mapping[str, Any]) -> str:
    returns: str = request.get("ReturnValues", "NONE")
    if returns not in _OLD_RETURNS:
        raise ValidationException("ReturnValues can only be ALL_OLD or NONE")
    return returns


def _perform(
    context: Context, request: dict[str, Any], write: EngineWrite
) -> tuple[Effect, dict[str, Any]]:
    detail = capacity_detail(request)
    sizes = write.table.local_indexes and wants_collection_sizes(request)

    def with_metrics(connection: sqlite3.Connection) -> tuple[Effect, dict[str, Any]]:
        return perform(connection, write), collection_metrics(connection, write)

    answer: dict[str, Any] = {}
    if sizes:
        effect, answer["ItemCollectionMetrics"] = context.database.write(with_metrics)
    else:
        effect = context.database.write(partial(perform, write=write))
    if detail != "NONE":
        bill = ConsumedCapacity(write.table)
        bill.charge_write(effect)
        answer["ConsumedCapacity"] = bill.to_dict(detail)
    return effect, answer


def returned_attributes(returns: str, effect: Effect) -> Item | None:
    """Return what ReturnValues asks for of an update."""
    if returns == "NONE":
        return None
    row = effect.before if returns.endswith("OLD") else effect.after
    if row is None or returns.startswith("ALL"):
        return None if row is None else row.item
    change = effect.write.change
    update = change.update if isinstance(change, Modify) else None
    return None if update is None else pick(update.plan.root, row.item)


def batch_write_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Put and delete up to 25 items, each independently."""
    priced = capacity_detail(request) != "NONE"
    sizes = wants_collection_sizes(request)
    writes = _plan_writes(context, request)

    def work(connection: sqlite3.Connection) -> tuple[list[Effect], dict[str, Any]]:
        effects = [perform(connection, write) for write in writes] if priced else []
        if not priced:
            _store_all(connection, writes)
        return effects, metrics_by_table(connection, writes) if sizes else {}

    effects, metrics = context.database.write(work)
    answer: dict[str, Any] = {"UnprocessedItems": {}}
    if priced:
        answer["ConsumedCapacity"] = capacity_report(request, write_bills(effects))
    if metrics:
        answer["ItemCollectionMetrics"] = metrics
    return answer


def _plan_writes(context: Context, request: dict[str, Any]) -> list[EngineWrite]:
    tables: Mapping[str, Any] = request["RequestItems"]
    if sum(map(len, tables.values())) > MAX_BATCH_WRITES:
        raise ValidationException("Too many items requested for the BatchWriteItem call")
    writes = [
        _plan_write(table, entry)
        for name, entries in tables.items()
        for table in [context.table({"TableName": name})]
        for entry in entries
    ]
    if len({(write.table.number, write.key) for write in writes}) < len(writes):
        raise ValidationException(_DUPLICATES)
    return writes


def _plan_write(table: EngineTable, entry: Mapping[str, Any]) -> EngineWrite:
    put, delete = entry.get("PutRequest"), entry.get("DeleteRequest")
    if put is not None and delete is None:
        try:
            return _put_write(table, put["Item"])
        except IndexKeyMismatch:
            raise
        except KeyMismatch as error:
            if "Type mismatch" not in error.message:
                raise
            raise KeyMismatch(NO_SUCH_KEY) from error
    if delete is None or put is not None:
        raise ValidationException(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of"
            " the supported datatypes"
        )
    key_item, key = request_key(table.key, delete["Key"])
    return EngineWrite(table, key, key_item, "delete")


def _store_all(connection: sqlite3.Connection, writes: list[EngineWrite]) -> None:
    """Write without reading what was there: neither its cost nor the old items are reported."""
    by_table: dict[int, tuple[EngineTable, list[Any], list[Any]]] = {}
    for write in writes:
        table, puts, deletes = by_table.setdefault(write.table.number, (write.table, [], []))
        if isinstance(write.change, Put):
            puts.append(write.change.row.parameters)
        else:
            deletes.append(write.key)
    for table, puts, deletes in by_table.values():
        connection.executemany(table.upsert_sql, puts)
        connection.executemany(f"DELETE FROM {table.rows} WHERE pk=? AND sk=?", deletes)


@dataclass(frozen=True)
class _TableGets:
    """The keys that are wanted of one table, as they were given and as they are stored."""

    name: str
    table: EngineTable
    entry: Mapping[str, Any]
    clauses: Clauses
    keys: list[tuple[Item, EncodedKey]]


def batch_get_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read up to 100 items; what would make the answer pass 16 MB is left for the next call."""
    tables: Mapping[str, Any] = request["RequestItems"]
    if sum(len(entry["Keys"]) for entry in tables.values()) > MAX_BATCH_GETS:
        raise ValidationException("Too many items requested for the BatchGetItem call")
    wanted = [_plan_table_gets(context, name, entry) for name, entry in tables.items()]
    answer, bills = context.database.read(partial(_get_all, context, wanted), begin=True)
    if charged := capacity_report(request, bills):
        answer["ConsumedCapacity"] = charged
    return answer


def _plan_table_gets(context: Context, name: str, entry: Mapping[str, Any]) -> _TableGets:
    translated = entry if LEGACY.isdisjoint(entry) else translate("GetItem", entry)
    clauses = read_clauses(translated, "ProjectionExpression")
    table = context.table({"TableName": name})
    keys = [request_key(table.key, given) for given in entry["Keys"]]
    if len({key for _, key in keys}) < len(keys):
        raise ValidationException(_DUPLICATES)
    return _TableGets(name, table, entry, clauses, keys)


def _get_all(
    context: Context, wanted: list[_TableGets], connection: sqlite3.Connection
) -> tuple[dict[str, Any], list[ConsumedCapacity]]:
    responses: dict[str, list[Any]] = {}
    left: dict[str, Any] = {}
    bills: list[ConsumedCapacity] = []
    room = MAX_BATCH_GET_BYTES
    for gets in wanted:
        found = responses.setdefault(gets.name, [])
        consistent = bool(gets.entry.get("ConsistentRead"))
        bill = ConsumedCapacity(gets.table)
        unread: list[Item] = []
        for key_item, key in gets.keys:
            row = connection.execute(gets.table.get_sql, key).fetchone()
            if row is not None and row[1] > room:
                room = 0  # everything behind this one waits, too
                unread.append(key_item)
                continue
            bill.charge_read(read_units(row[1] if row else 0, consistent=consistent))
            if row is not None:
                room -= row[1]
                found.append(context.load_projected(gets.clauses, row[0]))
        bills.append(bill)
        if unread:
            left[gets.name] = {**gets.entry, "Keys": unread}
    return {"Responses": responses, "UnprocessedKeys": left}, bills
