"""Item collections: the items that share a partition key in a table with local indexes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from gotgan.store.engine.writes import EngineWrite

__all__ = ["collection_metrics", "metrics_by_table"]

_GIGABYTE = 1 << 30


def collection_metrics(connection: sqlite3.Connection, write: EngineWrite) -> dict[str, Any]:
    """Return the size of the item's collection as AWS estimates it: between two whole gigabytes."""
    sql = f"SELECT total(size) FROM {write.table.rows} WHERE pk=?"
    size: float = connection.execute(sql, (write.key.hash,)).fetchone()[0]
    floor = float(size // _GIGABYTE)
    partition = write.table.key.hash.name
    return {
        "ItemCollectionKey": {partition: write.key_item[partition]},
        "SizeEstimateRangeGB": [floor, floor + 1.0],
    }


def metrics_by_table(
    connection: sqlite3.Connection,
    writes: Iterable[EngineWrite],
) -> dict[str, list[dict[str, Any]]]:
    """Return the metrics of every collection that the writes touch, by table."""
    touched = {
        (write.table.name, write.key.hash): write
        for write in writes
        if write.table.local and write.change != "check"
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for (name, _), write in touched.items():
        found.setdefault(name, []).append(collection_metrics(connection, write))
    return found
