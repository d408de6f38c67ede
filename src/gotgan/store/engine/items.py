"""GetItem, PutItem, UpdateItem, DeleteItem."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from gotgan.store.engine.capacity import ConsumedCapacity, read_units
from gotgan.store.engine.clauses import Clauses, read_clauses
from gotgan.store.engine.context import Context
from gotgan.store.engine.expressions import pick_updated
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.item_collections import collection_metrics
from gotgan.store.engine.keys import key_of_request
from gotgan.store.engine.requests import capacity_detail, choice, required, wants_collection_sizes
from gotgan.store.engine.rows import new_row
from gotgan.store.engine.tables import EngineTable
from gotgan.store.engine.values import Item, clean_item
from gotgan.store.engine.writes import Effect, EngineWrite, Modify, Put, WriteCondition, perform

__all__ = [
    "delete",
    "delete_item",
    "get_item",
    "plan_check",
    "plan_delete",
    "plan_put",
    "plan_update",
    "put",
    "put_item",
    "update_item",
]

_OLD = ("ALL_OLD", "NONE")
_ALL_RETURNS = ("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW")
_KEY_IS_FIXED = (
    "One or more parameter values were invalid: Cannot update attribute {name}."
    " This attribute is part of the key"
)


def get_item(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read one item by its key."""
    detail = capacity_detail(request)
    clauses = read_clauses(request, "ProjectionExpression")
    table = context.table(request)
    _, key = key_of_request(table.key, required(request, "Key"))
    row = context.database.read(lambda c: c.execute(table.get_sql, key).fetchone())
    answer: dict[str, Any] = {}
    if row is not None:
        answer["Item"] = context.shown(clauses, row[0])
    if detail != "NONE":
        bill = ConsumedCapacity(table)
        consistent = bool(request.get("ConsistentRead"))
        bill.charge_read(read_units(row[1] if row else 0, consistent=consistent))
        answer["ConsumedCapacity"] = bill.shown(detail)
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
    returns = choice(request, "ReturnValues", _ALL_RETURNS)
    effect, answer = _perform(context, request, plan_update(context.table(request), request))
    attributes = _returned(returns, effect)
    if attributes:
        answer["Attributes"] = attributes
    return answer


def plan_put(table: EngineTable, request: Mapping[str, Any]) -> EngineWrite:
    """Prepare a put."""
    clauses = read_clauses(request, "ConditionExpression")
    return put(table, required(request, "Item"), _guard(request, clauses))


def put(
    table: EngineTable, item: Mapping[str, Any], guard: WriteCondition | None = None
) -> EngineWrite:
    """Lay out an item as a row that is to be written."""
    row = new_row(table, *clean_item(item))
    return EngineWrite(table, row.key, row.item, Put(row), guard)


def plan_delete(table: EngineTable, request: Mapping[str, Any]) -> EngineWrite:
    """Prepare a delete."""
    clauses = read_clauses(request, "ConditionExpression")
    return delete(table, required(request, "Key"), _guard(request, clauses))


def delete(
    table: EngineTable, key: Mapping[str, Any], guard: WriteCondition | None = None
) -> EngineWrite:
    """Name the item that is to be removed."""
    key_item, encoded = key_of_request(table.key, key)
    return EngineWrite(table, encoded, key_item, "delete", guard)


def plan_update(table: EngineTable, request: Mapping[str, Any]) -> EngineWrite:
    """Prepare an update; what it does to the item is worked out when the item is read."""
    clauses = read_clauses(request, "ConditionExpression", "UpdateExpression")
    key_item, key = key_of_request(table.key, required(request, "Key"))
    if clauses.update is not None:
        for path in clauses.update.paths:
            if path.name in table.key.names:
                raise ValidationException(_KEY_IS_FIXED.format(name=path.name))
    change = Modify(clauses.update, clauses.values)
    return EngineWrite(table, key, key_item, change, _guard(request, clauses))


def plan_check(table: EngineTable, request: Mapping[str, Any]) -> EngineWrite:
    """Prepare the condition check of a transaction."""
    required(request, "ConditionExpression")
    clauses = read_clauses(request, "ConditionExpression")
    key_item, key = key_of_request(table.key, required(request, "Key"))
    return EngineWrite(table, key, key_item, "check", _guard(request, clauses))


def _guard(request: Mapping[str, Any], clauses: Clauses) -> WriteCondition | None:
    shows = choice(request, "ReturnValuesOnConditionCheckFailure", _OLD)
    if clauses.condition is None:
        return None
    return WriteCondition(clauses.condition, clauses.values, show_item=shows == "ALL_OLD")


def _old_or_none(request: Mapping[str, Any]) -> str:
    returns = choice(request, "ReturnValues", _ALL_RETURNS)
    if returns not in _OLD:
        raise ValidationException("ReturnValues can only be ALL_OLD or NONE")
    return returns


def _perform(
    context: Context,
    request: dict[str, Any],
    write: EngineWrite,
) -> tuple[Effect, dict[str, Any]]:
    detail = capacity_detail(request)
    sizes = write.table.local and wants_collection_sizes(request)

    def work(connection: sqlite3.Connection) -> tuple[Effect, dict[str, Any] | None]:
        effect = perform(connection, write)
        return effect, collection_metrics(connection, write) if sizes else None

    effect, metrics = context.database.write(work)
    answer: dict[str, Any] = {}
    if metrics is not None:
        answer["ItemCollectionMetrics"] = metrics
    if detail != "NONE":
        bill = ConsumedCapacity(write.table)
        bill.charge_write(effect)
        answer["ConsumedCapacity"] = bill.shown(detail)
    return effect, answer


def _returned(returns: str, effect: Effect) -> Item | None:
    if returns == "NONE":
        return None
    item = effect.item_before if returns.endswith("OLD") else effect.item_after
    if item is None or returns.startswith("ALL"):
        return item
    change = effect.write.change
    update = change.update if isinstance(change, Modify) else None
    return None if update is None else pick_updated(update, item)
