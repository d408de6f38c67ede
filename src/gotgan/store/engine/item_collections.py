"""Item collections: the items that share a partition key in a table with local indexes."""

from __future__ import annotations

import sqlite3
from typing import Any

from gotgan.store.engine.writes import Write

__all__ = ["collection_metrics"]

_GIGABYTE = 1 << 30


def collection_metrics(connection: sqlite3.Connection, write: Write) -> dict[str, Any]:
    """Return the size of the item's collection as AWS estimates it: between two whole gigabytes."""
    sql = f"SELECT total(size) FROM {write.table.rows} WHERE pk=?"
    size: float = connection.execute(sql, (write.key.hash,)).fetchone()[0]
    floor = float(size // _GIGABYTE)
    partition = write.table.key.hash.name
    return {
        "ItemCollectionKey": {partition: write.key_item[partition]},
        "SizeEstimateRangeGB": [floor, floor + 1.0],
    }
