"""The catalogue: definitions come back as they were, and every change is seen by old views."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest

from gotgan.store.engine import catalog
from gotgan.store.engine.catalog import (
    Catalog,
    EngineIndex,
    EngineTable,
    IndexProjection,
    Throughput,
)
from gotgan.store.engine.database import EngineDatabase
from gotgan.store.engine.faults import ResourceInUseException, ResourceNotFoundException
from gotgan.store.engine.fileformat import StaleCatalog
from gotgan.store.engine.keys import KeySchema, KeySchemaElement

HASH, RANGE = KeySchemaElement("pk", "S"), KeySchemaElement("sk", "N")
GROUP = KeySchemaElement("group", "B")
INDEXES = (
    EngineIndex(
        "whole", "global", KeySchema(GROUP), IndexProjection(), slot=1, throughput=Throughput(1, 2)
    ),
    EngineIndex(
        "part", "local", KeySchema(HASH, GROUP), IndexProjection("INCLUDE", ("a", "b")), slot=2
    ),
)
PLAIN = EngineTable(
    number=0, revision=1, name="plain", key=KeySchema(HASH), attributes=(HASH,), created=1.5
)
RICH = EngineTable(
    number=0,
    revision=1,
    name="rich",
    key=KeySchema(HASH, RANGE),
    attributes=(HASH, RANGE, GROUP),
    created=2.5,
    indexes=INDEXES,
    throughput=Throughput(3, 4),
    ttl="expires",
    deletion_protection=True,
    next_slot=3,
    options={"TableClassSummary": {"TableClass": "STANDARD"}},
)


@pytest.fixture
def database() -> Iterator[EngineDatabase]:
    database = EngineDatabase(None)
    yield database
    database.close()


def _create(database: EngineDatabase, table: EngineTable) -> EngineTable:
    return database.write(lambda connection: catalog.insert_table(connection, table))


def _columns(database: EngineDatabase, table: EngineTable) -> set[str]:
    def ask(connection: sqlite3.Connection) -> set[str]:
        return {row[1] for row in connection.execute(f"PRAGMA table_info({table.rows})")}

    return database.read(ask)


@pytest.mark.parametrize("table", [PLAIN, RICH], ids=lambda table: table.name)
def test_a_definition_comes_back_as_it_was(database: EngineDatabase, table: EngineTable) -> None:
    created = _create(database, table)
    assert created == replace(table, number=1)
    assert Catalog(database).tables == {table.name: created}


def test_a_table_has_its_columns_and_those_of_its_indexes(database: EngineDatabase) -> None:
    created = _create(database, RICH)
    assert _columns(database, created) == {"id", *created.columns}
    assert {"x1_pk", "x1_sk", "x2_sk"} <= set(created.columns)


def test_tables_are_listed_in_the_order_of_their_names(database: EngineDatabase) -> None:
    for name in ("b", "a", "C"):
        _create(database, replace(PLAIN, name=name))
    assert list(Catalog(database).tables) == ["C", "a", "b"]


def test_a_name_is_given_once(database: EngineDatabase) -> None:
    _create(database, PLAIN)
    with pytest.raises(ResourceInUseException, match="plain"):
        _create(database, PLAIN)


def test_a_number_is_never_used_again(database: EngineDatabase) -> None:
    first = _create(database, PLAIN)
    database.write(lambda connection: catalog.drop_table(connection, first))
    assert Catalog(database).tables == {}
    assert _create(database, PLAIN).number > first.number


def test_an_unknown_table_is_looked_for_in_the_file(database: EngineDatabase) -> None:
    view = Catalog(database)
    created = _create(database, PLAIN)
    assert view.tables == {}
    assert view.table("plain") == created
    with pytest.raises(ResourceNotFoundException, match="not found"):
        view.table("missing")


def test_a_table_that_is_gone_is_not_found_when_asked_for_afresh(database: EngineDatabase) -> None:
    created = _create(database, PLAIN)
    view = Catalog(database)
    database.write(lambda connection: catalog.drop_table(connection, created))
    assert view.table("plain") == created
    with pytest.raises(ResourceNotFoundException):
        view.fresh("plain")


def test_work_prepared_with_an_old_definition_is_stale(database: EngineDatabase) -> None:
    old = _create(database, PLAIN)
    changed = replace(old, deletion_protection=True)
    new = database.write(lambda connection: catalog.replace_definition(connection, old, changed))
    for use in (database.read, database.write):
        with pytest.raises(StaleCatalog):
            use(lambda connection: connection.execute(old.get_sql, (b"", b"")).fetchall())
        assert use(lambda c: c.execute(new.get_sql, (b"", b"")).fetchall()) == []
    assert Catalog(database).tables == {"plain": new}


def test_an_old_definition_cannot_be_changed_again(database: EngineDatabase) -> None:
    old = _create(database, PLAIN)
    changed = replace(old, deletion_protection=True)
    database.write(lambda connection: catalog.replace_definition(connection, old, changed))
    with pytest.raises(StaleCatalog):
        database.write(lambda connection: catalog.replace_definition(connection, old, changed))


def test_an_index_brings_its_columns_and_takes_them_away(database: EngineDatabase) -> None:
    table = _create(database, PLAIN)
    index = INDEXES[0]

    def add(connection: sqlite3.Connection) -> None:
        catalog.add_columns(connection, table, index)
        catalog.create_index(connection, table, index)

    before = _columns(database, table)
    database.write(add)
    assert _columns(database, table) - before == set(index.own_columns)
    database.write(lambda connection: catalog.drop_index(connection, table, index))
    assert _columns(database, table) == before
