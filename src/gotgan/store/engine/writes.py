"""One write to one item: decide first, then store.

PutItem, UpdateItem, DeleteItem, ConditionCheck and the actions of a transaction are all this. All
that can be done without the file is done when an ``EngineWrite`` is made; ``decide`` reads the row
and refuses or says what will be; ``store`` writes it. Nothing is refused after ``decide``.

These values are made for every write: they are named tuples because those are quick to make.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple, TypeAlias

from gotgan.store.engine.catalog import EngineIndex, EngineTable
from gotgan.store.engine.expressions.parser import ParsedCondition, Update
from gotgan.store.engine.expressions.updates import update_size
from gotgan.store.engine.faults import (
    ConditionalCheckFailedException,
    DuplicateItemException,
    KeyMismatch,
    ValidationException,
)
from gotgan.store.engine.keys import EncodedKey, IndexKeyMismatch, index_key, item_key
from gotgan.store.engine.values import AttributeValue, Item, clean_item, dump_item, load_item

MAX_ITEM_BYTES = 400 * 1024
INSERT = "INSERT"
"""The kind of condition with which PartiQL's INSERT refuses to replace an item."""
_LARGE_BYTES = MAX_ITEM_BYTES // 2
_MAX_EXPIRY_S = 1 << 62  # what SQLite's integers can hold, and far past any date
_GIGABYTE = 1 << 30


class StoredRow:
    """A row as the file has it; the item is decoded on first use."""

    __slots__ = ("_item", "_raw", "expires", "id", "own", "size")

    def __init__(self, row: tuple[Any, ...]) -> None:
        self.id: int = row[0]
        self.size: int = row[1]
        self._raw: bytes = row[2]
        self.expires: int | None = row[3]
        self.own: tuple[bytes | None, ...] = row[4:]
        self._item: Item | None = None

    @property
    def item(self) -> Item:
        """The item, decoded once."""
        if self._item is None:
            self._item = load_item(self._raw)
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


def new_row(table: EngineTable, item: Item, size: int) -> NewRow:
    """Check a canonical item against the table and lay it out as a row."""
    key = item_key(table.key, item)
    if size > MAX_ITEM_BYTES:
        raise ValidationException("Item size has exceeded the maximum allowed size")
    own = index_columns(table.indexes, item) if table.indexes else ()
    return NewRow(key, item, size, dump_item(item), expiry(table.ttl, item), own)


def index_columns(indexes: tuple[EngineIndex, ...], item: Item) -> tuple[bytes | None, ...]:
    """Return the values of the indexes' columns; None where the item is not in an index."""
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
    return seconds if 0 <= seconds < _MAX_EXPIRY_S else None


class WriteCondition(NamedTuple):
    """A condition with its values, and whether a failure shows the item."""

    condition: ParsedCondition
    values: Item
    show_item: bool


class Put(NamedTuple):
    """Replace the item by this row."""

    row: NewRow


class Modify(NamedTuple):
    """Change the item, or make one from its key."""

    update: Update | None
    values: Item


Change: TypeAlias = Put | Modify | Literal["delete", "check"]


class EngineWrite(NamedTuple):
    """A change of the item with this key."""

    table: EngineTable
    key: EncodedKey
    key_item: Item
    change: Change
    condition: WriteCondition | None = None


class Effect(NamedTuple):
    """The row that a write found and the row that it leaves behind."""

    write: EngineWrite
    before: StoredRow | None
    after: NewRow | None


def perform(connection: sqlite3.Connection, write: EngineWrite) -> Effect:
    """Decide and store one write."""
    table, change, condition = write.table, write.change, write.condition
    if (
        condition is not None
        and isinstance(change, Put)
        and condition.condition.absent in table.key.names
        and connection.execute(table.insert_if_absent_sql, change.row.parameters).rowcount
    ):
        return Effect(write, None, change.row)  # SQLite's own check was all that it needed
    effect = decide(connection, write)
    store(connection, effect)
    return effect


def decide(connection: sqlite3.Connection, write: EngineWrite) -> Effect:
    """Read the row, check the condition and work out the new row; nothing is written yet."""
    row = connection.execute(write.table.find_sql, write.key).fetchone()
    before = None if row is None else StoredRow(row)
    if write.condition is not None:
        _check_condition(write.condition, before)
    change = write.change
    if isinstance(change, Put):
        return Effect(write, before, change.row)
    after = _updated_row(write, change, before) if isinstance(change, Modify) else None
    return Effect(write, before, after)


def _check_condition(checked: WriteCondition, before: StoredRow | None) -> None:
    item = {} if before is None else before.item
    if checked.condition.test(item, checked.values):
        return
    if checked.condition.kind == INSERT:
        raise DuplicateItemException("Duplicate primary key exists in table")
    members = {"Item": item} if checked.show_item and before is not None else {}
    raise ConditionalCheckFailedException("The conditional request failed", **members)


def _updated_row(write: EngineWrite, change: Modify, before: StoredRow | None) -> NewRow | None:
    old = item = write.key_item if before is None else before.item
    update = change.update
    if update is not None:
        if before is None and update.only_removes:
            return None  # removing from an item that is not there makes none, as on AWS
        item = update.plan.run(item, change.values)
    item, size = clean_item(item)
    # What an update brings ends in the item, so only that of a large item need be measured.
    brought = (
        update_size(update.actions, old, change.values) if update and size > _LARGE_BYTES else 0
    )
    if max(size, brought) > MAX_ITEM_BYTES:
        raise ValidationException("Item size to update has exceeded the maximum allowed size")
    try:
        return new_row(write.table, item, size)
    except IndexKeyMismatch as error:
        raise KeyMismatch(error.of_update) from error


def store(connection: sqlite3.Connection, effect: Effect) -> None:
    """Write what was decided."""
    table, before, after = effect.write.table, effect.before, effect.after
    if effect.write.change == "check":
        return
    if after is None:
        if before is not None:
            connection.execute(table.delete_sql, (before.id,))
    elif before is None:
        connection.execute(table.insert_sql, after.parameters)
    elif (before.own, before.expires) == (after.own, after.expires):
        connection.execute(table.update_item_sql, (after.size, after.raw, before.id))
    else:
        changes = (after.size, after.expires, *after.own, after.raw, before.id)
        connection.execute(table.update_sql, changes)


def collection_metrics(connection: sqlite3.Connection, write: EngineWrite) -> dict[str, Any]:
    """Return the size of an item collection as AWS estimates it: between two whole gigabytes.

    A collection is the items that share a partition key in a table with local indexes.
    """
    sql = f"SELECT total(size) FROM {write.table.rows} WHERE pk=?"
    size: float = connection.execute(sql, (write.key.hash,)).fetchone()[0]
    floor = float(size // _GIGABYTE)
    partition = write.table.key.hash.name
    return {
        "ItemCollectionKey": {partition: write.key_item[partition]},
        "SizeEstimateRangeGB": [floor, floor + 1.0],
    }


def metrics_by_table(
    connection: sqlite3.Connection, writes: Iterable[EngineWrite]
) -> dict[str, list[dict[str, Any]]]:
    """Return the metrics of every collection that the writes touch, by table."""
    touched = {
        (write.table.name, write.key.hash): write
        for write in writes
        if write.table.local_indexes and write.change != "check"
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for (name, _), write in touched.items():
        found.setdefault(name, []).append(collection_metrics(connection, write))
    return found
