"""What a table is: keys, indexes, billing, TTL; frozen values that the catalogue keeps as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias

from gotgan.store.engine.keys import KeySchema, KeySchemaElement
from gotgan.store.engine.values import Item

__all__ = ["EngineIndex", "EngineTable", "IndexKind", "IndexProjection", "Throughput"]

_KEY = ("pk", "sk")

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
    def everything(self) -> bool:
        """Say whether the index holds whole items."""
        return self.type == "ALL"


@dataclass(frozen=True)
class EngineIndex:
    """A secondary index. ``slot`` numbers its columns in the table's rows."""

    name: str
    kind: IndexKind
    key: KeySchema
    projection: IndexProjection
    slot: int
    throughput: Throughput = Throughput()

    @cached_property
    def hash_column(self) -> str:
        """The column of the index's partition key; a local index shares the table's."""
        return f"x{self.slot}_pk" if self.kind == "global" else "pk"

    @cached_property
    def range_column(self) -> str:
        """The column of the index's sort key, empty bytes where the index has none."""
        return f"x{self.slot}_sk"

    @cached_property
    def own_columns(self) -> tuple[str, ...]:
        """The columns that exist for this index alone."""
        if self.kind == "global":
            return (self.hash_column, self.range_column)
        return (self.range_column,)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The columns in the order in which the index is walked; the primary key breaks ties."""
        if self.kind == "global":
            return (self.hash_column, self.range_column, "pk", "sk")
        return ("pk", self.range_column, "sk")

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
        return (*_KEY, *self.changing_columns)

    @cached_property
    def changing_columns(self) -> tuple[str, ...]:
        """Every column that a new value of an item may change."""
        return ("size", "expires", *self.own_columns, "item")

    def place_of(self, index: EngineIndex) -> slice:
        """Say where an index's columns stand among those of all indexes."""
        first = self.own_columns.index(index.own_columns[0])
        return slice(first, first + len(index.own_columns))

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
    def claim_sql(self) -> str:
        """Write a row unless it is there."""
        return f"{self.insert_sql} ON CONFLICT (pk, sk) DO NOTHING"

    @cached_property
    def upsert_sql(self) -> str:
        """Write a row whether it is there or not."""
        changes = ", ".join(f"{column}=excluded.{column}" for column in self.changing_columns)
        return f"{self.insert_sql} ON CONFLICT (pk, sk) DO UPDATE SET {changes}"

    @cached_property
    def replace_sql(self) -> str:
        """Rewrite a row whole, its index keys included."""
        changes = ", ".join(f"{column}=?" for column in self.changing_columns)
        return f"UPDATE {self.rows} SET {changes} WHERE id=?"

    @cached_property
    def rewrite_sql(self) -> str:
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
    def local(self) -> tuple[EngineIndex, ...]:
        """The local indexes."""
        return tuple(index for index in self.indexes if index.kind == "local")

    @cached_property
    def global_(self) -> tuple[EngineIndex, ...]:
        """The global indexes."""
        return tuple(index for index in self.indexes if index.kind == "global")

    def with_index(self, index: EngineIndex, attributes: Iterable[KeySchemaElement]) -> EngineTable:
        """Return the table with one more index and the attribute definitions that it needs."""
        return replace(
            self,
            indexes=(*self.indexes, index),
            attributes=tuple(attributes),
            next_slot=index.slot + 1,
        )

    def without_index(self, name: str) -> EngineTable:
        """Return the table without that index, and without definitions that only it used."""
        kept = tuple(index for index in self.indexes if index.name != name)
        used = {*self.key.names, *(part for index in kept for part in index.key.names)}
        attributes = tuple(a for a in self.attributes if a.name in used)
        return replace(self, indexes=kept, attributes=attributes)

    def projected(self, index: EngineIndex, item: Item) -> Item:
        """Return what the index holds of an item."""
        if index.projection.everything:
            return item
        names = (*self.key.names, *index.key.names, *index.projection.attributes)
        return {name: item[name] for name in dict.fromkeys(names) if name in item}
