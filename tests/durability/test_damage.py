"""Damaged files: the error says so, and the file is left as it was found."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from gotgan.errors import StoreCorrupt, StoreFileError, StoreForeign
from gotgan.store.engine import connect, values
from tests.contract.tables import Index, create_table, everything
from tests.durability.invariants import stored_tables

NAME = "goods"
PAGE = 4096


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a file with a table, an index and a few pages of items."""
    path = tmp_path_factory.mktemp("good") / "store.db"
    with connect(path, synchronous="normal") as client:
        table = create_table(client, name=NAME, gsi=[Index("by_group", "group:S")])
        more = {"text": "x" * 80, "data": {b"some", b"bytes"}}
        table.fill({"pk": str(n), "group": f"g{n % 3}", **more} for n in range(300))
    return path.read_bytes()


def _read_everything(path: Path) -> None:
    with connect(path) as client:
        everything(client.scan, TableName=NAME)
        everything(client.scan, TableName=NAME, IndexName="by_group")


def _flipped(good: bytes, start: int, length: int, seed: int) -> bytes:
    chance = random.Random(seed)
    damaged = bytearray(good)
    for at in range(start, start + length):
        damaged[at] ^= chance.randrange(1, 256)
    return bytes(damaged)


def _beside(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


def test_pages_that_are_no_pages_are_damage(path: Path, good: bytes) -> None:
    damaged = _flipped(good, PAGE, len(good) - PAGE, seed=1)
    path.write_bytes(damaged)
    with pytest.raises(StoreCorrupt, match=r"store\.db is damaged.*Restore it from a backup"):
        _read_everything(path)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("seed", range(60))
def test_damage_anywhere_is_noticed_as_damage_or_not_at_all(
    path: Path, good: bytes, seed: int
) -> None:
    start = random.Random(seed).randrange(100, len(good) - 64)
    damaged = _flipped(good, start, 64, seed)
    path.write_bytes(damaged)
    with suppress(StoreCorrupt):
        _read_everything(path)
    assert path.read_bytes() == damaged


@pytest.mark.parametrize("length", [1000, PAGE, PAGE + 1, 5 * PAGE])
def test_a_file_that_was_cut_is_damage(path: Path, good: bytes, length: int) -> None:
    path.write_bytes(good[:length])
    with pytest.raises(StoreCorrupt, match="damaged"):
        _read_everything(path)
    assert path.read_bytes() == good[:length]


@pytest.mark.parametrize("length", [1, 15, 60, 100])
def test_a_file_that_was_cut_within_its_first_line_is_not_taken_for_a_new_one(
    path: Path, good: bytes, length: int
) -> None:
    path.write_bytes(good[:length])
    with pytest.raises(StoreFileError) as caught:
        connect(path)
    assert isinstance(caught.value, StoreCorrupt | StoreForeign)
    assert path.read_bytes() == good[:length]


@pytest.mark.parametrize("definition", ["", "{", "[]", '{"name": "goods"}', '{"nane": "goods"}'])
def test_a_definition_that_is_none_is_damage(path: Path, good: bytes, definition: str) -> None:
    path.write_bytes(good)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE catalog SET definition = ?", (definition,))
        connection.commit()
    with pytest.raises(StoreCorrupt, match="damaged"):
        connect(path)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="half"),
        pytest.param(b'{"pk": {"S": "\xff"}}', id="utf-8"),
        pytest.param(values.dump_item({"pk": {"B": b"ab"}}).replace(b"=", b""), id="base64"),
    ],
)
def test_an_item_that_is_none_is_damage(path: Path, good: bytes, raw: bytes) -> None:
    path.write_bytes(good)
    with closing(sqlite3.connect(path)) as connection:
        [rows] = stored_tables(path)
        connection.execute(f"UPDATE {rows} SET item = ?", (raw,))
        connection.commit()
    with pytest.raises(StoreCorrupt, match="damaged"):
        _read_everything(path)


def test_a_damaged_file_that_is_refused_has_nothing_left_beside_it(path: Path, good: bytes) -> None:
    path.write_bytes(good[: 5 * PAGE])
    with pytest.raises(StoreCorrupt) as caught:
        connect(path)
    # The error is still held, so that nothing is tidied up by the garbage collector.
    assert caught.value.code == "store.corrupt"
    assert _beside(path) == ["store.db"]


def test_a_write_that_meets_damage_changes_nothing(path: Path, good: bytes) -> None:
    path.write_bytes(good)
    start = _first_page_of_rows(path) * PAGE
    damaged = _flipped(good, start, len(good) - start, seed=3)
    path.write_bytes(damaged)
    with connect(path) as client, pytest.raises(StoreCorrupt, match="damaged"):
        client.put_item(TableName=NAME, Item={"pk": {"S": "new"}})
    assert path.read_bytes() == damaged


def _first_page_of_rows(path: Path) -> int:
    """The first page, counted from nought, behind those that say which tables there are."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT rootpage FROM sqlite_master WHERE name GLOB 't[0-9]*'")
        return min(int(page) for (page,) in rows) - 1


def test_a_file_whose_log_was_half_copied_home_is_whole_with_its_log(path: Path) -> None:
    """As a kill during a checkpoint, or a full disk, leaves it: the header knows pages to come."""
    source = path.with_name("source.db")
    with connect(source, synchronous="normal") as client:
        table = create_table(client, name=NAME)
        table.fill({"pk": str(n), "text": "x" * 900} for n in range(400))
        path.write_bytes(_with_first_page_home(source))
        _log_of(path).write_bytes(_log_of(source).read_bytes())
    with connect(path) as client:
        assert len(everything(client.scan, TableName=NAME)) == 400


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _with_first_page_home(path: Path) -> bytes:
    """The file as it is when of all pages in the log only the newest first page was copied."""
    log, file = _log_of(path).read_bytes(), bytearray(path.read_bytes())
    frame = 24 + PAGE
    firsts = [at for at in range(32, len(log), frame) if log[at : at + 4] == b"\0\0\0\1"]
    file[:PAGE] = log[firsts[-1] + 24 : firsts[-1] + frame]
    assert int.from_bytes(file[28:32], "big") * PAGE > len(file)
    return bytes(file)
