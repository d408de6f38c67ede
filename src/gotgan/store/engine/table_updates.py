"""UpdateTable: billing, protection, the stream, and the making and removing of global indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gotgan.store.engine import catalog, schema
from gotgan.store.engine.catalog import Context, EngineIndex, EngineTable, Throughput
from gotgan.store.engine.faults import (
    LimitExceededException,
    ResourceNotFoundException,
    ValidationException,
    invalid_value,
)
from gotgan.store.engine.fileformat import StaleCatalog
from gotgan.store.engine.keys import KeySchemaElement
from gotgan.store.engine.streams import disable_stream, enable_stream, read_stream_change
from gotgan.store.engine.table_admin import (
    ItemCounts,
    count_items,
    describe,
    existing_table,
    table_options,
)
from gotgan.store.engine.values import Item, load_item
from gotgan.store.engine.writes import expiry, index_columns

_FILL_BATCH_ROWS = 1000
_CHANGES = (
    "BillingMode",
    "DeletionProtectionEnabled",
    "GlobalSecondaryIndexUpdates",
    "OnDemandThroughput",
    "ProvisionedThroughput",
    "SSESpecification",
    "StreamSpecification",
    "TableClass",
    "WarmThroughput",
)
_LONELY_CHANGES = {
    "SSESpecification": "Server-Side Encryption",
    "DeletionProtectionEnabled": "DeletionProtection",
    "TableClass": "TableClass",
}
_NOTHING_TO_CHANGE = (
    "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled,"
    " GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady,"
    " ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled,"
    " OnDemandThroughput, WarmThroughput or TableClass is required"
)


@dataclass(frozen=True)
class _TableChange:
    """A table before and after, and the index that is made or removed on the way."""

    before: EngineTable
    after: EngineTable
    made: EngineIndex | None = None
    removed: EngineIndex | None = None


def update_table(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Change a table. A new index is filled before the call returns, in one transaction."""
    schema.refuse_vector_indexes(request)
    changes = request.get("GlobalSecondaryIndexUpdates") or []
    _check_members(request, changes)
    _check_entries(changes)
    table = existing_table(context, request)
    changed = _with_billing(context, table, request)
    if request.get("DeletionProtectionEnabled") is not None:
        changed = replace(changed, deletion_protection=request["DeletionProtectionEnabled"])
    if options := table_options(request):
        changed = replace(changed, options={**changed.options, **options})
    changes_stream = request.get("StreamSpecification") is not None
    view_type = read_stream_change(table, request) if changes_stream else None
    plan = _plan_index_changes(_TableChange(table, changed), changes, request)

    def work(connection: sqlite3.Connection) -> EngineTable:
        revised = catalog.replace_definition(connection, plan.before, plan.after)
        if plan.removed is not None:
            catalog.drop_index(connection, revised, plan.removed)
        if plan.made is not None:
            _build_index(connection, revised, plan.made)
        if view_type is not None:
            return enable_stream(connection, revised, view_type, context.clock.now())
        if changes_stream:
            return disable_stream(connection, revised, context.clock.now())
        return revised

    revised = context.database.write(work)
    context.catalog.refresh()
    return {"TableDescription": _description(context, replace(plan, after=revised))}


def _check_members(request: Mapping[str, Any], changes: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a request that changes nothing, or things that AWS changes only one at a time."""
    present = {member for member in _CHANGES if request.get(member) is not None}
    if not changes:
        present.discard("GlobalSecondaryIndexUpdates")
    if not present:
        raise ValidationException(_NOTHING_TO_CHANGE)
    if request.get("GlobalSecondaryIndexUpdates") == []:
        raise invalid_value("List of GlobalSecondaryIndexUpdates is empty")
    for member, change in _LONELY_CHANGES.items():
        if member in present and len(present) > 1:
            raise invalid_value(f"{change} modification must be the only operation in the request")
    changes_indexes = any("Update" not in change for change in changes)
    if "ProvisionedThroughput" in present:
        if "StreamSpecification" in present:
            raise invalid_value("You cannot modify stream status while updating table IOPS")
        if changes_indexes:
            raise invalid_value("You cannot create or delete index while updating table IOPS")
    if "StreamSpecification" in present and changes_indexes:
        raise invalid_value("You cannot create or delete index while changing stream status")


def _check_entries(changes: Sequence[Mapping[str, Any]]) -> None:
    """Refuse entries without one action, and two for one index."""
    names: set[str] = set()
    for change in changes:
        if not change:
            raise invalid_value(
                "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create,"
                " GlobalSecondaryIndexUpdate.Delete must not be null"
            )
        if len(change) > 1:
            raise invalid_value(
                "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate"
                " object"
            )
        [entry] = change.values()
        name = entry["IndexName"]
        if name in names:
            raise invalid_value(
                "Only one global secondary index update per index is allowed simultaneously."
                f" Index: {name}"
            )
        names.add(name)


def _description(context: Context, plan: _TableChange) -> dict[str, Any]:
    """Describe the table as AWS does during a change, although here it is finished already."""
    statuses = {}
    table = replace(plan.after, throughput=plan.before.throughput)
    if plan.made is not None:
        statuses[plan.made.name] = "CREATING"
    if plan.removed is not None:
        statuses[plan.removed.name] = "DELETING"
        table = replace(table, indexes=(*table.indexes, plan.removed))
    try:
        counts = count_items(context, plan.after)
    except StaleCatalog:  # changed again already; this change is made, and must not be repeated
        counts = ItemCounts()
    return describe(table, counts, "UPDATING", statuses)


def _build_index(connection: sqlite3.Connection, table: EngineTable, index: EngineIndex) -> None:
    """Add an index to a table and fill it with the table's items."""

    def index_values(item: Item) -> tuple[Any, ...] | None:
        try:
            columns = index_columns((index,), item)
        except ValidationException:
            return None  # an item whose attribute is of another type is left out, as on AWS
        return None if columns[0] is None else columns

    catalog.add_columns(connection, table, index)
    _fill_columns(connection, table, index.own_columns, index_values)
    catalog.create_index(connection, table, index)


def fill_expiry(connection: sqlite3.Connection, table: EngineTable) -> None:
    """Store for every item when it expires; without a TTL attribute: never."""
    if table.ttl is None:
        connection.execute(f"UPDATE {table.rows} SET expires=NULL WHERE expires IS NOT NULL")
        return

    def expiry_values(item: Item) -> tuple[Any, ...] | None:
        expires = expiry(table.ttl, item)
        return None if expires is None else (expires,)

    _fill_columns(connection, table, ("expires",), expiry_values)


def _fill_columns(
    connection: sqlite3.Connection,
    table: EngineTable,
    columns: tuple[str, ...],
    values_of: Callable[[Item], tuple[Any, ...] | None],
) -> None:
    """Go through all rows, a thousand at a time, and set the columns where there is a value."""
    changes = ", ".join(f"{column}=?" for column in columns)
    update = f"UPDATE {table.rows} SET {changes} WHERE id=?"
    select = f"SELECT id, item FROM {table.rows} WHERE id > ? ORDER BY id LIMIT {_FILL_BATCH_ROWS}"
    last = 0
    while rows := connection.execute(select, (last,)).fetchall():
        filled = ((values_of(load_item(raw)), number) for number, raw in rows)
        connection.executemany(update, [(*v, number) for v, number in filled if v is not None])
        last = rows[-1][0]


def _plan_index_changes(
    plan: _TableChange, changes: Sequence[Mapping[str, Any]], request: Mapping[str, Any]
) -> _TableChange:
    if sum("Update" not in change for change in changes) > 1:
        raise LimitExceededException(
            "Subscriber limit exceeded: Only 1 online index can be created or deleted"
            " simultaneously per table"
        )
    for change in changes:
        [(action, entry)] = change.items()
        if action == "Create":
            plan = _plan_create(plan, entry, request)
        elif action == "Delete":
            index = _global_index(plan.after, entry, "delete")
            plan = replace(plan, after=plan.after.without_index(index.name), removed=index)
        else:
            plan = replace(plan, after=_with_index_throughput(plan.after, entry))
    if plan.before.per_request and not plan.after.per_request:
        for index in plan.after.global_indexes:
            if index.throughput == Throughput():
                raise invalid_value(
                    f"ProvisionedThroughput must be specified for index: {index.name}"
                )
    return plan


def _plan_create(
    plan: _TableChange, entry: Mapping[str, Any], request: Mapping[str, Any]
) -> _TableChange:
    name = entry["IndexName"]
    given = schema.read_definitions(request)
    if not given:
        raise invalid_value(f"AttributeDefinitions is not specified for index: {name}")
    if name in plan.before.index_by_name:
        raise ValidationException("Attempting to create an index which already exists")
    table = replace(plan.after, attributes=_merge_definitions(plan.after, given))
    # The key attributes must be defined in the request, also those that the table has already.
    defined = replace(table, attributes=given)
    index = schema.read_index(entry, "global", defined, slot=table.next_slot, is_new=False)
    schema.check_index_count("global", len(table.global_indexes) + 1)
    indexes = (*table.indexes, index)
    schema.check_projected_count(indexes)
    used = {*index.key.names, *(attribute.name for attribute in plan.after.attributes)}
    attributes = tuple(each for each in table.attributes if each.name in used)
    after = replace(table, indexes=indexes, attributes=attributes, next_slot=index.slot + 1)
    return replace(plan, after=after, made=index)


def _merge_definitions(
    table: EngineTable, given: tuple[KeySchemaElement, ...]
) -> tuple[KeySchemaElement, ...]:
    """Return the table's definitions with the request's; a known attribute keeps its type."""
    merged = {attribute.name: attribute for attribute in table.attributes}
    for attribute in given:
        known = merged.setdefault(attribute.name, attribute)
        if known != attribute:
            raise invalid_value(f"Attribute {attribute.name} is defined as {known.type} already")
    return tuple(merged.values())


def _global_index(table: EngineTable, entry: Mapping[str, Any], action: str) -> EngineIndex:
    name = entry["IndexName"]
    index = table.index_by_name.get(name)
    if index is None:
        raise ResourceNotFoundException(
            f"Requested resource not found: Index: {name} not found in table: {table.name}"
        )
    if index.kind != "global":
        raise ValidationException(
            f"Cannot {action} an index that is not a GlobalSecondaryIndex: {name}"
        )
    return index


def _with_index_throughput(table: EngineTable, entry: Mapping[str, Any]) -> EngineTable:
    index = _global_index(table, entry, "update")
    given = entry.get("ProvisionedThroughput")
    if table.per_request:
        if given is not None or not entry.keys() & {"OnDemandThroughput", "WarmThroughput"}:
            raise invalid_value(
                f"The only Updates for index: {index.name} when TableThroughputMode is"
                " PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput"
            )
        return table
    if given is None:
        raise invalid_value(f"ProvisionedThroughput must be specified for index: {index.name}")
    throughput = schema.read_throughput(given)
    if throughput == index.throughput:
        raise _same_throughput(throughput, f"the index {index.name}", f"index {index.name}")
    changed = replace(index, throughput=throughput)
    indexes = tuple(changed if each is index else each for each in table.indexes)
    return replace(table, indexes=indexes)


def _with_billing(context: Context, table: EngineTable, request: Mapping[str, Any]) -> EngineTable:
    mode = request.get("BillingMode", "")
    given = request.get("ProvisionedThroughput")
    if given is not None:
        return _provisioned(table, mode, given)
    if mode == "PROVISIONED":
        raise invalid_value(
            "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
        )
    if mode != "PAY_PER_REQUEST":
        return table
    if table.per_request:
        return replace(table)
    return replace(
        table,
        per_request=True,
        per_request_since=context.clock.now().timestamp(),
        throughput=Throughput(),
        indexes=tuple(replace(index, throughput=Throughput()) for index in table.indexes),
    )


def _provisioned(table: EngineTable, mode: str, given: Mapping[str, Any]) -> EngineTable:
    if mode == "PAY_PER_REQUEST" or (table.per_request and not mode):
        raise invalid_value(schema.THROUGHPUT_NOT_ALLOWED)
    new = schema.read_throughput(given)
    if not table.per_request and new == table.throughput:
        raise _same_throughput(new, "the table", "the table")
    return replace(table, per_request=False, throughput=new)


def _same_throughput(units: Throughput, subject: str, place: str) -> ValidationException:
    return ValidationException(
        f"The provisioned throughput for {subject} will not change. The requested value equals the"
        f" current value. Current ReadCapacityUnits provisioned for {place}: {units.read}."
        f" Requested ReadCapacityUnits: {units.read}. Current WriteCapacityUnits provisioned for"
        f" {place}: {units.write}. Requested WriteCapacityUnits: {units.write}. Refer to the Amazon"
        " DynamoDB Developer Guide for current limits and how to request higher limits."
    )
