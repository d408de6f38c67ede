"""Put-if-absent in bulk on a file: many share a commit, and a failure stays with its owner."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gotgan.errors import StoreCorrupt, StoreLocked
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine, fileformat
from tests.store.library import LIBRARY, book, books


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(fileformat, "BUSY_TIMEOUT_S", 0.05)
    return tmp_path / "store.db"


@pytest.fixture
def engine(path: Path) -> Engine:
    return Engine(path, synchronous="normal")  # closed with the store


@pytest.fixture
def store(engine: Engine) -> Iterator[Store]:
    with Store(Embedded(engine), secret=Secret("of these tests")) as store:
        store.create(LIBRARY)
        yield store


@pytest.fixture
def program(path: Path, store: Store) -> Iterator[sqlite3.Connection]:
    """Another program at the same file."""
    del store  # which makes the file
    with closing(sqlite3.connect(path, isolation_level=None)) as program:
        yield program


def test_items_that_are_put_together_share_a_commit(store: Store, engine: Engine) -> None:
    writer = engine._context.database._writer  # noqa: SLF001 - commits are not seen from outside
    assert writer is not None
    said: list[str] = []
    writer.set_trace_callback(said.append)
    assert store.put_new_all(books(30), probe=False).new == books(30)
    assert said.count("COMMIT") == 1


def test_an_item_that_is_damaged_in_the_file_fails_alone(
    store: Store, program: sqlite3.Connection
) -> None:
    store.put_new_all([book(1)])
    (rows,) = program.execute("SELECT name FROM sqlite_master WHERE name LIKE 't1%'").fetchone()
    program.execute(f"UPDATE {rows} SET item = '{{'")
    report = store.put_new_all(books(4), probe=False)
    assert report.new == [each for each in books(4) if each.key != book(1).key]
    assert [type(each.error) for each in report.failed] == [StoreCorrupt]


def test_a_file_that_is_locked_fails_all_of_them(store: Store, program: sqlite3.Connection) -> None:
    program.execute("BEGIN IMMEDIATE")
    report = store.put_new_all(books(3), probe=False)
    assert [type(each.error) for each in report.failed] == [StoreLocked] * 3
    program.execute("ROLLBACK")
    assert store.put_new_all(books(3), probe=False).new == books(3)
