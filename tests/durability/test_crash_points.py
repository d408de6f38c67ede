"""A crash before any statement of a change leaves the store as it was, or as it was to be."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gotgan.store.engine import Client, StreamsClient, connect
from tests.contract.stream_reader import StreamReader
from tests.contract.tables import Table, create_table, everything
from tests.durability.child import BY_GROUP
from tests.durability.crash import CHANGES, STREAM_ON, STREAMED, TABLE, crashed
from tests.durability.invariants import check_file, check_indexes


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A file with a table, an index and a few items."""
    path = tmp_path / "base.db"
    with connect(path, synchronous="normal") as client:
        table = create_table(client, name=TABLE, gsi=[BY_GROUP])
        more = {"expires": 2_000_000_000}
        table.fill({"pk": str(n), "group": f"g{n % 2}", "rank": n, **more} for n in range(5))
        create_table(client, name=STREAMED, **STREAM_ON).put(pk="1", n=1)
    return path


def _what_is(path: Path) -> dict[str, Any]:
    """Everything that a user can see in the file, found sound."""
    with connect(path, synchronous="normal") as client:
        seen = {name: _what_table(client, name) for name in client.list_tables()["TableNames"]}
        changes = _what_changed(client)
    check_file(path)
    return {**seen, "changes": changes, "what finds them": _stored_indexes(path)}


def _what_changed(client: Client) -> list[Any]:
    """The streams, without the moments at which they were enabled, and their records."""
    streams = StreamsClient(client.engine)
    found: list[Any] = []
    for listed in streams.list_streams()["Streams"]:
        stream = StreamReader(streams, listed["StreamArn"])
        found.append((listed["TableName"], stream.describe()["StreamStatus"], stream.changes()))
    return found


def _stored_indexes(path: Path) -> list[str]:
    """SQLite's indexes: without one of them everything would still be found, but slowly."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'index'")
        return sorted(name for (name,) in rows)


def _what_table(client: Client, name: str) -> dict[str, Any]:
    table = Table(client, name)
    check_indexes(table)
    description = table.describe_table()["Table"]
    indexes = description.get("GlobalSecondaryIndexes", [])
    return {
        "indexes": {index["IndexName"]: index["ItemCount"] for index in indexes},
        "expiry": table.describe_time_to_live()["TimeToLiveDescription"],
        "stream": description.get("StreamSpecification"),
        "items": sorted(everything(table.scan), key=repr),
    }


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_crash_leaves_all_of_a_change_or_nothing_of_it(base: Path, change: str) -> None:
    killed, whole = crashed(change, base)
    before, after = _what_is(base), _what_is(whole)
    assert before != after
    left = [_what_is(path) for path in killed]
    assert left[0] == before
    first_after = next((n for n, seen in enumerate(left) if seen != before), len(left))
    assert first_after > 2, "the change has hardly a statement: was it traced at all?"
    assert left[first_after:] == [after] * (len(left) - first_after)
