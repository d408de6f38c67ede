"""The tables that there are: their definitions in the file, and this process's view of them.

A view may be old when another process changed a table. Reads notice by a miss or by a column that
is gone, writes by the generation number, which every change of a definition moves on; both then
raise ``Stale``, and the engine reads the catalogue again and retries.
"""

from __future__ import annotations

import sqlite3
from dataclasses import asdict
from typing import Any

import orjson

from gotgan.store.engine.database import Database
from gotgan.store.engine.faults import ResourceNotFoundException
from gotgan.store.engine.fileformat import Stale
from gotgan.store.engine.keys import KeyAttribute, KeySchema
from gotgan.store.engine.tables import Index, Projection, Table, Throughput

__all__ = [
    "Catalog",
    "add_columns",
    "create_index",
    "create_table",
    "drop_index",
    "drop_table",
    "next_number",
    "save_definition",
]

_GENERATION = "SELECT value FROM counters WHERE name='generation'"


class Catalog:
    """This process's view of the tables."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.refresh()

    def refresh(self) -> None:
        """Read the definitions again."""
        self._generation, self.tables = self._database.snapshot(_read_definitions)

    def table(self, name: str) -> Table:
        """Return a table's definition, looking into the file before saying that it is not there."""
        found = self.tables.get(name) or self._look_again(name)
        if found is None:
            raise ResourceNotFoundException("Requested resource not found")
        return found

    def fresh(self, name: str) -> Table:
        """Return a table's definition as the file has it now."""
        self.refresh()
        return self.table(name)

    def check(self, connection: sqlite3.Connection) -> None:
        """Inside a write: make sure that what it was prepared with still holds."""
        if connection.execute(_GENERATION).fetchone()[0] != self._generation:
            raise Stale

    def _look_again(self, name: str) -> Table | None:
        self.refresh()
        return self.tables.get(name)


def _read_definitions(connection: sqlite3.Connection) -> tuple[int, dict[str, Table]]:
    generation: int = connection.execute(_GENERATION).fetchone()[0]
    rows = connection.execute("SELECT name, definition FROM catalog ORDER BY name")
    return generation, {name: _table_from(orjson.loads(definition)) for name, definition in rows}


def next_number(connection: sqlite3.Connection) -> int:
    """Take the number of a new table."""
    connection.execute("UPDATE counters SET value=value+1 WHERE name='table'")
    number: int = connection.execute("SELECT value FROM counters WHERE name='table'").fetchone()[0]
    return number


def create_table(connection: sqlite3.Connection, table: Table) -> None:
    """Make the rows and indexes of a new table and enter it."""
    own = "".join(f", {column} BLOB" for column in table.columns[4:-1])
    connection.execute(
        f"CREATE TABLE {table.rows} (id INTEGER PRIMARY KEY, pk BLOB NOT NULL, sk BLOB NOT NULL,"
        f" size INTEGER NOT NULL, expires INTEGER{own}, item BLOB NOT NULL)",
    )
    connection.execute(f"CREATE UNIQUE INDEX {table.rows}_key ON {table.rows} (pk, sk)")
    for index in table.indexes:
        create_index(connection, table, index)
    save_definition(connection, table)


def drop_table(connection: sqlite3.Connection, table: Table) -> None:
    """Remove a table with all its rows."""
    connection.execute(f"DROP TABLE {table.rows}")
    connection.execute("DELETE FROM catalog WHERE name=?", (table.name,))
    _advance(connection)


def add_columns(connection: sqlite3.Connection, table: Table, index: Index) -> None:
    """Add the columns of a new index, empty."""
    for column in index.own_columns:
        connection.execute(f"ALTER TABLE {table.rows} ADD COLUMN {column} BLOB")


def create_index(connection: sqlite3.Connection, table: Table, index: Index) -> None:
    """Build an index over its columns."""
    connection.execute(
        f"CREATE INDEX {table.rows}_x{index.slot} ON {table.rows} ({', '.join(index.order)})"
        f" WHERE {index.presence}",
    )


def drop_index(connection: sqlite3.Connection, table: Table, index: Index) -> None:
    """Remove an index and its columns."""
    connection.execute(f"DROP INDEX {table.rows}_x{index.slot}")
    for column in index.own_columns:
        connection.execute(f"ALTER TABLE {table.rows} DROP COLUMN {column}")


def save_definition(connection: sqlite3.Connection, table: Table) -> None:
    """Enter a new definition of a table, and let everybody know."""
    connection.execute(
        "INSERT OR REPLACE INTO catalog (name, number, definition) VALUES (?, ?, ?)",
        (table.name, table.number, orjson.dumps(asdict(table)).decode()),
    )
    _advance(connection)


def _advance(connection: sqlite3.Connection) -> None:
    connection.execute("UPDATE counters SET value=value+1 WHERE name='generation'")


def _table_from(stored: dict[str, Any]) -> Table:
    return Table(
        **{
            **stored,
            "key": _schema_from(stored["key"]),
            "attributes": tuple(KeyAttribute(**entry) for entry in stored["attributes"]),
            "indexes": tuple(_index_from(entry) for entry in stored["indexes"]),
            "throughput": Throughput(**stored["throughput"]),
        },
    )


def _index_from(stored: dict[str, Any]) -> Index:
    projection = stored["projection"]
    return Index(
        **{
            **stored,
            "key": _schema_from(stored["key"]),
            "projection": Projection(projection["type"], tuple(projection["attributes"])),
            "throughput": Throughput(**stored["throughput"]),
        },
    )


def _schema_from(stored: dict[str, Any]) -> KeySchema:
    sort = stored["range"]
    return KeySchema(KeyAttribute(**stored["hash"]), KeyAttribute(**sort) if sort else None)
