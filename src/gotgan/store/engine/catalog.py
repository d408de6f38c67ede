"""The tables that there are: their definitions in the file, and this process's view of them.

A view may be old when another process changed a table. Every change gives the rows a new name, so
work that was prepared with an old definition finds no such table, which raises ``Stale``; the
engine then reads the catalogue again and retries.
"""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, replace
from typing import Any

import orjson

from gotgan.store.engine.database import EngineDatabase
from gotgan.store.engine.faults import ResourceInUseException, ResourceNotFoundException
from gotgan.store.engine.fileformat import Stale, damaged
from gotgan.store.engine.keys import KeySchema, KeySchemaElement
from gotgan.store.engine.tables import EngineIndex, EngineTable, IndexProjection, Throughput

__all__ = [
    "Catalog",
    "add_columns",
    "create_index",
    "create_table",
    "drop_index",
    "drop_table",
    "revise",
]


class Catalog:
    """This process's view of the tables."""

    def __init__(self, database: EngineDatabase) -> None:
        self._database = database
        self.refresh()

    def refresh(self) -> None:
        """Read the definitions again."""
        try:
            self.tables = self._database.read(_read_definitions)
        except (LookupError, TypeError, ValueError, Stale) as error:
            raise damaged(self._database.path, error) from error

    def has_changed(self) -> bool:
        """Read the definitions again and say whether they differ from what was known."""
        before = self.tables
        self.refresh()
        return self.tables != before

    def table(self, name: str) -> EngineTable:
        """Return a table's definition, looking into the file before saying that it is not there."""
        known = self.tables.get(name)
        return self.fresh(name) if known is None else known

    def fresh(self, name: str) -> EngineTable:
        """Return a table's definition as the file has it now."""
        self.refresh()
        found = self.tables.get(name)
        if found is None:
            raise ResourceNotFoundException("Requested resource not found")
        return found


def _read_definitions(connection: sqlite3.Connection) -> dict[str, EngineTable]:
    rows = connection.execute("SELECT name, definition FROM catalog ORDER BY name")
    return {name: _table_from(orjson.loads(definition)) for name, definition in rows}


def create_table(connection: sqlite3.Connection, table: EngineTable) -> EngineTable:
    """Number a new table, make its rows and indexes and enter it."""
    if connection.execute("SELECT 1 FROM catalog WHERE name=?", (table.name,)).fetchone():
        raise ResourceInUseException(f"Table already exists: {table.name}")
    table = replace(table, number=_next_number(connection))
    own = "".join(f", {column} BLOB" for column in table.own_columns)
    connection.execute(
        f"CREATE TABLE {table.rows} (id INTEGER PRIMARY KEY, pk BLOB NOT NULL, sk BLOB NOT NULL,"
        f" size INTEGER NOT NULL, expires INTEGER{own}, item BLOB NOT NULL)",
    )
    connection.execute(f"CREATE UNIQUE INDEX t{table.number}_key ON {table.rows} (pk, sk)")
    for index in table.indexes:
        create_index(connection, table, index)
    _enter(connection, table)
    return table


def _next_number(connection: sqlite3.Connection) -> int:
    """Take a number that no table had before."""
    connection.execute("UPDATE numbers SET last=last+1")
    number: int = connection.execute("SELECT last FROM numbers").fetchone()[0]
    return number


def drop_table(connection: sqlite3.Connection, table: EngineTable) -> None:
    """Remove a table with all its rows."""
    connection.execute(f"DROP TABLE {table.rows}")
    connection.execute("DELETE FROM catalog WHERE name=?", (table.name,))


def revise(connection: sqlite3.Connection, table: EngineTable, changed: EngineTable) -> EngineTable:
    """Enter a new definition of a table under its next revision, and return it."""
    revised = replace(changed, revision=table.revision + 1)
    connection.execute(f"ALTER TABLE {table.rows} RENAME TO {revised.rows}")
    _enter(connection, revised)
    return revised


def _enter(connection: sqlite3.Connection, table: EngineTable) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO catalog (name, definition) VALUES (?, ?)",
        (table.name, orjson.dumps(asdict(table)).decode()),
    )


def add_columns(connection: sqlite3.Connection, table: EngineTable, index: EngineIndex) -> None:
    """Add the columns of a new index, empty."""
    for column in index.own_columns:
        connection.execute(f"ALTER TABLE {table.rows} ADD COLUMN {column} BLOB")


def create_index(connection: sqlite3.Connection, table: EngineTable, index: EngineIndex) -> None:
    """Build an index over its columns."""
    connection.execute(
        f"CREATE INDEX t{table.number}_x{index.slot} ON {table.rows} ({', '.join(index.order)})"
        f" WHERE {index.presence}",
    )


def drop_index(connection: sqlite3.Connection, table: EngineTable, index: EngineIndex) -> None:
    """Remove an index and its columns."""
    connection.execute(f"DROP INDEX t{table.number}_x{index.slot}")
    for column in index.own_columns:
        connection.execute(f"ALTER TABLE {table.rows} DROP COLUMN {column}")


def _table_from(stored: dict[str, Any]) -> EngineTable:
    return EngineTable(
        **{
            **stored,
            "key": _schema_from(stored["key"]),
            "attributes": tuple(KeySchemaElement(**entry) for entry in stored["attributes"]),
            "indexes": tuple(_index_from(entry) for entry in stored["indexes"]),
            "throughput": Throughput(**stored["throughput"]),
        },
    )


def _index_from(stored: dict[str, Any]) -> EngineIndex:
    projection = stored["projection"]
    return EngineIndex(
        **{
            **stored,
            "key": _schema_from(stored["key"]),
            "projection": IndexProjection(projection["type"], tuple(projection["attributes"])),
            "throughput": Throughput(**stored["throughput"]),
        },
    )


def _schema_from(stored: dict[str, Any]) -> KeySchema:
    sort = stored["range"]
    return KeySchema(KeySchemaElement(**stored["hash"]), KeySchemaElement(**sort) if sort else None)
