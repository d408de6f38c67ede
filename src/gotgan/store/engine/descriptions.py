"""Tables as DescribeTable shows them."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

from gotgan.store.engine.census import Census
from gotgan.store.engine.keys import KeySchema
from gotgan.store.engine.tables import EngineIndex, EngineTable, IndexProjection, Throughput

__all__ = ["describe"]

_ARN = "arn:aws:dynamodb:local:000000000000:table/"
_IDS = uuid.UUID("5d0b1f7e-36a5-4f53-9b6b-0c8d8a3f2f10")


def describe(
    table: EngineTable,
    census: Census,
    status: str = "ACTIVE",
    statuses: dict[str, str] | None = None,
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
        "CreationDateTime": _date(table.created),
        "ProvisionedThroughput": _throughput(table.throughput),
        "TableSizeBytes": census.size,
        "ItemCount": census.count,
        "TableArn": _ARN + table.name,
        "TableId": str(uuid.uuid5(_IDS, f"{table.name}/{table.created}")),
        "DeletionProtectionEnabled": table.deletion_protection,
        **table.options,
    }
    if table.per_request_since is not None:
        description |= _billing(table)
    if table.local:
        description["LocalSecondaryIndexes"] = [_local(table, i, census) for i in table.local]
    if table.global_:
        description["GlobalSecondaryIndexes"] = [
            _global(table, index, census, (statuses or {}).get(index.name, "ACTIVE"))
            for index in table.global_
        ]
    return description


def _billing(table: EngineTable) -> dict[str, Any]:
    """Return the summary that a table has once it was billed per request."""
    mode = "PAY_PER_REQUEST" if table.per_request else "PROVISIONED"
    since = _date(table.per_request_since or table.created)
    return {
        "BillingModeSummary": {
            "BillingMode": mode,
            "LastUpdateToPayPerRequestDateTime": since,
        },
        "TableThroughputModeSummary": {"TableThroughputMode": mode},
    }


def _local(table: EngineTable, index: EngineIndex, census: Census) -> dict[str, Any]:
    count, size = census.indexes.get(index.name, (0, 0))
    return {
        "IndexName": index.name,
        "KeySchema": _key_schema(index.key),
        "Projection": _projection(index.projection),
        "IndexSizeBytes": size,
        "ItemCount": count,
        "IndexArn": f"{_ARN}{table.name}/index/{index.name}",
    }


def _global(table: EngineTable, index: EngineIndex, census: Census, status: str) -> dict[str, Any]:
    description = _local(table, index, census) | {
        "IndexStatus": status,
        "ProvisionedThroughput": _throughput(index.throughput),
    }
    if status == "CREATING":
        description["Backfilling"] = False
    return description


def _key_schema(key: KeySchema) -> list[dict[str, str]]:
    return [
        {"AttributeName": attribute.name, "KeyType": kind}
        for attribute, kind in zip(key.attributes, ("HASH", "RANGE"), strict=False)
    ]


def _projection(projection: IndexProjection) -> dict[str, Any]:
    shown: dict[str, Any] = {"ProjectionType": projection.type}
    if projection.attributes:
        shown["NonKeyAttributes"] = list(projection.attributes)
    return shown


def _throughput(throughput: Throughput) -> dict[str, int]:
    return {
        "NumberOfDecreasesToday": 0,
        "ReadCapacityUnits": throughput.read,
        "WriteCapacityUnits": throughput.write,
    }


def _date(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
