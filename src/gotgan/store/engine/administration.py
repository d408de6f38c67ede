"""CreateTable, DescribeTable, ListTables, DeleteTable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gotgan.store.engine import catalog, schema
from gotgan.store.engine.census import Census, count_items
from gotgan.store.engine.context import Context
from gotgan.store.engine.descriptions import describe
from gotgan.store.engine.faults import (
    ResourceNotFoundException,
    ValidationException,
)
from gotgan.store.engine.requests import MIN_NAME, bounded, choice, required, table_name
from gotgan.store.engine.tables import EngineTable

__all__ = ["create_table", "delete_table", "describe_table", "existing", "list_tables", "options"]

MOST_NAMES = 100
_INVALID = "One or more parameter values were invalid: "


def create_table(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Make a table; it can be used at once, although the answer says CREATING, as on AWS."""
    table = _read_table(context, request)
    created = context.database.write(lambda connection: catalog.create_table(connection, table))
    context.catalog.refresh()
    statuses = {index.name: "CREATING" for index in created.global_}
    return {"TableDescription": describe(created, Census(), "CREATING", statuses)}


def _read_table(context: Context, request: dict[str, Any]) -> EngineTable:
    if request.get("TableName") is None:
        raise ValidationException(
            "The parameter 'TableName' is required but was not present in the request",
        )
    name = table_name(request, least=MIN_NAME)
    definitions = schema.read_definitions(request)
    key = schema.read_key_schema(required(request, "KeySchema"), definitions)
    per_request, throughput = schema.read_billing(request)
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
        options=options(request),
    )
    indexes = schema.read_indexes(request, table)
    table = replace(table, indexes=indexes, next_slot=len(indexes) + 1)
    _check_definitions(table)
    return table


def _check_definitions(table: EngineTable) -> None:
    used = {*table.key.names, *(name for index in table.indexes for name in index.key.names)}
    if len(used) == len(table.attributes):
        return
    if table.indexes:
        unused = ", ".join(a.name for a in table.attributes if a.name not in used)
        raise ValidationException(
            f"{_INVALID}Some AttributeDefinitions are not used. AttributeDefinitions:"
            f" [{', '.join(a.name for a in table.attributes)}], unused: [{unused}]",
        )
    raise ValidationException(
        f"{_INVALID}Number of attributes in KeySchema does not exactly match number of attributes"
        " defined in AttributeDefinitions",
    )


def options(request: Mapping[str, Any]) -> dict[str, Any]:
    """Read what is taken and shown again, but has no effect on a single machine."""
    shown: dict[str, Any] = {}
    table_class = choice(request, "TableClass", ("STANDARD", "STANDARD_INFREQUENT_ACCESS"), "")
    if table_class:
        shown["TableClassSummary"] = {"TableClass": table_class}
    if request.get("OnDemandThroughput"):
        shown["OnDemandThroughput"] = dict(request["OnDemandThroughput"])
    return shown


def existing(context: Context, request: dict[str, Any]) -> EngineTable:
    """Return the table that a request is about, as the file has it now."""
    name = table_name(request)
    context.catalog.refresh()
    table = context.catalog.tables.get(name)
    if table is None:
        raise ResourceNotFoundException(f"Requested resource not found: Table: {name} not found")
    return table


def describe_table(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Describe a table and count its items."""
    table = existing(context, request)
    return {"Table": describe(table, count_items(context, table))}


def list_tables(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """List the names of the tables, in order."""
    limit = bounded(request, "Limit", 1, MOST_NAMES) or MOST_NAMES
    member = "ExclusiveStartTableName"
    start = table_name(request, member, MIN_NAME) if member in request else None
    context.catalog.refresh()
    names = [name for name in context.catalog.tables if start is None or name > start]
    answer: dict[str, Any] = {"TableNames": names[:limit]}
    if len(names) > limit:
        answer["LastEvaluatedTableName"] = names[limit - 1]
    return answer


def delete_table(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Remove a table and everything in it."""
    table = existing(context, request)
    if table.deletion_protection:
        raise ValidationException(
            "Resource cannot be deleted as it is currently protected against deletion. Disable"
            " deletion protection first.",
        )
    context.database.write(lambda connection: catalog.drop_table(connection, table))
    context.catalog.refresh()
    return {"TableDescription": describe(replace(table, indexes=()), Census(), "DELETING")}
