"""Every operation of the API and the function that carries it out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from gotgan.store.engine.administration import (
    create_table,
    delete_table,
    describe_table,
    list_tables,
)
from gotgan.store.engine.batches import batch_get_item, batch_write_item
from gotgan.store.engine.context import Context
from gotgan.store.engine.items import delete_item, get_item, put_item, update_item
from gotgan.store.engine.queries import query, scan
from gotgan.store.engine.table_updates import update_table
from gotgan.store.engine.transactions import transact_get_items, transact_write_items
from gotgan.store.engine.ttl import describe_time_to_live, update_time_to_live

__all__ = ["OPERATIONS", "Operation"]

Operation: TypeAlias = Callable[[Context, dict[str, Any]], dict[str, Any]]

OPERATIONS: Final[dict[str, Operation]] = {
    "BatchGetItem": batch_get_item,
    "BatchWriteItem": batch_write_item,
    "CreateTable": create_table,
    "DeleteItem": delete_item,
    "DeleteTable": delete_table,
    "DescribeTable": describe_table,
    "DescribeTimeToLive": describe_time_to_live,
    "GetItem": get_item,
    "ListTables": list_tables,
    "PutItem": put_item,
    "Query": query,
    "Scan": scan,
    "TransactGetItems": transact_get_items,
    "TransactWriteItems": transact_write_items,
    "UpdateItem": update_item,
    "UpdateTable": update_table,
    "UpdateTimeToLive": update_time_to_live,
}
