"""The tables: their definitions, stored as JSON in the file, and this process's view of them.

A view may be old when another process changed a table. Every change gives the rows a new name, so
work that was prepared with an old definition finds no such table, which raises ``StaleCatalog``;
the engine then reads the catalogue again and retries.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

import orjson

from gotgan.clock import Clock
from gotgan.store.engine.database import EngineDatabase
from gotgan.store.engine.faults import ResourceInUseException, ResourceNotFoundException
from gotgan.store.engine.fileformat import StaleCatalog, corrupt_error
from gotgan.store.engine.keys import KeySchema, KeySchemaElement
from gotgan.store.engine.requests import Clauses, table_name
from gotgan.store.engine.values import Item, load_item, load_items

IndexKind: TypeAlias = Literal["global", "local"]


@dataclass(frozen=True, slots=True)
class Throughput:
    """Provisioned capacity; zero and zero when the table is billed per request."""

    read: int = 0
    write: int = 0


@dataclass(frozen=True, slots=True)
class IndexProjection:
    """Which attributes an index holds beside the keys."""

    type: Literal["ALL", "KEYS_ONLY", "INCLUDE"] = "ALL"
    attributes: tuple[str, ...] = ()

    @property
    def is_all(self) -> bool:
        """Whether the index holds whole items."""
        return self.type == "ALL"


@dataclass(frozen=True, slots=True)
class TableStream:
    """A table's newest stream; ``number`` names its records in the file."""

    number: int
    label: str
    view_type: str
    enabled: bool = True

    @property
    def records(self) -> str:
        """The name of the SQLite table that holds the records."""
        return f"s{self.number}"


@dataclass(frozen=True)
class EngineIndex:
    """A secondary index. ``slot`` numbers its columns in the table's rows.

    A local index shares the table's column of the partition key. The column of the sort key holds
    empty bytes where the index has none.
    """

    name: str
    kind: IndexKind
    key: KeySchema
    projection: IndexProjection
    slot: int
    throughput: Throughput = Throughput()

    @cached_property
    def own_columns(self) -> tuple[str, ...]:
        """The columns that exist for this index alone."""
        if self.kind == "global":
            return (f"x{self.slot}_pk", f"x{self.slot}_sk")
        return (f"x{self.slot}_sk",)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The columns in the order in which the index is walked; the primary key breaks ties."""
        if self.kind == "global":
            return (*self.own_columns, "pk", "sk")
        return ("pk", *self.own_columns, "sk")

    @property
    def presence(self) -> str:
        """The condition under which a row is in the index, as the partial index states it."""
        return f"{self.own_columns[0]} IS NOT NULL"


@dataclass(frozen=True)
class EngineTable:
    """A table as the catalogue knows it: number and revision name its rows in the file."""

    number: int
    revision: int
    name: str
    key: KeySchema
    attributes: tuple[KeySchemaElement, ...]
    created: float
    indexes: tuple[EngineIndex, ...] = ()
    throughput: Throughput = Throughput()
    per_request: bool = False
    per_request_since: float | None = None
    ttl: str | None = None
    deletion_protection: bool = False
    next_slot: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    stream: TableStream | None = None

    @cached_property
    def rows(self) -> str:
        """The name of the SQLite table that holds the items; another revision, another name."""
        return f"t{self.number}r{self.revision}"

    @cached_property
    def own_columns(self) -> tuple[str, ...]:
        """The columns of all indexes."""
        return tuple(column for index in self.indexes for column in index.own_columns)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Every column of a row but its number, in the order in which rows are written."""
        return ("pk", "sk", "size", "expires", *self.own_columns, "item")

    @cached_property
    def find_sql(self) -> str:
        """Read one row by its key."""
        found = ", ".join(("id", "size", "item", "expires", *self.own_columns))
        return f"SELECT {found} FROM {self.rows} WHERE pk=? AND sk=?"

    @cached_property
    def get_sql(self) -> str:
        """Read one item by its key."""
        return f"SELECT item, size FROM {self.rows} WHERE pk=? AND sk=?"

    @cached_property
    def insert_sql(self) -> str:
        """Write a row that is not there."""
        marks = ", ".join("?" * len(self.columns))
        return f"INSERT INTO {self.rows} ({', '.join(self.columns)}) VALUES ({marks})"

    @cached_property
    def insert_if_absent_sql(self) -> str:
        """Write a row unless it is there."""
        return f"{self.insert_sql} ON CONFLICT (pk, sk) DO NOTHING"

    @cached_property
    def upsert_sql(self) -> str:
        """Write a row whether it is there or not."""
        changes = ", ".join(f"{column}=excluded.{column}" for column in self.columns[2:])
        return f"{self.insert_sql} ON CONFLICT (pk, sk) DO UPDATE SET {changes}"

    @cached_property
    def update_sql(self) -> str:
        """Rewrite a row whole, its index keys included."""
        changes = ", ".join(f"{column}=?" for column in self.columns[2:])
        return f"UPDATE {self.rows} SET {changes} WHERE id=?"

    @cached_property
    def update_item_sql(self) -> str:
        """Rewrite a row whose index keys stay: SQLite then leaves the indexes alone."""
        return f"UPDATE {self.rows} SET size=?, item=? WHERE id=?"

    @cached_property
    def delete_sql(self) -> str:
        """Remove a row by its number."""
        return f"DELETE FROM {self.rows} WHERE id=?"

    @cached_property
    def index_by_name(self) -> dict[str, EngineIndex]:
        """The indexes by their names."""
        return {index.name: index for index in self.indexes}

    @cached_property
    def local_indexes(self) -> tuple[EngineIndex, ...]:
        """The local indexes."""
        return tuple(index for index in self.indexes if index.kind == "local")

    @cached_property
    def global_indexes(self) -> tuple[EngineIndex, ...]:
        """The global indexes."""
        return tuple(index for index in self.indexes if index.kind == "global")

    @property
    def key_names(self) -> set[str]:
        """The attributes of the table's key and of its indexes' keys."""
        return {*self.key.names, *(name for index in self.indexes for name in index.key.names)}

    def without_index(self, name: str) -> EngineTable:
        """Return the table without that index, and without definitions that only it used."""
        kept = replace(self, indexes=tuple(each for each in self.indexes if each.name != name))
        used = kept.key_names
        return replace(kept, attributes=tuple(a for a in self.attributes if a.name in used))

    def project(self, index: EngineIndex, item: Item) -> Item:
        """Return what the index holds of an item."""
        if index.projection.is_all:
            return item
        names = (*self.key.names, *index.key.names, *index.projection.attributes)
        return {name: item[name] for name in dict.fromkeys(names) if name in item}


class Catalog:
    """This process's view of the tables."""

    def __init__(self, database: EngineDatabase) -> None:
        self._database = database
        self.refresh()

    def refresh(self) -> None:
        """Read the definitions again."""
        try:
            self.tables = self._database.read(_read_definitions)
        except (LookupError, TypeError, ValueError, StaleCatalog) as error:
            raise corrupt_error(self._database.path, error) from error

    def has_changed(self) -> bool:
        """Read the definitions again; return whether they differ from what was known."""
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


@dataclass(frozen=True)
class Context:
    """An open store, and what turns stored items into what the caller's front wants of them."""

    database: EngineDatabase
    catalog: Catalog
    clock: Clock
    load: Callable[[bytes], Any] = load_item
    load_all: Callable[[list[bytes]], Sequence[Any]] = load_items
    counts: dict[int, Any] = field(default_factory=dict)

    def load_projected(self, clauses: Clauses, raw: bytes) -> Any:
        """Return the part of a stored item that the request asks for."""
        if clauses.projection is None:
            return self.load(raw)
        return clauses.projection.pick(load_item(raw))

    def table(self, request: Mapping[str, Any]) -> EngineTable:
        """Return the table that a request names."""
        known = self.catalog.tables.get(request.get("TableName", ""))
        return known or self.catalog.table(table_name(request))


def _read_definitions(connection: sqlite3.Connection) -> dict[str, EngineTable]:
    rows = connection.execute("SELECT name, definition FROM catalog ORDER BY name")
    return {name: _load_table(orjson.loads(definition)) for name, definition in rows}


def insert_table(connection: sqlite3.Connection, table: EngineTable) -> EngineTable:
    """Number a new table, make its rows and indexes and enter it."""
    if connection.execute("SELECT 1 FROM catalog WHERE name=?", (table.name,)).fetchone():
        raise ResourceInUseException(f"Table already exists: {table.name}")
    table = replace(table, number=next_number(connection))
    own = "".join(f", {column} BLOB" for column in table.own_columns)
    connection.execute(
        f"CREATE TABLE {table.rows} (id INTEGER PRIMARY KEY, pk BLOB NOT NULL, sk BLOB NOT NULL,"
        f" size INTEGER NOT NULL, expires INTEGER{own}, item BLOB NOT NULL)"
    )
    connection.execute(f"CREATE UNIQUE INDEX t{table.number}_key ON {table.rows} (pk, sk)")
    for index in table.indexes:
        create_index(connection, table, index)
    save_definition(connection, table)
    return table


def next_number(connection: sqlite3.Connection) -> int:
    """Return a number that no table and no stream had before."""
    connection.execute("UPDATE numbers SET last=last+1")
    number: int = connection.execute("SELECT last FROM numbers").fetchone()[0]
    return number


def drop_table(connection: sqlite3.Connection, table: EngineTable) -> None:
    """Remove a table with all its rows."""
    connection.execute(f"DROP TABLE {table.rows}")
    connection.execute("DELETE FROM catalog WHERE name=?", (table.name,))


def replace_definition(
    connection: sqlite3.Connection, table: EngineTable, changed: EngineTable
) -> EngineTable:
    """Enter a new definition of a table under its next revision, and return it."""
    revised = replace(changed, revision=table.revision + 1)
    connection.execute(f"ALTER TABLE {table.rows} RENAME TO {revised.rows}")
    save_definition(connection, revised)
    return revised


def save_definition(connection: sqlite3.Connection, table: EngineTable) -> None:
    """Enter a table's definition in place of the one before."""
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
        f" WHERE {index.presence}"
    )


def drop_index(connection: sqlite3.Connection, table: EngineTable, index: EngineIndex) -> None:
    """Remove an index and its columns."""
    connection.execute(f"DROP INDEX t{table.number}_x{index.slot}")
    for column in index.own_columns:
        connection.execute(f"ALTER TABLE {table.rows} DROP COLUMN {column}")


def _load_table(stored: dict[str, Any]) -> EngineTable:
    return EngineTable(
        **{
            **stored,
            "key": _load_key_schema(stored["key"]),
            "attributes": tuple(KeySchemaElement(**entry) for entry in stored["attributes"]),
            "indexes": tuple(_load_index(entry) for entry in stored["indexes"]),
            "throughput": Throughput(**stored["throughput"]),
            "stream": TableStream(**stored["stream"]) if stored.get("stream") else None,
        }
    )


def _load_index(stored: dict[str, Any]) -> EngineIndex:
    projection = stored["projection"]
    return EngineIndex(
        **{
            **stored,
            "key": _load_key_schema(stored["key"]),
            "projection": IndexProjection(projection["type"], tuple(projection["attributes"])),
            "throughput": Throughput(**stored["throughput"]),
        }
    )


def _load_key_schema(stored: dict[str, Any]) -> KeySchema:
    sort = stored["range"]
    return KeySchema(
        KeySchemaElement(**stored["hash"]),
        KeySchemaElement(**sort) if sort else None,
        # Format 1 has no keys of several attributes.
        tuple(KeySchemaElement(**each) for each in stored.get("more_hash", ())),
        tuple(KeySchemaElement(**each) for each in stored.get("more_range", ())),
    )
