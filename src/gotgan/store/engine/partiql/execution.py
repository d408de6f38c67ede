"""ExecuteStatement, and what it shares with batches: calls, reads of one item, and writes."""

from __future__ import annotations

import hashlib
import sqlite3
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import orjson

from gotgan.store.engine.capacity import ConsumedCapacity, write_units
from gotgan.store.engine.catalog import Context, EngineTable
from gotgan.store.engine.faults import DynamoDBError, ValidationException
from gotgan.store.engine.items import (
    get_item,
    plan_delete,
    plan_put,
    plan_update,
    returned_attributes,
)
from gotgan.store.engine.partiql.parser import parse_statement
from gotgan.store.engine.partiql.planner import ItemRead, plan_item_read, plan_pages, plan_write
from gotgan.store.engine.partiql.statements import (
    ExistsStatement,
    SelectStatement,
    Statement,
)
from gotgan.store.engine.queries import query, scan
from gotgan.store.engine.requests import PARSED, capacity_detail
from gotgan.store.engine.values import AttributeValue, Item, clean, dump_item, load_item
from gotgan.store.engine.writes import Effect, EngineWrite, perform

MAX_ITEMS_OF_SEVERAL_PARTITIONS = 10
_WRITE_PLANS = {"Put": plan_put, "Update": plan_update, "Delete": plan_delete}


@dataclass(frozen=True, slots=True)
class StatementCall:
    """A statement with the parameters and the options of one call."""

    statement: Statement
    parameters: list[AttributeValue]
    options: Mapping[str, Any]

    @property
    def is_read(self) -> bool:
        """Whether it is a SELECT."""
        return isinstance(self.statement, SelectStatement)

    def table(self, context: Context) -> EngineTable:
        """Return the statement's table."""
        return context.table({"TableName": self.statement.table})

    def item_read(self, table: EngineTable, operation: str) -> ItemRead:
        """Plan a SELECT of one item; an operation on items refuses one that may find several."""
        read = plan_item_read(table, self.statement, self.parameters)
        if read is None:
            raise ValidationException(
                f"Select statements within {operation} must specify the primary key in the where"
                " clause."
            )
        return read

    def action(self, table: EngineTable) -> tuple[str, dict[str, Any]]:
        """Plan a write as an action of a transaction: its name and its request."""
        shown = self.options.get("ReturnValuesOnConditionCheckFailure", "NONE")
        return plan_write(table, self.statement, self.parameters, shown)

    def write(self, table: EngineTable) -> EngineWrite:
        """Plan a write outside a transaction."""
        if isinstance(self.statement, ExistsStatement):
            raise ValidationException("EXISTS can only be used in a transaction that writes.")
        name, request = self.action(table)
        return _WRITE_PLANS[name](table, request)


def read_call(options: Mapping[str, Any]) -> StatementCall:
    """Parse a statement and check its parameters."""
    given = options.get("Parameters", ())
    statement = parse_statement(options["Statement"])
    if len(given) != statement.parameters:
        raise ValidationException("Number of parameters in request and statement don't match.")
    return StatementCall(statement, [clean(value)[0] for value in given], options)


def execute_statement(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Run one statement."""
    detail = capacity_detail(request)
    call = read_call(request)
    table = call.table(context)
    if isinstance(call.statement, SelectStatement):
        return _select(context, call, call.statement, table)
    [outcome] = write_all(context, [call.write(table)])
    if isinstance(outcome, RefusedWrite):
        raise outcome.fault
    shown = returned_attributes(call.statement.returning, outcome)
    answer: dict[str, Any] = {"Items": [shown] if shown else []}
    if detail != "NONE":
        answer["ConsumedCapacity"] = write_bill(outcome).to_dict(detail)
    return answer


@dataclass(frozen=True, slots=True)
class RefusedWrite:
    """A write that wrote nothing: why, and the size of the item that it found."""

    write: EngineWrite
    fault: DynamoDBError
    size: int


WriteOutcome: TypeAlias = Effect | RefusedWrite


def write_all(context: Context, writes: Sequence[EngineWrite]) -> list[WriteOutcome]:
    """Carry out independent writes in one commit."""

    def work(connection: sqlite3.Connection) -> list[WriteOutcome]:
        return [_write(connection, write) for write in writes]

    return context.database.write(work)


def _write(connection: sqlite3.Connection, write: EngineWrite) -> WriteOutcome:
    try:
        return perform(connection, write)
    except DynamoDBError as fault:  # whatever is refused is refused before it is stored
        row = connection.execute(write.table.get_sql, write.key).fetchone()
        return RefusedWrite(write, fault, row[1] if row else 0)


def write_bill(outcome: WriteOutcome) -> ConsumedCapacity:
    """Bill a write; one that was refused costs the item that it found."""
    bill = ConsumedCapacity(outcome.write.table)
    if isinstance(outcome, RefusedWrite):
        if not isinstance(outcome.fault, ValidationException):
            bill.own = write_units(outcome.size)
    else:
        bill.charge_write(outcome)
    return bill


def decoding(context: Context, reads: Iterable[ItemRead]) -> Context:
    """Return a context that decodes items, if one of the reads must look into its item."""
    if all(read.is_whole for read in reads):
        return context
    return replace(context, load=load_item)


def read_item(context: Context, read: ItemRead, options: Mapping[str, Any]) -> dict[str, Any]:
    """Get one item; the answer is GetItem's, with what is shown of the item."""
    answer = get_item(decoding(context, [read]), {**read.request, **_read_options(options)})
    shown = read.project(answer.pop("Item", None))
    return answer if shown is None else {"Item": shown, **answer}


def _read_options(options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: options[name]
        for name in ("ConsistentRead", "ReturnConsumedCapacity")
        if name in options
    }


def _select(
    context: Context, call: StatementCall, statement: SelectStatement, table: EngineTable
) -> dict[str, Any]:
    limit = call.options.get("Limit")
    read = plan_item_read(table, statement, call.parameters)
    if read is not None:
        answer = read_item(context, read, call.options)
        return {"Items": [answer.pop("Item")] if "Item" in answer else [], **answer}
    requests = plan_pages(table, statement, call.parameters, _read_options(call.options))
    if len(requests) > 1:
        most = MAX_ITEMS_OF_SEVERAL_PARTITIONS
        limit = most if limit is None else min(limit, most)
    return _read_page(context, call, requests, limit)


def _read_page(
    context: Context, call: StatementCall, requests: list[dict[str, Any]], limit: int | None
) -> dict[str, Any]:
    """Read a page of a scan, or of one partition after another."""
    answer: dict[str, Any] = {"Items": []}
    place, start = _position(call, len(requests))
    while place < len(requests):
        request = {**requests[place], "Limit": limit, "ExclusiveStartKey": start}
        read = scan if request[PARSED].key_condition is None else query
        page = read(context, request)
        answer["Items"] += page["Items"]
        if charged := page.get("ConsumedCapacity"):
            answer["ConsumedCapacity"] = sum_units(answer.get("ConsumedCapacity", {}), charged)
        start = page.get("LastEvaluatedKey")
        place += start is None
        limit = None if limit is None else limit - page["ScannedCount"]
        if start is not None or limit == 0:
            break
    if place < len(requests):
        answer["NextToken"] = _next_token(call, place, start)
        if start is not None:
            answer["LastEvaluatedKey"] = start
    return answer


def sum_units(one: Mapping[str, Any], two: Mapping[str, Any]) -> dict[str, Any]:
    """Add two reports of the units that were consumed of one table."""
    total: dict[str, Any] = dict(one)
    for name, value in two.items():
        if isinstance(value, dict):
            total[name] = sum_units(one.get(name, {}), value)
        else:
            total[name] = one.get(name, 0.0) + value if isinstance(value, float) else value
    return total


def _fingerprint(call: StatementCall) -> str:
    """Return a digest of what is read: a token belongs to the statement that it came from."""
    asked = repr((call.options["Statement"], call.parameters))
    return hashlib.sha256(asked.encode()).hexdigest()


def _next_token(call: StatementCall, place: int, start: Item | None) -> str:
    key = None if start is None else dump_item(start).decode()
    return urlsafe_b64encode(orjson.dumps([_fingerprint(call), place, key])).decode()


def _position(call: StatementCall, count: int) -> tuple[int, Item | None]:
    """Return the request that a page begins with, and the key behind which it begins there."""
    token = call.options.get("NextToken")
    if token is None:
        return 0, None
    try:
        fingerprint, place, key = orjson.loads(urlsafe_b64decode(token))
        start = None if key is None else load_item(key.encode())
    except (AttributeError, TypeError, ValueError) as error:
        raise ValidationException("Invalid NextToken") from error
    if fingerprint != _fingerprint(call) or place not in range(count):
        raise ValidationException("NextToken does not match request")
    return place, start
