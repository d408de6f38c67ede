"""Counting the items of a table for DescribeTable, without letting that become a burden.

AWS counts every six hours. Here a small table is counted each time, so that what it shows is true;
a large one is counted again only after twenty times as long as the last count took.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from gotgan.store.engine.context import Context
from gotgan.store.engine.tables import EngineTable

__all__ = ["Census", "count_items"]

_REST = 20
_ALWAYS_SECONDS = 0.005


@dataclass(frozen=True)
class Census:
    """How many items there are, how many bytes they have, and how many are in each index."""

    count: int = 0
    size: int = 0
    indexes: dict[str, tuple[int, int]] = field(default_factory=dict)


def count_items(context: Context, table: EngineTable) -> Census:
    """Count, or return the last count while it is too early for another."""
    started = context.clock.monotonic()
    known: tuple[float, Census] | None = context.counts.get(table.number)
    if known is not None and started < known[0]:
        return known[1]
    census = context.database.snapshot(lambda connection: _count(connection, table))
    now = context.clock.monotonic()
    took = now - started
    if took > _ALWAYS_SECONDS:
        context.counts[table.number] = (now + _REST * took, census)
    return census


def _count(connection: sqlite3.Connection, table: EngineTable) -> Census:
    def total(where: str = "") -> tuple[int, int]:
        sql = f"SELECT count(*), coalesce(sum(size), 0) FROM {table.rows}{where}"
        row: tuple[int, int] = connection.execute(sql).fetchone()
        return row

    # An index that holds parts of items is shown with the size of the whole ones.
    indexes = {index.name: total(f" WHERE {index.presence}") for index in table.indexes}
    return Census(*total(), indexes)
