"""The engine: one open store, and the entry point to it that all fronts share."""

from __future__ import annotations

import binascii
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import orjson

from gotgan.clock import Clock, SystemClock
from gotgan.errors import StoreClosed, UsageError
from gotgan.events import emit
from gotgan.settings import Synchronous
from gotgan.store.engine import streams, ttl
from gotgan.store.engine.catalog import Catalog, Context
from gotgan.store.engine.database import EngineDatabase
from gotgan.store.engine.faults import (
    DynamoDBError,
    InternalServerError,
    TransactionCanceledException,
    UnknownOperationException,
    ValidationException,
)
from gotgan.store.engine.fileformat import StaleCatalog, corrupt_error
from gotgan.store.engine.items import (
    batch_get_item,
    batch_write_item,
    delete_item,
    get_item,
    put_item,
    update_item,
)
from gotgan.store.engine.legacy import LEGACY, translate
from gotgan.store.engine.partiql.batches import batch_execute_statement, execute_transaction
from gotgan.store.engine.partiql.execution import execute_statement
from gotgan.store.engine.queries import query, scan
from gotgan.store.engine.request_checks import check_constraints, member_tests
from gotgan.store.engine.stream_reads import (
    describe_stream,
    get_records,
    get_shard_iterator,
    list_streams,
)
from gotgan.store.engine.table_admin import (
    create_table,
    delete_table,
    describe_continuous_backups,
    describe_endpoints,
    describe_limits,
    describe_table,
    list_tables,
)
from gotgan.store.engine.table_updates import update_table
from gotgan.store.engine.tags import list_tags_of_resource, tag_resource, untag_resource
from gotgan.store.engine.transactions import transact_get_items, transact_write_items
from gotgan.store.engine.ttl import Sweeper, describe_time_to_live, update_time_to_live
from gotgan.store.engine.values import StoredItems

Operation: TypeAlias = Callable[[Context, dict[str, Any]], dict[str, Any]]

OPERATIONS: Final[dict[str, Operation]] = {
    "BatchExecuteStatement": batch_execute_statement,
    "BatchGetItem": batch_get_item,
    "BatchWriteItem": batch_write_item,
    "CreateTable": create_table,
    "DeleteItem": delete_item,
    "DeleteTable": delete_table,
    "DescribeContinuousBackups": describe_continuous_backups,
    "DescribeEndpoints": describe_endpoints,
    "DescribeLimits": describe_limits,
    "DescribeStream": describe_stream,
    "DescribeTable": describe_table,
    "DescribeTimeToLive": describe_time_to_live,
    "ExecuteStatement": execute_statement,
    "ExecuteTransaction": execute_transaction,
    "GetItem": get_item,
    "GetRecords": get_records,
    "GetShardIterator": get_shard_iterator,
    "ListStreams": list_streams,
    "ListTables": list_tables,
    "ListTagsOfResource": list_tags_of_resource,
    "PutItem": put_item,
    "Query": query,
    "Scan": scan,
    "TagResource": tag_resource,
    "TransactGetItems": transact_get_items,
    "TransactWriteItems": transact_write_items,
    "UntagResource": untag_resource,
    "UpdateItem": update_item,
    "UpdateTable": update_table,
    "UpdateTimeToLive": update_time_to_live,
}
_MAX_ATTEMPTS = 10
# What may make a table whose items expire, or a stream whose records are trimmed.
_STARTS_SWEEPING = frozenset({"CreateTable", "UpdateTable", "UpdateTimeToLive"})
# What most requests for items need, once their table is known: a member that must be there, and the
# tests of those that have constraints; one in the legacy notation fails and is looked at properly.
_QUICK_TESTS: Final = {
    operation: (key, member_tests(operation) | dict.fromkeys(LEGACY, lambda _: False))
    for operation, key in (
        ("DeleteItem", "Key"),
        ("GetItem", "Key"),
        ("PutItem", "Item"),
        ("Query", "KeyConditionExpression"),
        ("Scan", "TableName"),
        ("UpdateItem", "Key"),
    )
}


class Engine:
    """DynamoDB's operations on one SQLite file, or in memory.

    An engine can be shared by all threads of a process; other processes may open the same file.
    """

    def __init__(
        self,
        path: str | PathLike[str] | None,
        *,
        synchronous: Synchronous = "full",
        clock: Clock | None = None,
    ) -> None:
        """Open the file, making it where it is missing; None is memory."""
        if path is not None and str(path) == ":memory:":
            raise UsageError("None is memory here: say Engine(None) or connect(None).")
        clock = clock or SystemClock()
        functions = streams.sql_functions(clock)
        database = EngineDatabase(None if path is None else Path(path), synchronous, functions)
        try:
            catalog = Catalog(database)
        except BaseException:
            database.close()
            raise
        self._context = Context(database, catalog, clock)
        self._raw_context = replace(self._context, load=orjson.Fragment, load_all=_fragments)
        pages = partial(StoredItems, damaged=partial(corrupt_error, database.path))
        self._lazy_context = replace(self._context, load_all=pages)
        self._sweeper = Sweeper(self.sweep)
        emit("engine.opened", level="debug", path=str(path), synchronous=synchronous)
        self._start_sweeping()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path | None:
        """The file that holds everything; None is memory."""
        return self._context.database.path

    def close(self) -> None:
        """Close the file; later calls raise StoreClosed."""
        self._sweeper.stop()
        self._context.database.close()

    def backup(self, path: str | PathLike[str]) -> None:
        """Write a whole copy of the store to another file, while it is in use.

        Copying the file by other means can miss what is still in its log.
        """
        target = Path(path)
        if target.exists():
            raise UsageError(f"{target} is there already. Name a file that is not.")
        self._context.database.copy_to(target)

    def check(self) -> None:
        """Raise unless the file can be read and written."""

        def work(connection: sqlite3.Connection) -> None:
            # A value that stays what it is would not be written.
            connection.execute("UPDATE numbers SET last = last + 1")
            connection.execute("UPDATE numbers SET last = last - 1")

        self._context.database.write(work)

    def execute(
        self, operation: str, request: dict[str, Any], *, raw: bool = False, lazy: bool = False
    ) -> dict[str, Any]:
        """Carry out one operation; ``raw`` leaves whole items as JSON, for orjson to embed.

        ``lazy`` leaves the whole items of a page to be read when they are looked at.
        """
        context = self._raw_context if raw else self._lazy_context if lazy else self._context
        try:
            carry_out = OPERATIONS.get(operation)
            if carry_out is None:
                raise UnknownOperationException(f"There is no operation {operation} here")
            request = self._valid_request(operation, request)
            for _ in range(_MAX_ATTEMPTS):
                try:
                    answer = carry_out(context, request)
                    break
                except StaleCatalog:
                    context.catalog.refresh()
                    self._start_sweeping()  # another process may have turned expiry on
                except (ValidationException, TransactionCanceledException) as fault:
                    # What does not fit a table as it was may fit it as another process made it.
                    if not _is_about_shape(fault) or not context.catalog.has_changed():
                        raise
                except (orjson.JSONDecodeError, binascii.Error) as error:
                    # No request is parsed here, only what is stored.
                    raise corrupt_error(self.path, error) from error
            else:
                raise InternalServerError("The table's definition kept changing. Try again.")
        except DynamoDBError as fault:
            fault.operation_name = operation
            raise
        if operation in _STARTS_SWEEPING:
            self._start_sweeping()
        return answer

    def _valid_request(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Refuse what breaks a constraint, and return the request in the notation of today."""
        key, tests = _QUICK_TESTS.get(operation, ("", {}))
        if key in request and request.get("TableName") in self._context.catalog.tables:
            for name, value in request.items():
                test = tests.get(name)
                if test is not None and not test(value):
                    break
            else:
                return request
        check_constraints(operation, request)
        return request if LEGACY.isdisjoint(request) else translate(operation, request)

    def batch(self) -> AbstractContextManager[None]:
        """Commit the writes that this thread makes in a block together, which is much faster.

        They hold when the block has ended; where it ends with an error, nothing was written.
        """
        return self._context.database.batch()

    @contextmanager
    def rolled_back(self) -> Iterator[None]:
        """Undo everything that happens in a block: items, tables and tags are as before it.

        For tests, in memory alone: other processes could have a file open. Blocks may be nested.
        """
        if self.path is not None:
            raise UsageError("Only an engine in memory can be rolled back: say Engine(None).")
        try:
            with self._context.database.rolled_back():
                yield
        finally:
            self._context.counts.clear()
            with suppress(StoreClosed):
                self._context.catalog.refresh()

    def _start_sweeping(self) -> None:
        database = self._context.database
        if not database.is_read_only and (
            any(table.ttl is not None for table in self._context.catalog.tables.values())
            or database.read(streams.has_streams)
        ):
            self._sweeper.start()

    def sweep(self) -> int:
        """Remove the items whose time to live is over, now; return how many there were.

        The records of streams that are older than 24 hours are removed, too.
        """
        removed = ttl.sweep(self._context)
        streams.trim(self._context)
        return removed


def _fragments(raws: list[bytes]) -> list[orjson.Fragment]:
    return list(map(orjson.Fragment, raws))


def _is_about_shape(fault: DynamoDBError) -> bool:
    reasons = fault.members.get("CancellationReasons", ())
    return isinstance(fault, ValidationException) or any(
        reason["Code"] == "ValidationError" for reason in reasons
    )
