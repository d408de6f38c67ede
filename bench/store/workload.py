"""What is asked of every contestant: the table, its items, and the seven tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = [
    "ARCHIVE",
    "BATCH",
    "TABLE",
    "TASKS",
    "Task",
    "archive",
    "definition",
    "get_request",
    "item",
    "put_request",
]

TABLE = "bench"
BATCH = 25
ARCHIVE = 3000
"""Items that are there before anything is timed, in one partition of the table and of an index."""

_PAGE = 100
_NOTE = "Seoul, New York and back again: what is kept, and why it is kept once. " * 3
_INDEXES = ("by-state", "by-day")
_KEYS = {None: ("pk", "sk"), "by-state": ("state", "changed"), "by-day": ("day", "rank")}


def item(source: str, number: int) -> dict[str, Any]:
    """An item of about 400 bytes, as DynamoDB counts them, that is in both indexes."""
    return {
        "pk": {"S": f"SOURCE#{source}"},
        "sk": {"S": f"URL#https://example.com/{number:012d}"},
        "state": {"S": f"STATE#{source}#NEW"},
        "changed": {"S": f"2025-01-01T00:00:00#{number:012d}"},
        "day": {"S": f"DAY#{number // 500:09d}"},
        "rank": {"N": str(number)},
        "title": {"S": f"The {number}th thing that was found there, and what it is called"},
        "note": {"S": _NOTE[:185]},
        "tries": {"N": "3"},
        "fresh": {"BOOL": True},
    }


def definition(*, indexed: bool = True) -> dict[str, Any]:
    """The request that makes the table, with its two indexes or without."""
    schemas = {name: _KEYS[name] for name in (None, *(_INDEXES if indexed else ()))}
    attributes = [name for keys in schemas.values() for name in keys]
    request: dict[str, Any] = {
        "TableName": TABLE,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": "N" if name == "rank" else "S"}
            for name in attributes
        ],
        "KeySchema": _schema(*schemas.pop(None)),
    }
    if schemas:
        request["GlobalSecondaryIndexes"] = [
            {
                "IndexName": name,
                "KeySchema": _schema(*keys),
                "Projection": {"ProjectionType": "ALL"},
            }
            for name, keys in schemas.items()
        ]
    return request


def _schema(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]


@dataclass(frozen=True)
class Task:
    """One column: the client's method, its requests, and how many are timed in one go."""

    name: str
    label: str
    method: str
    chunk: int
    request: Callable[[int], dict[str, Any]]
    counted: Callable[[Any], int]


def archive() -> list[dict[str, Any]]:
    """The batches that fill the partition which is read."""
    return [_batch("archive", first) for first in range(0, ARCHIVE, BATCH)]


def put_request(number: int) -> dict[str, Any]:
    """A put of a new item, if it is not there."""
    return {
        "TableName": TABLE,
        "Item": item(f"put{number % 97:02d}", number),
        "ConditionExpression": "attribute_not_exists(pk)",
    }


def get_request(source: str, number: int) -> dict[str, Any]:
    """A read of one item by its key."""
    whole = item(source, number)
    return {"TableName": TABLE, "Key": {"pk": whole["pk"], "sk": whole["sk"]}}


def _batch(source: str, first: int) -> dict[str, Any]:
    numbers = range(first, first + BATCH)
    return {"RequestItems": {TABLE: [{"PutRequest": {"Item": item(source, n)}} for n in numbers]}}


def _query(index: str | None, first: int, limit: int | None) -> dict[str, Any]:
    """A page of the archive that begins at the item with this number."""
    partition = _KEYS[index][0]
    request: dict[str, Any] = {
        "TableName": TABLE,
        "KeyConditionExpression": "#partition = :partition",
        "ExpressionAttributeNames": {"#partition": partition},
        "ExpressionAttributeValues": {":partition": item("archive", 0)[partition]},
    }
    if index is not None:
        request["IndexName"] = index
    if limit is not None:
        request["Limit"] = limit
    if first:
        last = item("archive", first - 1)
        keys = {*_KEYS[None], *_KEYS[index]}
        request["ExclusiveStartKey"] = {name: last[name] for name in keys}
    return request


def _pages(index: str | None, limit: int | None) -> Callable[[int], dict[str, Any]]:
    count = ARCHIVE // limit if limit else 1
    return lambda number: _query(index, number % count * (limit or 0), limit)


def _found(answer: Any) -> int:
    return int("Item" in answer)


def _listed(answer: Any) -> int:
    return len(answer["Items"])


TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task("put", "put if absent", "put_item", 50, put_request, lambda _: 1),
        Task(
            "get",
            "get",
            "get_item",
            100,
            lambda number: get_request("archive", number * 7919 % ARCHIVE),
            _found,
        ),
        Task(
            "batch",
            "batch write, items",
            "batch_write_item",
            4,
            lambda number: _batch(f"batch{number % 97:02d}", number * BATCH),
            lambda _: BATCH,
        ),
        Task("table_100", "query, 100 a page", "query", 5, _pages(None, _PAGE), _listed),
        Task("table_mb", "query, 1 MB a page", "query", 1, _pages(None, None), _listed),
        Task("index_100", "index, 100 a page", "query", 5, _pages("by-state", _PAGE), _listed),
        Task("index_mb", "index, 1 MB a page", "query", 1, _pages("by-state", None), _listed),
    )
}
