"""An export that says at which day it is, and waits there.

``python -m tests.durability.exporter FOLDER``
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from gotgan.exports import (
    Column,
    DataSet,
    ExportedDataSet,
    ExportSpan,
    FolderTarget,
    Partition,
    export_data_set,
)

__all__ = ["DAYS", "ROWS", "export"]

DAYS = [f"2025-10-{day:02}" for day in range(1, 6)]
ROWS = 25_000


def export(folder: Path, *, is_watched: bool = False) -> ExportedDataSet:
    """Export some days of many rows; where it is watched, stop in the middle of each."""

    def rows(day: str) -> Iterator[tuple[str, int]]:
        for number in range(ROWS):
            if is_watched and number == ROWS - 1:
                sys.stdout.write(f"{day}\n")
                sys.stdout.flush()
                sys.stdin.readline()
            yield (day, number)

    def partitions(_span: ExportSpan) -> Iterator[Partition]:
        return (Partition(day, day, partial(rows, day)) for day in DAYS)

    data_set = DataSet("goods", (Column("name"), Column("number", "integer")), partitions)
    target = FolderTarget(folder)
    return export_data_set("shop", data_set, target, ExportSpan(), lambda *_: None)


if __name__ == "__main__":
    export(Path(sys.argv[1]), is_watched=True)
