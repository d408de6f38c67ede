"""CreateTable, DescribeTable, ListTables, DeleteTable, and what AWS says about the account."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from gotgan.store.engine import catalog, schema
from gotgan.store.engine.catalog import Context, EngineIndex, EngineTable, Throughput
from gotgan.store.engine.faults import (
    ResourceNotFoundException,
    TableNotFoundException,
    ValidationException,
)
from gotgan.store.engine.keys import KeySchema
from gotgan.store.engine.requests import (
    ARN_PREFIX,
    table_name,
)
from gotgan.store.engine.shapes import MAX_TABLE_NAMES
from gotgan.store.engine.streams import (
    describe_stream_of,
    enable_stream,
    end_stream,
    read_new_stream,
)
from gotgan.store.engine.tags import read_tags

_RECOUNT_FACTOR = 20
_FAST_COUNT_S = 0.005
_TABLE_CLASSES = ("STANDARD", "STANDARD_INFREQUENT_ACCESS")
_TABLE_ID_NAMESPACE = uuid.UUID("5d0b1f7e-36a5-4f53-9b6b-0c8d8a3f2f10")


def create_table(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Make a table; it can be used at once, although the answer says CREATING, as on AWS."""
    table = _read_table(context, request)
    view_type = read_new_stream(request)

    def work(connection: sqlite3.Connection) -> EngineTable:
        entered = catalog.insert_table(connection, table)
        if view_type is None:
            return entered
        return enable_stream(connection, entered, view_type, context.clock.now())

    created = context.database.write(work)
    context.catalog.refresh()
    statuses = {index.name: "CREATING" for index in created.global_indexes}
    return {"TableDescription": describe(created, ItemCounts(), "CREATING", statuses)}


def _read_table(context: Context, request: dict[str, Any]) -> EngineTable:
    schema.refuse_vector_indexes(request)
    name = request["TableName"]
    per_request, throughput = schema.read_billing(request)
    definitions = schema.read_new_definitions(request)
    key = schema.read_key_schema(request["KeySchema"], definitions)
    schema.check_definitions(request, definitions)
    now = context.clock.now().timestamp()
    table = EngineTable(
        number=0,
        revision=0,
        name=name,
        key=key,
        attributes=definitions,
        created=now,
        throughput=throughput,
        per_request=per_request,
        per_request_since=now if per_request else None,
        deletion_protection=bool(request.get("DeletionProtectionEnabled")),
        options=table_options(request),
        tags=read_tags(request.get("Tags") or []),
    )
    indexes = schema.read_indexes(request, table)
    return replace(table, indexes=indexes, next_slot=len(indexes) + 1)


def table_options(request: Mapping[str, Any]) -> dict[str, Any]:
    """Read what is stored and described, but has no effect on a single machine."""
    options: dict[str, Any] = {}
    if (table_class := request.get("TableClass")) is not None:
        if table_class not in _TABLE_CLASSES:
            raise ValidationException(
                "Invalid table-class parameter provided. Please try again with a valid table-class"
                f" value: [{', '.join(_TABLE_CLASSES)}]."
            )
        options["TableClassSummary"] = {"TableClass": table_class}
    if request.get("OnDemandThroughput"):
        options["OnDemandThroughput"] = dict(request["OnDemandThroughput"])
    return options


def existing_table(context: Context, request: dict[str, Any]) -> EngineTable:
    """Return the table that a request is about, as the file has it now."""
    name = table_name(request)
    context.catalog.refresh()
    table = context.catalog.tables.get(name)
    if table is None:
        raise ResourceNotFoundException(f"Requested resource not found: Table: {name} not found")
    return table


def describe_table(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Describe a table and count its items."""
    table = existing_table(context, request)
    return {"Table": describe(table, count_items(context, table))}


def list_tables(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """List the names of the tables, in order."""
    limit = request.get("Limit", MAX_TABLE_NAMES)
    start = request.get("ExclusiveStartTableName")
    context.catalog.refresh()
    names = [name for name in context.catalog.tables if start is None or name > start]
    answer: dict[str, Any] = {"TableNames": names[:limit]}
    if len(names) > limit:
        answer["LastEvaluatedTableName"] = names[limit - 1]
    return answer


def delete_table(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Remove a table and everything in it."""
    table = existing_table(context, request)
    if table.deletion_protection:
        raise ValidationException(
            "Resource cannot be deleted as it is currently protected against deletion. Disable"
            " deletion protection first."
        )

    def work(connection: sqlite3.Connection) -> None:
        catalog.drop_table(connection, table)
        end_stream(connection, table, context.clock.now())

    context.database.write(work)
    context.catalog.refresh()
    description = describe(replace(table, indexes=()), ItemCounts(), "DELETING")
    for member in ("AttributeDefinitions", "KeySchema", "CreationDateTime"):  # AWS leaves them out
        del description[member]
    return {"TableDescription": description}


def describe_limits(_context: Context, _request: dict[str, Any]) -> dict[str, Any]:
    """Return the capacity that an account has by default on AWS; nothing here is limited by it."""
    return {
        "AccountMaxReadCapacityUnits": 80_000,
        "AccountMaxWriteCapacityUnits": 80_000,
        "TableMaxReadCapacityUnits": 40_000,
        "TableMaxWriteCapacityUnits": 40_000,
    }


def describe_endpoints(_context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Return where requests go: the address that was called, never one of AWS."""
    address = request.get("Address", "localhost")
    return {"Endpoints": [{"Address": address, "CachePeriodInMinutes": 1440}]}


def describe_continuous_backups(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Return what a table has on AWS unless point-in-time recovery is turned on."""
    try:
        existing_table(context, request)
    except ResourceNotFoundException:
        name = table_name(request)
        raise TableNotFoundException(f"Table not found: {name}") from None
    return {
        "ContinuousBackupsDescription": {
            "ContinuousBackupsStatus": "ENABLED",
            "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"},
        }
    }


@dataclass(frozen=True)
class ItemCounts:
    """The number of items, their size in bytes, and both for each index."""

    count: int = 0
    size: int = 0
    indexes: dict[str, tuple[int, int]] = field(default_factory=dict)


def count_items(context: Context, table: EngineTable) -> ItemCounts:
    """Count, or return the last count while it is too early for another.

    AWS counts every six hours. Here a small table is counted each time; a large one is counted
    again only after twenty times as long as the last count took.
    """
    started = context.clock.monotonic()
    known: tuple[float, ItemCounts] | None = context.counts.get(table.number)
    if known is not None and started < known[0]:
        return known[1]
    counts = context.database.read(lambda connection: _count_rows(connection, table), begin=True)
    now = context.clock.monotonic()
    took = now - started
    if took > _FAST_COUNT_S:
        context.counts[table.number] = (now + _RECOUNT_FACTOR * took, counts)
    return counts


def _count_rows(connection: sqlite3.Connection, table: EngineTable) -> ItemCounts:
    def total(where: str = "") -> tuple[int, int]:
        sql = f"SELECT count(*), coalesce(sum(size), 0) FROM {table.rows}{where}"
        row: tuple[int, int] = connection.execute(sql).fetchone()
        return row

    # An index that holds parts of items is described with the size of the whole ones.
    indexes = {index.name: total(f" WHERE {index.presence}") for index in table.indexes}
    return ItemCounts(*total(), indexes)


def describe(
    table: EngineTable,
    counts: ItemCounts,
    status: str = "ACTIVE",
    statuses: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the TableDescription; ``statuses`` names the indexes that are not just ACTIVE."""
    description: dict[str, Any] = {
        "AttributeDefinitions": [
            {"AttributeName": attribute.name, "AttributeType": attribute.type}
            for attribute in table.attributes
        ],
        "TableName": table.name,
        "KeySchema": _key_schema(table.key),
        "TableStatus": status,
        "CreationDateTime": datetime.fromtimestamp(table.created, UTC),
        "ProvisionedThroughput": _throughput(table.throughput),
        "TableSizeBytes": counts.size,
        "ItemCount": counts.count,
        "TableArn": ARN_PREFIX + table.name,
        "TableId": str(uuid.uuid5(_TABLE_ID_NAMESPACE, f"{table.name}/{table.created}")),
        "DeletionProtectionEnabled": table.deletion_protection,
        **table.options,
        **describe_stream_of(table),
    }
    if table.per_request_since is not None:  # it was billed per request at some time
        mode = "PAY_PER_REQUEST" if table.per_request else "PROVISIONED"
        since = datetime.fromtimestamp(table.per_request_since or table.created, UTC)
        description |= {
            "BillingModeSummary": {"BillingMode": mode, "LastUpdateToPayPerRequestDateTime": since},
            "TableThroughputModeSummary": {"TableThroughputMode": mode},
        }
    if table.local_indexes:
        description["LocalSecondaryIndexes"] = [
            _describe_index(table, index, counts) for index in table.local_indexes
        ]
    if table.global_indexes:
        description["GlobalSecondaryIndexes"] = [
            _describe_global_index(table, index, counts, (statuses or {}).get(index.name, "ACTIVE"))
            for index in table.global_indexes
        ]
    return description


def _describe_index(table: EngineTable, index: EngineIndex, counts: ItemCounts) -> dict[str, Any]:
    count, size = counts.indexes.get(index.name, (0, 0))
    projection: dict[str, Any] = {"ProjectionType": index.projection.type}
    if index.projection.attributes:
        projection["NonKeyAttributes"] = list(index.projection.attributes)
    return {
        "IndexName": index.name,
        "KeySchema": _key_schema(index.key),
        "Projection": projection,
        "IndexSizeBytes": size,
        "ItemCount": count,
        "IndexArn": f"{ARN_PREFIX}{table.name}/index/{index.name}",
    }


def _describe_global_index(
    table: EngineTable, index: EngineIndex, counts: ItemCounts, status: str
) -> dict[str, Any]:
    description = _describe_index(table, index, counts) | {
        "IndexStatus": status,
        "ProvisionedThroughput": _throughput(index.throughput),
    }
    if status == "CREATING":
        description["Backfilling"] = False
    return description


def _key_schema(key: KeySchema) -> list[dict[str, str]]:
    return [
        {"AttributeName": attribute.name, "KeyType": kind}
        for kind, attributes in (("HASH", key.partition), ("RANGE", key.sort))
        for attribute in attributes
    ]


def _throughput(throughput: Throughput) -> dict[str, int]:
    return {
        "NumberOfDecreasesToday": 0,
        "ReadCapacityUnits": throughput.read,
        "WriteCapacityUnits": throughput.write,
    }
