"""However a table or an index is walked, SQLite follows one B-tree and sorts nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator

import pytest

from gotgan.store.engine import catalog
from gotgan.store.engine.catalog import EngineIndex, EngineTable, IndexProjection
from gotgan.store.engine.expressions.conditions import RangeCondition
from gotgan.store.engine.fileformat import open_database
from gotgan.store.engine.keys import KeySchema, KeySchemaElement
from gotgan.store.engine.queries import KeyRange

PK, SK, G, N = (KeySchemaElement(name, "S") for name in ("pk", "sk", "g", "n"))
GLOBAL = EngineIndex("global", "global", KeySchema(G, N), IndexProjection(), slot=1)
LOCAL = EngineIndex("local", "local", KeySchema(PK, N), IndexProjection(), slot=2)
HASH_ONLY = EngineIndex("hash-only", "global", KeySchema(G), IndexProjection(), slot=3)
INDEXES = (None, GLOBAL, LOCAL, HASH_ONLY)

Restrict = Callable[[KeyRange], None]


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = open_database(None, "normal")
    yield connection
    connection.close()


@pytest.fixture
def table(connection: sqlite3.Connection) -> EngineTable:
    return catalog.insert_table(
        connection,
        EngineTable(
            number=0,
            revision=0,
            name="goods",
            key=KeySchema(PK, SK),
            attributes=(PK, SK, G, N),
            created=0.0,
            indexes=(GLOBAL, LOCAL, HASH_ONLY),
        ),
    )


def _position(walk: KeyRange) -> tuple[bytes, ...]:
    return (b"hashkey", *(b"a",) * (len(walk.columns) - 1))


def partition(walk: KeyRange) -> None:
    walk.partition = b"hashkey"


def next_page_of_a_partition(walk: KeyRange) -> None:
    walk.partition = b"hashkey"
    walk.after = _position(walk)


def prefix(walk: KeyRange) -> None:
    walk.partition = b"hashkey"
    walk.restrict(RangeCondition("begins_with", ({"S": "a"},)))


def next_page_of_a_prefix(walk: KeyRange) -> None:
    prefix(walk)
    walk.after = _position(walk)


def next_page_of_a_range(walk: KeyRange) -> None:
    walk.partition = b"hashkey"
    walk.restrict(RangeCondition("BETWEEN", ({"S": "a"}, {"S": "b"})))
    walk.after = _position(walk)


def one_sort_key(walk: KeyRange) -> None:
    walk.partition = b"hashkey"
    walk.restrict(RangeCondition("=", ({"S": "a"},)))


def next_page_of_one_sort_key(walk: KeyRange) -> None:
    one_sort_key(walk)
    walk.after = _position(walk)


def everything(_walk: KeyRange) -> None:
    """A scan from the beginning."""


def next_page_of_a_scan(walk: KeyRange) -> None:
    walk.after = _position(walk)


def segment(walk: KeyRange) -> None:
    walk.segment = (b"\x00", b"\x80")


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize("index", INDEXES, ids=lambda index: index.name if index else "table")
@pytest.mark.parametrize(
    "restrict",
    [
        partition,
        next_page_of_a_partition,
        prefix,
        next_page_of_a_prefix,
        next_page_of_a_range,
        one_sort_key,
        next_page_of_one_sort_key,
        everything,
        next_page_of_a_scan,
        segment,
    ],
)
def test_a_walk_follows_one_b_tree_and_sorts_nothing(
    connection: sqlite3.Connection,
    table: EngineTable,
    restrict: Restrict,
    index: EngineIndex | None,
    forward: bool,
) -> None:
    walk = KeyRange(table, index, forward=forward)
    restrict(walk)
    seen: list[str] = []
    connection.set_trace_callback(seen.append)
    list(walk.rows(connection, 10))
    connection.set_trace_callback(None)
    plan = [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {seen[0]}")]
    name = f"t{table.number}_key" if index is None else f"t{table.number}_x{index.slot}"
    assert len(plan) == 1
    assert f"USING INDEX {name}" in plan[0]
    at_end = restrict is next_page_of_one_sort_key and index is None  # nothing can follow
    if restrict is not everything and restrict is not next_page_of_a_scan and not at_end:
        assert plan[0].startswith("SEARCH")


def test_the_position_behind_which_a_page_begins_is_not_read_again(
    connection: sqlite3.Connection,
    table: EngineTable,
) -> None:
    for sort in (b"a", b"b", b"c"):
        connection.execute(
            f"INSERT INTO {table.rows} (pk, sk, size, item) VALUES (?, ?, 1, ?)",
            (b"hashkey", sort, sort),
        )
    walk = KeyRange(table, None, forward=False)
    walk.partition = b"hashkey"
    walk.after = (b"hashkey", b"c")
    assert [item for item, _ in walk.rows(connection, None)] == [b"b", b"a"]


def _steps(connection: sqlite3.Connection, walk: KeyRange) -> int:
    """Count what SQLite does for a page of ten."""
    steps = [0]

    def count() -> int:
        steps[0] += 1
        return 0

    connection.set_progress_handler(count, 1)
    assert len(list(walk.rows(connection, 10))) == 10
    connection.set_progress_handler(None, 0)
    return steps[0]


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(
    ("index", "condition"),
    [
        (None, RangeCondition("begins_with", ({"S": "a"},))),
        (None, RangeCondition("BETWEEN", ({"S": "a0"}, {"S": "b"}))),
        (GLOBAL, RangeCondition("begins_with", ({"S": "a"},))),
        (GLOBAL, RangeCondition(">=", ({"S": "a"},))),
        (GLOBAL, RangeCondition("=", ({"S": "a"},))),
        (LOCAL, RangeCondition("BETWEEN", ({"S": "a"}, {"S": "b"}))),
        (LOCAL, RangeCondition("=", ({"S": "a"},))),
    ],
)
def test_a_page_costs_the_same_wherever_it_begins(
    connection: sqlite3.Connection,
    table: EngineTable,
    index: EngineIndex | None,
    condition: RangeCondition,
    forward: bool,
) -> None:
    total = 1000
    rows = [
        (b"hashkey", b"a%04d" % i, b"hashkey", b"a" if condition.operator == "=" else b"a%04d" % i)
        for i in range(total)
    ]
    connection.executemany(
        f"INSERT INTO {table.rows} (pk, sk, size, item, x1_pk, x1_sk, x2_sk)"
        " VALUES (?, ?, 1, '', ?, ?, ?)",
        [(*row, row[-1]) for row in rows],
    )

    def page(number: int) -> int:
        walk = KeyRange(table, index, forward=forward)
        walk.partition = b"hashkey"
        walk.restrict(condition)
        pk, sk, own_pk, own_sk = rows[number if forward else total - 1 - number]
        order = {"pk": pk, "sk": sk, "x1_pk": own_pk, "x1_sk": own_sk, "x2_sk": own_sk}
        walk.after = tuple(order[column] for column in walk.columns)
        return _steps(connection, walk)

    assert page(total - 20) <= page(5) * 1.2
