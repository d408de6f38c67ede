"""Building tables for the tests, and a short way to speak to one."""

from __future__ import annotations

import itertools
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from .shapes import item, plain

__all__ = [
    "Index",
    "MakeTable",
    "Table",
    "create_table",
    "everything",
    "pages",
    "table_request",
    "unique_name",
]

Answer = dict[str, Any]


@dataclass(frozen=True)
class Index:
    """A secondary index: ``Index("by_state", "state:S at:N", "KEYS_ONLY")``.

    ``project`` is a projection type, or a tuple of the attributes to include. A slash separates
    partition and sort key where one has several attributes: ``"year:N month:N / at:N"``.
    """

    name: str
    key: str
    project: str | tuple[str, ...] = "ALL"

    def request(self) -> dict[str, Any]:
        """The index as CreateTable takes it."""
        projection: dict[str, Any] = (
            {"ProjectionType": self.project}
            if isinstance(self.project, str)
            else {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(self.project)}
        )
        return {
            "IndexName": self.name,
            "KeySchema": _key_schema(self.key),
            "Projection": projection,
        }


def _attributes(key: str) -> list[tuple[str, str]]:
    parts = (part for part in key.split() if part != "/")
    return [(name, kind) for name, kind in (part.split(":") for part in parts)]


def _key_schema(key: str) -> list[dict[str, str]]:
    pair = key if "/" in key else key.replace(" ", " / ", 1)
    return [
        {"AttributeName": name, "KeyType": role}
        for role, half in zip(("HASH", "RANGE"), pair.split("/"), strict=False)
        for name, _ in _attributes(half)
    ]


def table_request(
    key: str = "pk:S", *, gsi: Iterable[Index] = (), lsi: Iterable[Index] = (), **members: object
) -> dict[str, Any]:
    """A CreateTable request without its name; ``key`` reads ``"pk:S sk:N"``."""
    gsi, lsi = list(gsi), list(lsi)
    keys = [key, *(index.key for index in (*gsi, *lsi))]
    kinds = dict(itertools.chain.from_iterable(_attributes(k) for k in keys))
    request: dict[str, Any] = {
        "KeySchema": _key_schema(key),
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": kind} for name, kind in kinds.items()
        ],
        "BillingMode": "PAY_PER_REQUEST",
    }
    if gsi:
        request["GlobalSecondaryIndexes"] = [index.request() for index in gsi]
    if lsi:
        request["LocalSecondaryIndexes"] = [index.request() for index in lsi]
    return request | members


def unique_name(prefix: str = "contract") -> str:
    """A table name that no other test uses."""
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def pages(call: Callable[..., Answer], **request: Any) -> Iterator[Answer]:
    """Every page of a Query or Scan, following LastEvaluatedKey to the end."""
    while True:
        page = call(**request)
        yield page
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def everything(call: Callable[..., Answer], **request: Any) -> list[dict[str, Any]]:
    """The items of every page, as plain Python values."""
    return [plain(found) for page in pages(call, **request) for found in page["Items"]]


@dataclass(frozen=True)
class Table:
    """One table: every client method with its TableName filled in, and the shortest calls."""

    client: Any
    name: str

    def __getattr__(self, method: str) -> Callable[..., Answer]:
        if method.startswith("_"):
            raise AttributeError(method)
        return partial(getattr(self.client, method), TableName=self.name)

    def put(self, **attributes: object) -> None:
        """Put an item of plain Python values."""
        self.put_item(Item=item(attributes))

    def get(self, **key: object) -> dict[str, Any] | None:
        """Read an item as plain Python values; None where there is none."""
        answer = self.get_item(Key=item(key), ConsistentRead=True)
        return plain(answer["Item"]) if "Item" in answer else None

    def fill(self, items: Iterable[Mapping[str, object]], batch: int = 25) -> None:
        """Put many items."""
        puts = [{"PutRequest": {"Item": item(attributes)}} for attributes in items]
        for start in range(0, len(puts), batch):
            chunk = puts[start : start + batch]
            answer = self.client.batch_write_item(RequestItems={self.name: chunk})
            assert answer["UnprocessedItems"] == {}

    def settle(self) -> dict[str, Any]:
        """Wait until the table and its indexes are active; the description then."""
        while True:
            description: dict[str, Any] = self.describe_table()["Table"]
            indexes = description.get("GlobalSecondaryIndexes", [])
            states = {description["TableStatus"], *(index["IndexStatus"] for index in indexes)}
            if states == {"ACTIVE"}:
                return description
            time.sleep(0.02)


MakeTable = Callable[..., Table]


def create_table(client: Any, key: str = "pk:S", **members: Any) -> Table:
    """Make a table that is ready to be used; arguments as for ``table_request``."""
    table = Table(client, members.pop("name", None) or unique_name())
    table.create_table(**table_request(key, **members))
    table.settle()
    return table
