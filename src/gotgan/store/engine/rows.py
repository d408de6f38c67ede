"""An item as a row: its key, its index keys, its size, its expiry, and its JSON."""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

from gotgan.store.engine import codec
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.keys import EncodedKey, index_key, key_of_item
from gotgan.store.engine.tables import EngineIndex, EngineTable
from gotgan.store.engine.values import AttributeValue, Item

__all__ = ["MAX_ITEM_BYTES", "NewRow", "StoredRow", "expiry", "find", "index_columns", "new_row"]

MAX_ITEM_BYTES = 400 * 1024


class StoredRow:
    """A row as the file has it; the item is decoded only when somebody looks at it."""

    __slots__ = ("_item", "expires", "id", "own", "raw", "size")

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.id: int = row[0]
        self.size: int = row[1]
        self.raw: bytes = row[2]
        self.expires: int | None = row[3]
        self.own: tuple[bytes | None, ...] = row[4:]
        self._item: Item | None = None

    @property
    def item(self) -> Item:
        """The item, decoded once."""
        if self._item is None:
            self._item = codec.load(self.raw)
        return self._item


class NewRow(NamedTuple):
    """A row that is ready to be written. ``own`` are the columns of the indexes."""

    key: EncodedKey
    item: Item
    size: int
    raw: bytes
    expires: int | None
    own: tuple[bytes | None, ...]

    @property
    def parameters(self) -> tuple[Any, ...]:
        """The values of all columns, in the table's order."""
        return (*self.key, self.size, self.expires, *self.own, self.raw)

    @property
    def changes(self) -> tuple[Any, ...]:
        """The values of the columns that a new value of an item may change."""
        return (self.size, self.expires, *self.own, self.raw)


def find(connection: sqlite3.Connection, table: EngineTable, key: EncodedKey) -> StoredRow | None:
    """Read the row with this key."""
    row = connection.execute(table.find_sql, key).fetchone()
    return None if row is None else StoredRow(row)


def new_row(table: EngineTable, item: Item, size: int) -> NewRow:
    """Check a canonical item against the table and lay it out as a row."""
    key = key_of_item(table.key, item)
    if size > MAX_ITEM_BYTES:
        raise ValidationException("Item size has exceeded the maximum allowed size")
    own = index_columns(table.indexes, item) if table.indexes else ()
    return NewRow(key, item, size, codec.dump(item), expiry(table.ttl, item), own)


def index_columns(indexes: tuple[EngineIndex, ...], item: Item) -> tuple[bytes | None, ...]:
    """Return the values of the indexes' columns; None where the item stays out."""
    columns: list[bytes | None] = []
    for index in indexes:
        key = index_key(index.key, item, index.name)
        if index.kind == "global":
            columns += key or (None, None)
        else:
            columns.append(None if key is None else key.range)
    return tuple(columns)


def expiry(attribute: str | None, item: Item) -> int | None:
    """Return the second after which the item may be removed; None: never.

    Only a number counts, and, as on AWS, its whole part.
    """
    value: AttributeValue | None = item.get(attribute) if attribute else None
    if value is None or "N" not in value:
        return None
    seconds = int(value["N"].partition(".")[0] or 0)
    return seconds if 0 <= seconds < _LAST_SECOND else None


_LAST_SECOND = 1 << 62  # what SQLite's integers can hold, and far past any date
