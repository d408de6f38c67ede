"""One write to one item: decide first, then store.

PutItem, UpdateItem, DeleteItem, ConditionCheck and the actions of a transaction are all this. All
that can be done without the file is done when an ``EngineWrite`` is made; ``decide`` reads the row
and refuses or says what will be; ``store`` writes it. Nothing is refused after ``decide``.

These values are made for every write: they are named tuples because those are quick to make.
"""

from __future__ import annotations

import sqlite3
from typing import Literal, NamedTuple, TypeAlias

from gotgan.store.engine import expressions
from gotgan.store.engine.expressions import ParsedCondition, Update
from gotgan.store.engine.faults import ConditionalCheckFailedException, ValidationException
from gotgan.store.engine.keys import EncodedKey
from gotgan.store.engine.rows import MAX_ITEM_BYTES, NewRow, StoredRow, find, new_row
from gotgan.store.engine.tables import EngineTable
from gotgan.store.engine.values import Item, clean_item

__all__ = [
    "Change",
    "Effect",
    "EngineWrite",
    "Modify",
    "Put",
    "WriteCondition",
    "decide",
    "perform",
    "store",
]


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
    """What is to be done to the item with this key."""

    table: EngineTable
    key: EncodedKey
    key_item: Item
    change: Change
    guard: WriteCondition | None = None

    @property
    def claim(self) -> NewRow | None:
        """The row of a put on no other condition than that the item is not there."""
        if self.guard is None or not isinstance(self.change, Put):
            return None
        return self.change.row if self.guard.condition.absent in self.table.key.names else None


class Effect(NamedTuple):
    """What a write found and what it leaves behind."""

    write: EngineWrite
    before: StoredRow | None
    after: NewRow | None

    @property
    def item_before(self) -> Item | None:
        """The item as it was."""
        return None if self.before is None else self.before.item

    @property
    def item_after(self) -> Item | None:
        """The item as it is now."""
        return None if self.after is None else self.after.item


def perform(connection: sqlite3.Connection, write: EngineWrite) -> Effect:
    """Decide and store one write."""
    row = write.claim
    if row is not None and connection.execute(write.table.claim_sql, row.parameters).rowcount:
        return Effect(write, None, row)  # SQLite's own check was all that it needed
    effect = decide(connection, write)
    store(connection, effect)
    return effect


def decide(connection: sqlite3.Connection, write: EngineWrite) -> Effect:
    """Read the row, check the condition and work out the new row; nothing is written yet."""
    before = find(connection, write.table, write.key)
    if write.guard is not None:
        _check(write.guard, before)
    return Effect(write, before, _after(write, before))


def _check(guard: WriteCondition, before: StoredRow | None) -> None:
    item = {} if before is None else before.item
    if expressions.evaluate(guard.condition, item, guard.values):
        return
    shown = {"Item": item} if guard.show_item and before is not None else {}
    raise ConditionalCheckFailedException("The conditional request failed", **shown)


def _after(write: EngineWrite, before: StoredRow | None) -> NewRow | None:
    match write.change:
        case Put(row):
            return row
        case Modify() as change:
            return _modified(write, change, before)
        case _:
            return None


def _modified(write: EngineWrite, change: Modify, before: StoredRow | None) -> NewRow | None:
    item = write.key_item if before is None else before.item
    if change.update is not None:
        item = expressions.apply_update(change.update, item, change.values)
        if before is None and change.update.only_removes:
            return None  # taking away from an item that is not there makes none, as on AWS
    item, size = clean_item(item)
    if size > MAX_ITEM_BYTES:
        raise ValidationException("Item size to update has exceeded the maximum allowed size")
    return new_row(write.table, item, size)


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
        connection.execute(table.rewrite_sql, (after.size, after.raw, before.id))
    else:
        connection.execute(table.replace_sql, (*after.changes, before.id))
