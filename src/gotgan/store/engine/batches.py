"""BatchGetItem and BatchWriteItem: many items of several tables in one call, each for itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gotgan.store.engine.capacity import ConsumedCapacity, bills_of, read_units, report
from gotgan.store.engine.clauses import Clauses, read_clauses
from gotgan.store.engine.context import Context
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.item_collections import metrics_by_table
from gotgan.store.engine.items import delete, put
from gotgan.store.engine.keys import EncodedKey, key_of_request
from gotgan.store.engine.requests import (
    capacity_detail,
    check_length,
    required,
    wants_collection_sizes,
)
from gotgan.store.engine.shapes import refuse_legacy
from gotgan.store.engine.tables import EngineTable
from gotgan.store.engine.values import Item
from gotgan.store.engine.writes import Effect, EngineWrite, Put, perform

__all__ = ["batch_get_item", "batch_write_item"]

MOST_GETS = 100
MOST_WRITES = 25
ANSWER_BYTES = 16 << 20
_DUPLICATES = "Provided list of item keys contains duplicates"


def batch_write_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Put and delete up to 25 items."""
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
        answer["ConsumedCapacity"] = report(request, bills_of(effects))
    if metrics:
        answer["ItemCollectionMetrics"] = metrics
    return answer


def _plan_writes(context: Context, request: dict[str, Any]) -> list[EngineWrite]:
    tables: Mapping[str, Any] = required(request, "RequestItems")
    if not tables:
        raise ValidationException("The requestItems parameter is required for BatchWriteItem")
    for name, entries in tables.items():
        check_length(f"requestItems.{name}.member", entries, 1, MOST_WRITES)
    if sum(map(len, tables.values())) > MOST_WRITES:
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
    putting, deleting = entry.get("PutRequest"), entry.get("DeleteRequest")
    if putting is not None and deleting is None:
        return put(table, required(putting, "Item"))
    if deleting is None or putting is not None:
        raise ValidationException(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of"
            " the supported datatypes",
        )
    return delete(table, required(deleting, "Key"))


def _store_all(connection: sqlite3.Connection, writes: list[EngineWrite]) -> None:
    """Write without looking at what was there: nobody asked what it cost or was."""
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
class _Gets:
    """The keys that are wanted of one table, as they were given and as they are stored."""

    name: str
    table: EngineTable
    entry: Mapping[str, Any]
    clauses: Clauses
    keys: list[tuple[Item, EncodedKey]]

    @property
    def consistent(self) -> bool:
        return bool(self.entry.get("ConsistentRead"))


def batch_get_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read up to 100 items; what would make the answer pass 16 MB is left for the next call."""
    capacity_detail(request)
    wanted = _plan_gets(context, request)
    answer, bills = context.database.snapshot(lambda c: _get_all(context, c, wanted))
    charged = report(request, bills)
    if charged:
        answer["ConsumedCapacity"] = charged
    return answer


def _plan_gets(context: Context, request: dict[str, Any]) -> list[_Gets]:
    tables: Mapping[str, Any] = required(request, "RequestItems")
    check_length("requestItems", tables, 1, MOST_GETS)
    for name, entry in tables.items():
        check_length(f"requestItems.{name}.member.keys", entry.get("Keys"), 1, MOST_GETS)
    if sum(len(entry["Keys"]) for entry in tables.values()) > MOST_GETS:
        raise ValidationException("Too many items requested for the BatchGetItem call")
    return [_plan_table(context, name, entry) for name, entry in tables.items()]


def _plan_table(context: Context, name: str, entry: Mapping[str, Any]) -> _Gets:
    refuse_legacy(entry)
    clauses = read_clauses(entry, "ProjectionExpression")
    table = context.table({"TableName": name})
    keys = [key_of_request(table.key, given) for given in entry["Keys"]]
    if len({key for _, key in keys}) < len(keys):
        raise ValidationException(_DUPLICATES)
    return _Gets(name, table, entry, clauses, keys)


def _get_all(
    context: Context,
    connection: sqlite3.Connection,
    wanted: list[_Gets],
) -> tuple[dict[str, Any], list[ConsumedCapacity]]:
    responses: dict[str, list[Any]] = {}
    left: dict[str, Any] = {}
    bills: list[ConsumedCapacity] = []
    room = ANSWER_BYTES
    for gets in wanted:
        found = responses.setdefault(gets.name, [])
        bill = ConsumedCapacity(gets.table)
        unread: list[Item] = []
        for key_item, row in _rows(connection, gets):
            if row is not None and row[1] > room:
                room = 0  # everything behind this one waits, too
                unread.append(key_item)
                continue
            bill.charge_read(read_units(row[1] if row else 0, consistent=gets.consistent))
            if row is not None:
                room -= row[1]
                found.append(context.shown(gets.clauses, row[0]))
        bills.append(bill)
        if unread:
            left[gets.name] = {**gets.entry, "Keys": unread}
    return {"Responses": responses, "UnprocessedKeys": left}, bills


def _rows(connection: sqlite3.Connection, gets: _Gets) -> Iterator[tuple[Item, Any]]:
    for key_item, key in gets.keys:
        yield key_item, connection.execute(gets.table.get_sql, key).fetchone()
