"""sqlite3 alone with the engine's own file, rows and SQL: as fast as the engine could ever be."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Self

from bench.store.workload import TABLE, Task, definition
from gotgan.settings import Synchronous
from gotgan.store.engine import connect
from gotgan.store.engine.catalog import Catalog, EngineTable
from gotgan.store.engine.database import EngineDatabase
from gotgan.store.engine.fileformat import connect as connect_file
from gotgan.store.engine.values import clean_item
from gotgan.store.engine.writes import new_row

__all__ = ["RawSqlite"]


class RawSqlite:
    """Inserts the rows that the engine would, made ready beforehand, one transaction a call."""

    tasks = ("put", "batch")

    def __init__(self, path: Path, synchronous: Synchronous) -> None:
        self._table = _empty_table(path)
        self._connection = connect_file(path, synchronous)
        self._numbers = count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def calls(self, task: Task) -> list[Callable[[], Any]]:
        """Prepare one chunk of a task: its rows, laid out and encoded."""
        requests = [task.request(next(self._numbers)) for _ in range(task.chunk)]
        if task.name == "put":
            rows = [self._row(request["Item"]) for request in requests]
            return [partial(self._connection.execute, self._table.insert_sql, row) for row in rows]
        return [partial(_insert_many, self._connection, *self._batch(each)) for each in requests]

    def _batch(self, request: dict[str, Any]) -> tuple[str, list[tuple[Any, ...]]]:
        entries = request["RequestItems"][TABLE]
        return self._table.insert_sql, [self._row(entry["PutRequest"]["Item"]) for entry in entries]

    def _row(self, item: dict[str, Any]) -> tuple[Any, ...]:
        return new_row(self._table, *clean_item(item)).parameters


def _insert_many(connection: sqlite3.Connection, sql: str, rows: list[tuple[Any, ...]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(sql, rows)
    connection.execute("COMMIT")


def _empty_table(path: Path) -> EngineTable:
    """Let the engine make its file, and return how it lays out the table."""
    with connect(path) as client:
        client.create_table(**definition())
    with closing(EngineDatabase(path)) as database:
        return Catalog(database).table(TABLE)
