"""The in-process client: boto3's method names and shapes, without HTTP and without botocore."""

from __future__ import annotations

from os import PathLike
from types import SimpleNamespace
from typing import Any, Self

from gotgan.errors import UsageError
from gotgan.settings import Synchronous
from gotgan.store.engine import faults
from gotgan.store.engine.engine import Engine
from gotgan.store.engine.iteration import PAGED, WAITERS, Paginator, Waiter
from gotgan.store.engine.shapes import check_request

__all__ = ["Client", "connect"]


def connect(
    path: str | PathLike[str] | None,
    *,
    synchronous: Synchronous = "full",
) -> Client:
    """Open the store in a file, or in memory (None), and return a client for it."""
    return Client(Engine(path, synchronous=synchronous))


class Client:
    """An engine as boto3's ``client("dynamodb")`` would show it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.exceptions = SimpleNamespace(**faults.BY_CODE, ClientError=faults.DynamoDBError)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()

    def batch_get_item(self, **request: Any) -> dict[str, Any]:
        """Read up to 100 items by their keys."""
        return self._call("BatchGetItem", request)

    def batch_write_item(self, **request: Any) -> dict[str, Any]:
        """Put and delete up to 25 items, each for itself."""
        return self._call("BatchWriteItem", request)

    def create_table(self, **request: Any) -> dict[str, Any]:
        """Make a table."""
        return self._call("CreateTable", request)

    def delete_item(self, **request: Any) -> dict[str, Any]:
        """Remove one item."""
        return self._call("DeleteItem", request)

    def delete_table(self, **request: Any) -> dict[str, Any]:
        """Remove a table and everything in it."""
        return self._call("DeleteTable", request)

    def describe_table(self, **request: Any) -> dict[str, Any]:
        """Describe a table and count its items."""
        return self._call("DescribeTable", request)

    def describe_time_to_live(self, **request: Any) -> dict[str, Any]:
        """Say whether a table's items expire."""
        return self._call("DescribeTimeToLive", request)

    def get_item(self, **request: Any) -> dict[str, Any]:
        """Read one item by its key."""
        return self._call("GetItem", request)

    def list_tables(self, **request: Any) -> dict[str, Any]:
        """List the names of the tables."""
        return self._call("ListTables", request)

    def put_item(self, **request: Any) -> dict[str, Any]:
        """Write one whole item."""
        return self._call("PutItem", request)

    def query(self, **request: Any) -> dict[str, Any]:
        """Read the items of one partition, in order, a page at a time."""
        return self._call("Query", request)

    def scan(self, **request: Any) -> dict[str, Any]:
        """Read all items of a table, a page at a time."""
        return self._call("Scan", request)

    def transact_get_items(self, **request: Any) -> dict[str, Any]:
        """Read up to 100 items as they are at one moment."""
        return self._call("TransactGetItems", request)

    def transact_write_items(self, **request: Any) -> dict[str, Any]:
        """Write up to 100 items, all or none."""
        return self._call("TransactWriteItems", request)

    def update_item(self, **request: Any) -> dict[str, Any]:
        """Change one item, or make it from its key."""
        return self._call("UpdateItem", request)

    def update_table(self, **request: Any) -> dict[str, Any]:
        """Change a table's billing, protection or global indexes."""
        return self._call("UpdateTable", request)

    def update_time_to_live(self, **request: Any) -> dict[str, Any]:
        """Turn the expiry of a table's items on or off."""
        return self._call("UpdateTimeToLive", request)

    def get_paginator(self, operation_name: str) -> Paginator:
        """Return an object that goes through all pages of list_tables, query or scan."""
        if operation_name not in PAGED:
            raise UsageError(
                f"{operation_name} has no pages. These have: {', '.join(sorted(PAGED))}.",
            )
        return Paginator(getattr(self, operation_name), *PAGED[operation_name])

    def get_waiter(self, waiter_name: str) -> Waiter:
        """Return an object that waits until a table is there (table_exists) or gone."""
        if waiter_name not in WAITERS:
            raise UsageError(f"There is no waiter {waiter_name}. There are: {', '.join(WAITERS)}.")
        return Waiter(self.describe_table, present=WAITERS[waiter_name])

    def _call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        check_request(operation, request)
        answer = self.engine.execute(operation, request)
        answer["ResponseMetadata"] = {
            "RequestId": "in-process",
            "HTTPStatusCode": 200,
            "HTTPHeaders": {},
            "RetryAttempts": 0,
        }
        return answer
