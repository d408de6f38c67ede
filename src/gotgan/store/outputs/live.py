"""Live tables: their description as a ``Table``, and waiting until they are ready."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from gotgan.errors import StoreUnreachable, UsageError
from gotgan.messages import Message
from gotgan.store import messages
from gotgan.store.attributes import Item
from gotgan.store.drivers import Driver
from gotgan.store.engine.faults import ResourceNotFoundException, UnknownOperationException
from gotgan.store.engine.values import type_of
from gotgan.store.tables import Index, KeyAttribute, Names, Table

_FIRST_PAUSE_S: Final = 0.1
_MAX_PAUSE_S: Final = 5.0


@dataclass(frozen=True)
class TableWait:
    """How long to wait for a table; a new index on a large one may take hours."""

    seconds: float = 600.0
    pause: Callable[[float], None] = time.sleep
    watch: Callable[[Mapping[str, Any]], None] = lambda _: None
    """Is called with the description of a table that is not ready."""

    def looks(self) -> Iterator[None]:
        """Let the caller look, pause, and look again until the time is up."""
        waited, pause = 0.0, _FIRST_PAUSE_S
        while True:
            yield
            if waited >= self.seconds:
                return
            self.pause(pause)
            waited, pause = waited + pause, min(pause * 2, _MAX_PAUSE_S)


def describe_table(driver: Driver, name: str) -> dict[str, Any] | None:
    """The ``Table`` of DescribeTable; None if the table does not exist."""
    try:
        answer = driver.call("DescribeTable", {"TableName": name})
    except ResourceNotFoundException:
        return None
    description: dict[str, Any] = answer["Table"]
    return description


def describe_ttl(driver: Driver, name: str) -> dict[str, Any]:
    """The ``TimeToLiveDescription``; off where an endpoint has no such thing."""
    try:
        answer = driver.call("DescribeTimeToLive", {"TableName": name})
    except UnknownOperationException:
        return {"TimeToLiveStatus": "DISABLED"}
    description: dict[str, Any] = answer["TimeToLiveDescription"]
    return description


def await_active(
    driver: Driver, name: str, patience: TableWait, *, index: str | None = None
) -> dict[str, Any]:
    """Wait until a table and its indexes can be used; a new one may not be seen at once."""
    for _ in patience.looks():
        description = describe_table(driver, name)
        if description is None:
            continue
        indexes = description.get("GlobalSecondaryIndexes") or ()
        statuses = {each["IndexName"]: each["IndexStatus"] for each in indexes}
        is_active = {description["TableStatus"], *statuses.values()} == {"ACTIVE"}
        if is_active and (index is None or index in statuses):
            return description
        patience.watch(description)
    raise StoreUnreachable(messages.TABLE_NOT_READY(table=name, seconds=round(patience.seconds)))


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
    described = describe_table(driver, name)
    if described is None:
        raise UsageError(messages.NO_TABLE(table=name, database=driver.name))
    identity = f"{described.get('TableArn', '')} {described.get('TableId', '')}".strip()
    return LiveTable(_table(described), identity, int(described.get("ItemCount", 0)))


def declared_live_table(table: Table, names: Names) -> LiveTable:
    """A declared table under the database's names; the database is not asked for anything."""
    called = Table(names.of(table), pk=table.pk, sk=table.sk)
    for index in table.indexes.values():
        own = replace(index, table=called, name=names.of(index))
        called.indexes[own.name] = own
    return LiveTable(called, "", 0)


def _table(described: Mapping[str, Any]) -> Table:
    definitions = described.get("AttributeDefinitions") or []
    types = {each["AttributeName"]: each["AttributeType"] for each in definitions}
    [pk], sort = _keys(described["KeySchema"], types)
    table = Table(described["TableName"], pk=pk, sk=sort[0] if sort else None)
    for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        for index in described.get(kind) or ():
            name, projection = index["IndexName"], index.get("Projection") or {}
            held: Any = projection.get("ProjectionType", "ALL")
            if held == "INCLUDE":
                held = tuple(projection.get("NonKeyAttributes") or ())
            (pk, *more_pk), sort = _keys(index["KeySchema"], types)
            table.indexes[name] = Index(
                table,
                name,
                pk,
                sort[0] if sort else None,
                held,
                local=kind.startswith("Local"),
                more_pk=tuple(more_pk),
                more_sk=tuple(sort[1:]),
            )
    return table


def _keys(
    schema: list[dict[str, str]], types: Mapping[str, Any]
) -> tuple[list[KeyAttribute], list[KeyAttribute]]:
    """The attributes of the partition key, and those of the sort key."""
    parts: dict[str, list[KeyAttribute]] = {"HASH": [], "RANGE": []}
    for each in schema:
        name = each["AttributeName"]
        parts[each["KeyType"]].append(KeyAttribute(name, types[name]))
    return parts["HASH"], parts["RANGE"]


def item_key(table: Table, item: Item) -> Item:
    """The key attributes of an item."""
    return {key.name: item[key.name] for key in table.keys}


def key_defect(table: Table, item: Item) -> Message | None:
    """What keeps an item from having a key of this table."""
    for key in table.keys:
        value = item.get(key.name)
        if value is None:
            return messages.KEY_ATTRIBUTE_MISSING(name=key.name, keys=_key_sentence(table))
        if key.type not in value:
            return messages.KEY_ATTRIBUTE_TYPE(
                name=key.name, kind=type_of(value), keys=_key_sentence(table)
            )
        if not value[key.type]:
            return messages.KEY_ATTRIBUTE_EMPTY(name=key.name, keys=_key_sentence(table))
    return None


def _key_sentence(table: Table) -> Message:
    keys = [f"{key.name} ({key.type})" for key in table.keys]
    return messages.TABLE_KEYS(table=table.name, keys=keys)
