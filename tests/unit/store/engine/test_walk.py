"""However a table or an index is walked, SQLite follows one B-tree and sorts nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

import pytest

from gotgan.store.engine import catalog
from gotgan.store.engine.expressions import RangeCondition
from gotgan.store.engine.fileformat import open_database
from gotgan.store.engine.keys import KeyAttribute, KeySchema
from gotgan.store.engine.tables import Index, Projection, Table
from gotgan.store.engine.walk import Walk

PK, SK, G, N = (KeyAttribute(name, "S") for name in ("pk", "sk", "g", "n"))
GLOBAL = Index("global", "global", KeySchema(G, N), Projection(), slot=1)
LOCAL = Index("local", "local", KeySchema(PK, N), Projection(), slot=2)
HASH_ONLY = Index("hash-only", "global", KeySchema(G), Projection(), slot=3)
INDEXES = (None, GLOBAL, LOCAL, HASH_ONLY)

Restrict = Callable[[Walk], None]


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = open_database(None, "normal")
    yield connection
    connection.close()


@pytest.fixture
def table(connection: sqlite3.Connection) -> Table:
    return catalog.create_table(
        connection,
        Table(
            number=0,
            revision=0,
            name="goods",
            key=KeySchema(PK, SK),
            attributes=(PK, SK, G, N),
            created=0.0,
            indexes=(GLOBAL, LOCAL, HASH_ONLY),
        ),
    )


def partition(walk: Walk) -> None:
    walk.within(b"hashkey")


def next_page_of_a_partition(walk: Walk) -> None:
    walk.within(b"hashkey")
    walk.after((b"1",) * (len(walk.columns) - 1))


def prefix(walk: Walk) -> None:
    walk.within(b"hashkey")
    walk.restrict(RangeCondition("begins_with", ({"S": "a"},)))


def between(walk: Walk) -> None:
    walk.within(b"hashkey")
    walk.restrict(RangeCondition("BETWEEN", ({"S": "a"}, {"S": "b"})))
    walk.after((b"a",) * (len(walk.columns) - 1))


def everything(_walk: Walk) -> None:
    """A scan from the beginning."""


def next_page_of_a_scan(walk: Walk) -> None:
    walk.after((b"1",) * len(walk.columns))


def segment(walk: Walk) -> None:
    walk.between_hashes(b"\x00", b"\x80")


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("index", INDEXES, ids=lambda index: index.name if index else "table")
@pytest.mark.parametrize(
    "restrict",
    [
        partition,
        next_page_of_a_partition,
        prefix,
        between,
        everything,
        next_page_of_a_scan,
        segment,
    ],
)
def test_a_walk_follows_one_b_tree_and_sorts_nothing(
    connection: sqlite3.Connection,
    table: Table,
    restrict: Restrict,
    index: Index | None,
    forward: bool,
) -> None:
    walk = Walk(table, index, forward=forward)
    restrict(walk)
    seen: list[str] = []
    connection.set_trace_callback(seen.append)
    list(walk.rows(connection, 10))
    connection.set_trace_callback(None)
    plan = [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {seen[0]}")]
    name = f"t{table.number}_key" if index is None else f"t{table.number}_x{index.slot}"
    assert len(plan) == 1
    assert f"USING INDEX {name}" in plan[0]
    if restrict is not everything and restrict is not next_page_of_a_scan:
        assert plan[0].startswith("SEARCH")


def test_the_position_behind_which_a_page_begins_is_not_read_again(
    connection: sqlite3.Connection,
    table: Table,
) -> None:
    for sort in (b"a", b"b", b"c"):
        connection.execute(
            f"INSERT INTO {table.rows} (pk, sk, size, item) VALUES (?, ?, 1, ?)",
            (b"hashkey", sort, sort),
        )
    walk = Walk(table, None, forward=False)
    walk.within(b"hashkey")
    walk.after((b"c",))
    assert [item for item, _ in walk.rows(connection, None)] == [b"b", b"a"]
