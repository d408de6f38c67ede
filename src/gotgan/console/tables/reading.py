"""Reading for the pages: items as they are stored, and what that cost, booked like everything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gotgan.console.tables.masks import has_secret_key
from gotgan.store import Cost, Query, Ref, Store, Table
from gotgan.store.attributes import Item
from gotgan.store.data.aws_cli import token_key
from gotgan.store.data.browse import Browsed, Look, browse
from gotgan.store.visibility import is_expired

__all__ = ["Got", "get_item", "look_into", "read_pattern"]

_VERB = "browse"


@dataclass(frozen=True)
class Got:
    """What was read, and where to go on."""

    items: tuple[Item, ...]
    read: int
    cost: Cost
    cursor: str | None = None


def look_into(store: Store, table: Table, look: Look) -> Browsed:
    """A page of a table.

    A cursor names the key that it stands behind. No page ends at a key that nobody is shown: it
    has a few items more.
    """
    calls = store.calls
    found = browse(calls.driver, table, look, calls.names)
    while found.cursor is not None and has_secret_key(table, token_key(found.cursor)):
        following = replace(look, limit=1, cursor=found.cursor)
        more = browse(calls.driver, table, following, calls.names)
        found = replace(
            found,
            items=[*found.items, *more.items],
            read=found.read + more.read,
            cursor=more.cursor,
            cost=found.cost + more.cost,
        )
    calls.book(found.cost)
    return found


def read_pattern(store: Store, read: Query[Any] | Ref[Any], limit: int, cursor: str | None) -> Got:
    """A page of what an access pattern finds."""
    if isinstance(read, Ref):
        item, cost = get_item(store, read.table, read.item)
        is_gone = item is None or is_expired(read.table, item, store.clock.now())
        return Got(() if item is None or is_gone else (item,), int(item is not None), cost)
    page = store.query_as(read, lambda item: item, limit=limit, cursor=cursor)
    return Got(page.items, page.read, page.cost, page.cursor)


def get_item(store: Store, table: Table, key: Item) -> tuple[Item | None, Cost]:
    """One item by its key, and what it cost to look."""
    request = {"TableName": store.calls.names.of(table), "Key": key}
    answer, cost = store.calls.send(_VERB, "GetItem", request)
    return answer.get("Item"), cost
