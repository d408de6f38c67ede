"""What must be true of a store's file, whatever has happened to it."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.contract.shapes import given
from tests.contract.stream_reader import StreamReader
from tests.contract.tables import Table, everything

__all__ = ["check_file", "check_indexes", "check_stream", "stored_tables"]

Entry = dict[str, Any]


def check_file(path: Path) -> None:
    """SQLite finds nothing wrong with the file, and every row belongs to a table of ours."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        known = connection.execute("SELECT count(*) FROM catalog").fetchone()[0]
    assert len(stored_tables(path)) == known


def check_stream(table: Table, stream: StreamReader, before: Iterable[Entry] = ()) -> None:
    """The records, each on what the one before left, lead from the items then to those now."""
    primary = [part["AttributeName"] for part in stream.describe()["KeySchema"]]

    def by_key(items: Iterable[Entry]) -> dict[Any, Entry]:
        return {tuple(each[name] for name in primary): each for each in items}

    items = by_key(before)
    for name, keys, old, new in stream.changes():
        key = tuple(keys.values())
        assert name == ("REMOVE" if new is None else "INSERT" if old is None else "MODIFY")
        assert old == items.get(key)
        assert new != old
        items[key] = new
        if new is None:
            del items[key]
    assert items == by_key(everything(table.scan, ConsistentRead=True))


def stored_tables(path: Path) -> list[str]:
    """The names of SQLite's tables that hold items."""
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 't[0-9]*'"
    with closing(sqlite3.connect(path)) as connection:
        return [name for (name,) in connection.execute(sql)]


def check_indexes(table: Table) -> None:
    """Every index holds exactly the items that have its key, in its order."""
    description = table.describe_table()["Table"]
    primary = [part["AttributeName"] for part in description["KeySchema"]]
    items = everything(table.scan, ConsistentRead=True)
    for kind in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        for index in description.get(kind, []):
            own = [part["AttributeName"] for part in index["KeySchema"]]
            _check_index(table, index["IndexName"], own, primary, items)


def _check_index(
    table: Table, name: str, own: list[str], primary: list[str], items: list[Entry]
) -> None:
    expected: dict[Any, list[Entry]] = defaultdict(list)
    names = list(dict.fromkeys((*own, *primary)))
    for each in items:
        if all(part in each for part in own):
            expected[each[own[0]]].append({part: each[part] for part in names})
    assert len(everything(table.scan, IndexName=name)) == sum(map(len, expected.values()))
    for value, entries in expected.items():
        found = everything(
            table.query,
            IndexName=name,
            KeyConditionExpression="#own = :own",
            **given({"#own": own[0]}, own=value),
        )
        shown = [{part: each[part] for part in names} for each in found]
        assert sorted(shown, key=repr) == sorted(entries, key=repr)
        order = [each[own[-1]] for each in shown]
        assert order == sorted(order)
