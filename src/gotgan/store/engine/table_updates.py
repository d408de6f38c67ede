"""UpdateTable: billing, protection, and the making and removing of global indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gotgan.store.engine import catalog, schema
from gotgan.store.engine.administration import existing, options
from gotgan.store.engine.backfill import fill_index
from gotgan.store.engine.census import Census, count_items
from gotgan.store.engine.context import Context
from gotgan.store.engine.descriptions import describe
from gotgan.store.engine.faults import (
    LimitExceededException,
    ResourceNotFoundException,
    ValidationException,
)
from gotgan.store.engine.fileformat import Stale
from gotgan.store.engine.keys import KeySchemaElement
from gotgan.store.engine.requests import choice
from gotgan.store.engine.tables import EngineIndex, EngineTable, Throughput

__all__ = ["update_table"]

_INVALID = "One or more parameter values were invalid: "


@dataclass(frozen=True)
class _Plan:
    """What a table is to become, and the index that is made or removed on the way."""

    before: EngineTable
    table: EngineTable
    made: EngineIndex | None = None
    removed: EngineIndex | None = None


def update_table(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Change a table. A new index is filled before the call returns, in one transaction."""
    table = existing(context, request)
    changed = _with_settings(context, table, request)
    changes = request.get("GlobalSecondaryIndexUpdates") or []
    if changed is table and not changes:
        raise ValidationException(
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled,"
            " GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required",
        )
    plan = _plan(_Plan(table, changed), changes, request)
    revised = context.database.write(lambda connection: _carry_out(connection, plan))
    context.catalog.refresh()
    return {"TableDescription": _description(context, replace(plan, table=revised))}


def _carry_out(connection: sqlite3.Connection, plan: _Plan) -> EngineTable:
    revised = catalog.revise(connection, plan.before, plan.table)
    if plan.removed is not None:
        catalog.drop_index(connection, revised, plan.removed)
    if plan.made is not None:
        fill_index(connection, revised, plan.made)
    return revised


def _description(context: Context, plan: _Plan) -> dict[str, Any]:
    """Describe the table as AWS does while a change is under way; here it is over already."""
    statuses = {}
    shown = replace(plan.table, throughput=plan.before.throughput)
    if plan.made is not None:
        statuses[plan.made.name] = "CREATING"
    if plan.removed is not None:
        statuses[plan.removed.name] = "DELETING"
        shown = replace(shown, indexes=(*shown.indexes, plan.removed))
    return describe(shown, _census(context, plan.table), "UPDATING", statuses)


def _census(context: Context, table: EngineTable) -> Census:
    try:
        return count_items(context, table)
    except Stale:  # changed again already; this change is made, and must not be made once more
        return Census()


def _plan(plan: _Plan, changes: Sequence[Mapping[str, Any]], request: Mapping[str, Any]) -> _Plan:
    if sum("Update" not in change for change in changes) > 1:
        raise LimitExceededException(
            "Subscriber limit exceeded: Only 1 online index can be created or deleted"
            " simultaneously per table",
        )
    for change in changes:
        match dict(change):
            case {"Create": entry}:
                plan = _plan_create(plan, entry, request)
            case {"Delete": entry}:
                index = _named(plan.table, entry)
                plan = replace(plan, table=plan.table.without_index(index.name), removed=index)
            case {"Update": entry}:
                plan = replace(plan, table=_with_index_throughput(plan.table, entry))
            case _:
                raise ValidationException(
                    f"{_INVALID}One of GlobalSecondaryIndexUpdate.Create,"
                    " GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Delete must"
                    " not be null",
                )
    return plan


def _plan_create(plan: _Plan, entry: Mapping[str, Any], request: Mapping[str, Any]) -> _Plan:
    table = replace(plan.table, attributes=_merged(plan.table, request))
    where = "globalSecondaryIndexUpdates.1.member.create"
    index = schema.read_index(entry, "global", table, slot=table.next_slot, where=where)
    if index.name in table.index_by_name:
        raise ValidationException(f"{_INVALID}Index already exists: {index.name}")
    schema.check_index_count("global", len(table.global_) + 1)
    schema.check_projected((*table.indexes, index))
    used = {*index.key.names, *(attribute.name for attribute in plan.table.attributes)}
    attributes = [attribute for attribute in table.attributes if attribute.name in used]
    return replace(plan, table=table.with_index(index, attributes), made=index)


def _merged(table: EngineTable, request: Mapping[str, Any]) -> tuple[KeySchemaElement, ...]:
    """Return the table's definitions with the request's; a known attribute keeps its type."""
    merged = {attribute.name: attribute for attribute in table.attributes}
    if request.get("AttributeDefinitions") is not None:
        for attribute in schema.read_definitions(request):
            known = merged.setdefault(attribute.name, attribute)
            if known != attribute:
                raise ValidationException(
                    f"{_INVALID}Attribute {attribute.name} is defined as {known.type} already",
                )
    return tuple(merged.values())


def _named(table: EngineTable, entry: Mapping[str, Any]) -> EngineIndex:
    name = entry.get("IndexName", "")
    index = table.index_by_name.get(name)
    if index is None or index.kind != "global":
        raise ResourceNotFoundException(
            f"Requested resource not found: Index: {name} not found in table: {table.name}",
        )
    return index


def _with_index_throughput(table: EngineTable, entry: Mapping[str, Any]) -> EngineTable:
    index = _named(table, entry)
    changed = replace(
        index,
        throughput=schema.read_throughput(entry.get("ProvisionedThroughput") or {}),
    )
    indexes = tuple(changed if each is index else each for each in table.indexes)
    return replace(table, indexes=indexes)


def _with_settings(context: Context, table: EngineTable, request: Mapping[str, Any]) -> EngineTable:
    changed = _with_billing(context, table, request)
    protection = request.get("DeletionProtectionEnabled")
    if protection is not None:
        changed = replace(changed, deletion_protection=protection)
    shown = options(request)
    return replace(changed, options={**changed.options, **shown}) if shown else changed


def _with_billing(context: Context, table: EngineTable, request: Mapping[str, Any]) -> EngineTable:
    mode = choice(request, "BillingMode", ("PROVISIONED", "PAY_PER_REQUEST"), default="")
    given = request.get("ProvisionedThroughput")
    if given is not None:
        return _provisioned(table, mode, given)
    if mode == "PROVISIONED" and table.per_request:
        raise ValidationException(
            f"{_INVALID}ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
        )
    return _per_request(context, table) if mode == "PAY_PER_REQUEST" else table


def _provisioned(table: EngineTable, mode: str, given: Mapping[str, Any]) -> EngineTable:
    if mode == "PAY_PER_REQUEST" or (table.per_request and not mode):
        raise ValidationException(
            f"{_INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when"
            " BillingMode is PAY_PER_REQUEST",
        )
    throughput = schema.read_throughput(given)
    if not table.per_request and throughput == table.throughput:
        raise ValidationException(_unchanged(throughput))
    return replace(table, per_request=False, throughput=throughput)


def _per_request(context: Context, table: EngineTable) -> EngineTable:
    if table.per_request:
        return replace(table)
    return replace(
        table,
        per_request=True,
        per_request_since=context.clock.now().timestamp(),
        throughput=Throughput(),
        indexes=tuple(replace(index, throughput=Throughput()) for index in table.indexes),
    )


def _unchanged(throughput: Throughput) -> str:
    return (
        "The provisioned throughput for the table will not change. The requested value equals the"
        " current value. Current ReadCapacityUnits provisioned for the table:"
        f" {throughput.read}. Requested ReadCapacityUnits: {throughput.read}. Current"
        f" WriteCapacityUnits provisioned for the table: {throughput.write}. Requested"
        f" WriteCapacityUnits: {throughput.write}. Refer to the Amazon DynamoDB Developer Guide for"
        " current limits and how to request higher limits."
    )
