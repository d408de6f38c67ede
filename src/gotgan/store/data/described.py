"""Tables as they are: what DescribeTable says, as a ``Table``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from gotgan.errors import UsageError
from gotgan.store.attributes import Item
from gotgan.store.drivers import Driver
from gotgan.store.engine.values import type_of
from gotgan.store.outputs.live import describe
from gotgan.store.tables import Index, KeyAttribute, Names, Table

__all__ = ["LiveTable", "as_called", "key_of", "key_trouble", "live_table"]


@dataclass(frozen=True)
class LiveTable:
    """A table of a database: its keys and indexes, and what tells it from any other."""

    table: Table
    identity: str
    """Another one, when a table was removed and made again under the same name."""
    items: int
    """How many there are, as the database last counted."""

    @property
    def name(self) -> str:
        """The name that the database knows."""
        return self.table.name


def live_table(driver: Driver, name: str) -> LiveTable:
    """Ask the database for a table."""
    described = describe(driver, name)
    if described is None:
        raise UsageError(f"there is no table {name} in {driver.name}; make it, or name another")
    identity = f"{described.get('TableArn', '')} {described.get('TableId', '')}".strip()
    return LiveTable(_table(described), identity, int(described.get("ItemCount", 0)))


def as_called(table: Table, names: Names) -> LiveTable:
    """A declared table under the names that the database knows, without asking it.

    Nobody counted its items: a database may have to read them all for that.
    """
    called = Table(names.of(table), pk=table.pk, sk=table.sk)
    for index in table.indexes.values():
        own = replace(index, table=called, name=names.of(index))
        called.indexes[own.name] = own
    return LiveTable(called, "", 0)


def _table(described: Mapping[str, Any]) -> Table:
    types = {each["AttributeName"]: each["AttributeType"] for each in _definitions(described)}
    pk, sk = _keys(described["KeySchema"], types)
    table = Table(described["TableName"], pk=pk, sk=sk)
    for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        for index in described.get(kind) or ():
            _add_index(table, index, types, local=kind.startswith("Local"))
    return table


def _definitions(described: Mapping[str, Any]) -> list[dict[str, str]]:
    return described.get("AttributeDefinitions") or []


def _add_index(
    table: Table, index: Mapping[str, Any], types: Mapping[str, Any], *, local: bool
) -> None:
    pk, sk = _keys(index["KeySchema"], types)
    table.indexes[index["IndexName"]] = Index(
        table, index["IndexName"], pk, sk, _projection(index.get("Projection") or {}), local
    )


def _keys(
    schema: list[dict[str, str]], types: Mapping[str, Any]
) -> tuple[KeyAttribute, KeyAttribute | None]:
    by_role = {each["KeyType"]: each["AttributeName"] for each in reversed(schema)}
    pk = KeyAttribute(by_role["HASH"], types[by_role["HASH"]])
    if "RANGE" not in by_role:
        return pk, None
    return pk, KeyAttribute(by_role["RANGE"], types[by_role["RANGE"]])


def _projection(projection: Mapping[str, Any]) -> Any:
    kind = projection.get("ProjectionType", "ALL")
    return tuple(projection.get("NonKeyAttributes") or ()) if kind == "INCLUDE" else kind


def key_of(table: Table, item: Item) -> Item:
    """The key attributes of an item."""
    return {key.name: item[key.name] for key in table.keys}


def key_trouble(table: Table, item: Item) -> str:
    """What keeps an item from having a key of this table; empty where nothing does."""
    for key in table.keys:
        value = item.get(key.name)
        if value is None:
            return f"its item has no {key.name}; {_keyed(table)}"
        if key.type not in value:
            return f"{key.name} of its item is of type {type_of(value)}; {_keyed(table)}"
        if not value[key.type]:
            return f"{key.name} of its item is empty; {_keyed(table)}"
    return ""


def _keyed(table: Table) -> str:
    keys = " and ".join(f"{key.name} ({key.type})" for key in table.keys)
    return f"the key of {table.name} is {keys}"
