"""The requests that create a declared table, and its name inside a template."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from gotgan.store.tables import (
    AS_DECLARED,
    KEYS_ONLY,
    Index,
    Names,
    Projection,
    Table,
)

_MAX_LOGICAL_ID: Final = 200


def create_request(table: Table, names: Names = AS_DECLARED) -> dict[str, Any]:
    """The CreateTable request of a table with all its indexes."""
    request: dict[str, Any] = {
        "TableName": names.of(table),
        "AttributeDefinitions": [
            _definition(name, kind) for name, kind in table.attribute_types().items()
        ],
        "KeySchema": key_schema(table),
        "BillingMode": "PROVISIONED" if table.billing else "PAY_PER_REQUEST",
        **_throughput(table),
    }
    if local := [_index(index, names) for index in table.indexes.values() if index.local]:
        request["LocalSecondaryIndexes"] = local
    if global_ := [_index(index, names) for index in table.indexes.values() if not index.local]:
        request["GlobalSecondaryIndexes"] = global_
    if table.stream:
        request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": table.stream}
    return request


def index_request(index: Index, names: Names = AS_DECLARED) -> dict[str, Any]:
    """The UpdateTable request that adds a global index to a table that is there."""
    types = index.table.attribute_types()
    return {
        "TableName": names.of(index.table),
        "AttributeDefinitions": [_definition(key.name, types[key.name]) for key in index.keys],
        "GlobalSecondaryIndexUpdates": [{"Create": _index(index, names)}],
    }


def ttl_request(table: Table, names: Names = AS_DECLARED) -> dict[str, Any] | None:
    """The UpdateTimeToLive request; None where nothing expires."""
    if table.ttl is None:
        return None
    specification = {"AttributeName": table.ttl, "Enabled": True}
    return {"TableName": names.of(table), "TimeToLiveSpecification": specification}


def key_schema(place: Table | Index) -> list[dict[str, str]]:
    """The partition key, and the sort key where there is one, as DynamoDB writes them."""
    return [
        {"AttributeName": key.name, "KeyType": kind}
        for kind, keys in (("HASH", place.partition), ("RANGE", place.sort))
        for key in keys
    ]


def projection(project: Projection) -> dict[str, Any]:
    """What an index holds beside the keys, as DynamoDB writes it."""
    if isinstance(project, str):
        return {"ProjectionType": project}
    if not project:  # DynamoDB refuses an INCLUDE of nothing
        return {"ProjectionType": KEYS_ONLY}
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(project)}


def _index(index: Index, names: Names) -> dict[str, Any]:
    return {
        "IndexName": names.of(index),
        "KeySchema": key_schema(index),
        "Projection": projection(index.project),
        **({} if index.local else _throughput(index.table)),
    }


def _definition(name: str, kind: str) -> dict[str, str]:
    return {"AttributeName": name, "AttributeType": kind}


def _throughput(table: Table) -> dict[str, Any]:
    """What is provisioned: the same for a table and for each of its global indexes."""
    if table.billing is None:
        return {}
    units = {"ReadCapacityUnits": table.billing.read, "WriteCapacityUnits": table.billing.write}
    return {"ProvisionedThroughput": units}


def logical_ids(tables: Iterable[Table]) -> list[str]:
    """What a template calls its tables, in their order: ``news_items`` is NewsItemsTable."""
    ids: list[str] = []
    for table in tables:
        words = [word for word in re.split(r"[^A-Za-z0-9]+", table.name) if word]
        joined = "".join(word[0].upper() + word[1:] for word in words)[:_MAX_LOGICAL_ID]
        wanted = joined if joined.endswith("Table") else f"{joined}Table"
        taken = sum(each.rstrip("0123456789") == wanted for each in ids)
        ids.append(f"{wanted}{taken + 1}" if taken else wanted)
    return ids
