"""The in-process client: boto3's method names and shapes, without HTTP and without botocore."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from types import SimpleNamespace
from typing import Any, Final, Self, TypeAlias

from gotgan.errors import StoreError, UsageError
from gotgan.settings import Synchronous
from gotgan.store.engine import faults
from gotgan.store.engine.engine import Engine
from gotgan.store.engine.request_checks import check_request

_ClientMethod: TypeAlias = Callable[..., dict[str, Any]]

# method: the member of an answer that says where it ended, the member of the next request that
# continues there, and the members that make up a whole result
_PAGINATED: Final = {
    "list_tables": ("LastEvaluatedTableName", "ExclusiveStartTableName", ("TableNames",)),
    "query": ("LastEvaluatedKey", "ExclusiveStartKey", ("Items", "Count", "ScannedCount")),
    "scan": ("LastEvaluatedKey", "ExclusiveStartKey", ("Items", "Count", "ScannedCount")),
}
_WAITERS: Final = {"table_exists": True, "table_not_exists": False}
_WAITER_DELAY_S = 20
_WAITER_MAX_ATTEMPTS = 25


def connect(path: str | PathLike[str] | None, *, synchronous: Synchronous = "full") -> Client:
    """Open the store in a file, or in memory (None), and return a client for it."""
    return Client(Engine(path, synchronous=synchronous))


def _method(operation: str) -> _ClientMethod:
    def call(client: Client | StreamsClient, **request: Any) -> dict[str, Any]:
        check_request(operation, request)
        answer = client.engine.execute(operation, request)
        answer["ResponseMetadata"] = {
            "RequestId": "in-process",
            "HTTPStatusCode": 200,
            "HTTPHeaders": {},
            "RetryAttempts": 0,
        }
        return answer

    return call


class StreamsClient:
    """An engine as boto3's ``client("dynamodbstreams")`` would show it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.exceptions = _exceptions()

    describe_stream = _method("DescribeStream")
    get_records = _method("GetRecords")
    get_shard_iterator = _method("GetShardIterator")
    list_streams = _method("ListStreams")


def _exceptions() -> SimpleNamespace:
    return SimpleNamespace(**faults.BY_CODE, ClientError=faults.DynamoDBError)


class Client:
    """An engine as boto3's ``client("dynamodb")`` would show it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.exceptions = _exceptions()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the engine."""
        self.engine.close()

    batch_execute_statement = _method("BatchExecuteStatement")
    batch_get_item = _method("BatchGetItem")
    batch_write_item = _method("BatchWriteItem")
    create_table = _method("CreateTable")
    delete_item = _method("DeleteItem")
    delete_table = _method("DeleteTable")
    describe_continuous_backups = _method("DescribeContinuousBackups")
    describe_endpoints = _method("DescribeEndpoints")
    describe_limits = _method("DescribeLimits")
    describe_table = _method("DescribeTable")
    describe_time_to_live = _method("DescribeTimeToLive")
    execute_statement = _method("ExecuteStatement")
    execute_transaction = _method("ExecuteTransaction")
    get_item = _method("GetItem")
    list_tables = _method("ListTables")
    list_tags_of_resource = _method("ListTagsOfResource")
    put_item = _method("PutItem")
    query = _method("Query")
    scan = _method("Scan")
    tag_resource = _method("TagResource")
    transact_get_items = _method("TransactGetItems")
    transact_write_items = _method("TransactWriteItems")
    untag_resource = _method("UntagResource")
    update_item = _method("UpdateItem")
    update_table = _method("UpdateTable")
    update_time_to_live = _method("UpdateTimeToLive")

    def get_paginator(self, operation_name: str) -> Paginator:
        """Return an object that goes through all pages of list_tables, query or scan."""
        if operation_name not in _PAGINATED:
            raise UsageError(
                f"{operation_name} has no pages. These have: {', '.join(sorted(_PAGINATED))}."
            )
        return Paginator(getattr(self, operation_name), *_PAGINATED[operation_name])

    def get_waiter(self, waiter_name: str) -> Waiter:
        """Return an object that waits until a table is there (table_exists) or gone."""
        if waiter_name not in _WAITERS:
            raise UsageError(f"There is no waiter {waiter_name}. There are: {', '.join(_WAITERS)}.")
        return Waiter(self.describe_table, present=_WAITERS[waiter_name])


class Paginator:
    """Goes through all pages of one operation."""

    def __init__(self, call: _ClientMethod, end: str, start: str, parts: tuple[str, ...]) -> None:
        self._call, self._end, self._start, self._parts = call, end, start, parts

    def paginate(self, **request: Any) -> Pages:
        """Return the pages; PaginationConfig takes MaxItems, PageSize and StartingToken."""
        config = request.pop("PaginationConfig", None) or {}
        if config.get("StartingToken"):
            request[self._start] = config["StartingToken"]
        pages = self._iterate(request, config.get("PageSize"), config.get("MaxItems"))
        return Pages(pages, self._end, self._parts)

    def _iterate(
        self, request: dict[str, Any], size: int | None, left: int | None
    ) -> Iterator[dict[str, Any]]:
        """Request no more than is wanted, so that the next call continues after the last page."""
        while True:
            limits = [limit for limit in (size, left) if limit is not None]
            page = self._call(**request, **({"Limit": min(limits)} if limits else {}))
            yield page
            if left is not None:
                left -= len(page.get(self._parts[0], ()))
            if self._end not in page or left == 0:
                return
            request = {**request, self._start: page[self._end]}


class Pages:
    """The pages of one result, to go through once."""

    def __init__(self, pages: Iterator[dict[str, Any]], end: str, parts: tuple[str, ...]) -> None:
        self._pages, self._end, self._parts = pages, end, parts

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._pages

    def build_full_result(self) -> dict[str, Any]:
        """Return all pages as one; where MaxItems ended it, NextToken says where to continue."""
        whole: dict[str, Any] = {}
        page: dict[str, Any] = {}
        for page in self._pages:
            for part in self._parts:
                if part in page:
                    whole[part] = whole[part] + page[part] if part in whole else page[part]
        if self._end in page:
            whole["NextToken"] = page[self._end]
        return whole


class Waiter:
    """Waits until a table is there, or until it is gone."""

    def __init__(self, describe: _ClientMethod, *, present: bool) -> None:
        self._describe, self._present = describe, present

    def wait(self, TableName: str, WaiterConfig: Mapping[str, int] | None = None) -> None:  # noqa: N803 - boto3's names
        """Poll the table, with boto3's pauses."""
        config = WaiterConfig or {}
        for tries in range(config.get("MaxAttempts", _WAITER_MAX_ATTEMPTS)):
            if tries:
                threading.Event().wait(config.get("Delay", _WAITER_DELAY_S))
            try:
                self._describe(TableName=TableName)
                is_there = True
            except faults.ResourceNotFoundException:
                is_there = False
            if is_there == self._present:
                return
        wish = "exist" if self._present else "go away"
        raise StoreError(f"Waited in vain for the table {TableName} to {wish}.")
