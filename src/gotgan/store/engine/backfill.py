"""Filling columns that a table gets after it has items: a new index, or a new TTL attribute."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from gotgan.store.engine import catalog, codec
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.rows import expiry, index_columns
from gotgan.store.engine.tables import EngineIndex, EngineTable
from gotgan.store.engine.values import Item

__all__ = ["fill_expiry", "fill_index"]

_ROWS_AT_ONCE = 1000


def fill_index(connection: sqlite3.Connection, table: EngineTable, index: EngineIndex) -> None:
    """Add an index to a table and enter its items."""
    catalog.add_columns(connection, table, index)
    _fill(connection, table, index.own_columns, lambda item: _index_values(index, item))
    catalog.create_index(connection, table, index)


def fill_expiry(connection: sqlite3.Connection, table: EngineTable) -> None:
    """Note for every item when it expires; without a TTL attribute: never."""
    attribute = table.ttl
    if attribute is None:
        connection.execute(f"UPDATE {table.rows} SET expires=NULL WHERE expires IS NOT NULL")
        return
    _fill(connection, table, ("expires",), lambda item: _expiry_values(attribute, item))


def _index_values(index: EngineIndex, item: Item) -> tuple[Any, ...] | None:
    try:
        columns = index_columns((index,), item)
    except ValidationException:
        return None  # an item whose attribute is of another type stays out, as on AWS
    return None if columns[0] is None else columns


def _expiry_values(attribute: str, item: Item) -> tuple[Any, ...] | None:
    expires = expiry(attribute, item)
    return None if expires is None else (expires,)


def _fill(
    connection: sqlite3.Connection,
    table: EngineTable,
    columns: tuple[str, ...],
    values_of: Callable[[Item], tuple[Any, ...] | None],
) -> None:
    """Go through all rows, a thousand at a time, and set the columns where there is a value."""
    changes = ", ".join(f"{column}=?" for column in columns)
    sql = f"UPDATE {table.rows} SET {changes} WHERE id=?"
    for rows in _chunks(connection, table):
        filled = ((values_of(codec.load(raw)), number) for number, raw in rows)
        connection.executemany(sql, [(*v, number) for v, number in filled if v is not None])


def _chunks(connection: sqlite3.Connection, table: EngineTable) -> Iterator[list[Any]]:
    sql = f"SELECT id, item FROM {table.rows} WHERE id > ? ORDER BY id LIMIT {_ROWS_AT_ONCE}"
    last = 0
    while rows := connection.execute(sql, (last,)).fetchall():
        yield rows
        last = rows[-1][0]
