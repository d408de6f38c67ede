"""What it costs to write and to read one item, by DynamoDB's rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gotgan.store.attributes import Item
from gotgan.store.engine.capacity import read_units, write_units
from gotgan.store.engine.values import size_of_item
from gotgan.store.tables import Index, Table

__all__ = ["Units", "units_of"]


@dataclass(frozen=True, slots=True)
class Units:
    """The size of an item in bytes, and what one new write and one read of it cost."""

    size: int
    read: float
    """Eventually consistent, as most reads are."""
    consistent_read: float
    write: int
    """To the table alone."""
    index_writes: Mapping[str, int]
    """To each index that the item is in, by its declared name."""

    @property
    def all_writes(self) -> int:
        """To the table and its indexes."""
        return self.write + sum(self.index_writes.values())


def units_of(table: Table, item: Item) -> Units:
    """The units of an item that is new to its table."""
    size = size_of_item(item)
    return Units(
        size=size,
        read=read_units(size, consistent=False),
        consistent_read=read_units(size, consistent=True),
        write=write_units(size),
        index_writes={
            index.name: write_units(size_of_item(_entry(index, item)))
            for index in table.indexes.values()
            if all(key.name in item for key in index.keys)
        },
    )


def _entry(index: Index, item: Item) -> Item:
    """What an index holds of an item."""
    held = index.held()
    return {name: value for name, value in item.items() if held is None or name in held}
