"""One page of a Query or a Scan: read rows until the limit or a megabyte, filter, project, bill."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gotgan.store.engine import codec
from gotgan.store.engine.capacity import ConsumedCapacity, read_units
from gotgan.store.engine.clauses import Clauses
from gotgan.store.engine.expressions import evaluate, project
from gotgan.store.engine.tables import EngineIndex, EngineTable
from gotgan.store.engine.values import Item, size_of_item
from gotgan.store.engine.walk import Walk

__all__ = ["EnginePage", "PageReader"]

PAGE_BYTES = 1 << 20
# An index that holds only keys has many in a megabyte, and each is read from its whole item.
MOST_READ_BYTES = 16 << 20


@dataclass(frozen=True)
class EnginePage:
    """What one page holds and what reading it took."""

    items: list[Any]
    count: int
    scanned: int
    size: int
    fetched_units: float
    last: bytes | None


@dataclass(frozen=True)
class PageReader:
    """How the rows of a walk become a page."""

    walk: Walk
    clauses: Clauses
    limit: int | None
    counting: bool
    consistent: bool
    whole_items: bool
    load: Callable[[bytes], Any]

    @property
    def table(self) -> EngineTable:
        """The table that is read."""
        return self.walk.table

    @property
    def partial(self) -> EngineIndex | None:
        """The index that is read, if it holds only a part of the items."""
        index = self.walk.index
        return None if index is None or index.projection.everything else index

    def read(self, connection: sqlite3.Connection) -> EnginePage:
        """Read one page."""
        clauses = self.clauses
        if clauses.filter is None and clauses.projection is None and self.partial is None:
            return self._read_plain(connection)
        return self._read_closely(connection)

    def _read_plain(self, connection: sqlite3.Connection) -> EnginePage:
        """The fast way: whole rows, none of them looked into."""
        found: list[bytes] = []
        size = 0
        for raw, row_size in self.walk.rows(connection, self.limit):
            found.append(raw)
            size += row_size
            if size >= PAGE_BYTES:
                break
        items = [] if self.counting else list(map(self.load, found))
        last = found[-1] if self._stopped(len(found), size) else None
        return EnginePage(items, len(found), len(found), size, 0.0, last)

    def _read_closely(self, connection: sqlite3.Connection) -> EnginePage:
        items: list[Item] = []
        count = scanned = size = read = 0
        fetched = 0.0
        last = b""
        for raw, row_size in self.walk.rows(connection, self.limit):
            item = codec.load(raw)
            seen, seen_size = self._seen(item, row_size)
            scanned, size, last = scanned + 1, size + seen_size, raw
            if self.whole_items and self.partial is not None:
                fetched += read_units(row_size, consistent=self.consistent)
                seen = item
            if self._passes(seen):
                count += 1
                if not self.counting:
                    items.append(self._shown(seen))
            read += row_size
            if size >= PAGE_BYTES or read >= MOST_READ_BYTES:
                break
        more = self._stopped(scanned, size) or read >= MOST_READ_BYTES
        return EnginePage(items, count, scanned, size, fetched, last if more else None)

    def _seen(self, item: Item, row_size: int) -> tuple[Item, int]:
        """Return what the index holds of the item, and the size of that."""
        if self.partial is None:
            return item, row_size
        projected = self.table.projected(self.partial, item)
        return projected, size_of_item(projected)

    def _passes(self, item: Item) -> bool:
        return self.clauses.filter is None or evaluate(
            self.clauses.filter,
            item,
            self.clauses.values,
        )

    def _shown(self, item: Item) -> Item:
        return item if self.clauses.projection is None else project(self.clauses.projection, item)

    def _stopped(self, scanned: int, size: int) -> bool:
        return scanned > 0 and (scanned == self.limit or size >= PAGE_BYTES)

    def position(self, raw: bytes) -> Item:
        """Return the key at which the next page goes on."""
        item = codec.load(raw)
        names = self.table.key.names
        if self.walk.index is not None:
            names = tuple(dict.fromkeys((*names, *self.walk.index.key.names)))
        return {name: item[name] for name in names}

    def bill(self, page: EnginePage) -> ConsumedCapacity:
        """Return what the page cost."""
        bill = ConsumedCapacity(self.table)
        bill.charge_read(read_units(page.size, consistent=self.consistent), self.walk.index)
        bill.charge_read(page.fetched_units)
        return bill
