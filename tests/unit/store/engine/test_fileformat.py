"""How a file begins, how it is upgraded, and what SQLite's errors mean."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gotgan.errors import (
    StoreCorrupt,
    StoreFileError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
)
from gotgan.store.engine import connect, fileformat
from gotgan.store.engine.fileformat import (
    APPLICATION_ID,
    FORMAT,
    StaleCatalog,
    open_database,
    translate_error,
)
from tests.contract.shapes import item
from tests.contract.tables import Index, table_request


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def _make(path: Path) -> None:
    with _open(path):
        pass


def _open(path: Path | None) -> closing[sqlite3.Connection]:
    return closing(open_database(path, "normal"))


def test_a_new_file_says_whose_it_is_and_which_format_it_has(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with _open(path) as connection:
        assert _pragma(connection, "application_id") == APPLICATION_ID
        assert _pragma(connection, "user_version") == FORMAT
        assert _pragma(connection, "journal_mode") == "wal"
    assert APPLICATION_ID.to_bytes(4, "big") == b"Gotg" == path.read_bytes()[68:72]


def test_memory_is_made_in_the_same_way() -> None:
    with _open(None) as connection:
        assert _pragma(connection, "user_version") == FORMAT


def test_opening_a_file_again_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    _make(path)
    before = path.read_bytes()
    _make(path)
    assert path.read_bytes() == before


def _later(monkeypatch: pytest.MonkeyPatch, *statements: str) -> None:
    """Let this version know one format more than it does."""
    known: tuple[tuple[str, ...], ...] = fileformat._UPGRADES  # noqa: SLF001 - the formats that are to come are not known yet
    monkeypatch.setattr(fileformat, "_UPGRADES", (*known, statements))
    monkeypatch.setattr(fileformat, "FORMAT", FORMAT + 1)


def test_a_file_of_an_earlier_format_is_upgraded_and_keeps_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.db"
    with _open(path) as connection:
        connection.execute("INSERT INTO catalog (name, definition) VALUES ('goods', '{}')")
    _later(monkeypatch, "CREATE TABLE extra (x)", "INSERT INTO extra VALUES (1)")
    with _open(path) as connection:
        assert _pragma(connection, "user_version") == FORMAT + 1
        assert connection.execute("SELECT x FROM extra").fetchall() == [(1,)]
        assert connection.execute("SELECT name FROM catalog").fetchall() == [("goods",)]


def test_a_file_from_before_keys_of_several_attributes_is_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    request = table_request("pk:S sk:N", gsi=[Index("by_state", "state:S at:N")])
    query = {
        "TableName": "goods",
        "IndexName": "by_state",
        "KeyConditionExpression": "#s = :s",
        "ExpressionAttributeNames": {"#s": "state"},
        "ExpressionAttributeValues": {":s": {"S": "NEW"}},
    }
    with connect(path) as client:
        client.create_table(TableName="goods", **request)
        client.put_item(TableName="goods", Item=item(pk="a", sk=1, state="NEW", at=5))
        found = client.query(**query)
    with closing(sqlite3.connect(path)) as connection, connection:
        [[definition]] = connection.execute("SELECT definition FROM catalog").fetchall()
        for name in ("more_hash", "more_range"):
            definition = definition.replace(f',"{name}":[]', "")
        assert "more_" not in definition
        connection.execute("UPDATE catalog SET definition=?", (definition,))
        connection.execute("DROP TABLE streams")
        connection.execute("PRAGMA user_version=1")
    with connect(path) as client:
        assert client.query(**query)["Items"] == found["Items"] != []
    with closing(sqlite3.connect(path)) as connection:
        assert _pragma(connection, "user_version") == FORMAT


def test_an_upgrade_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.db"
    _make(path)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        _later(patch, "CREATE TABLE extra (x)", "this is no SQL")
        with pytest.raises(sqlite3.OperationalError):
            open_database(path, "normal")
    assert path.read_bytes() == before
    with _open(path) as connection:
        assert _pragma(connection, "user_version") == FORMAT


def test_a_file_that_was_upgraded_is_too_new_for_the_version_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.db"
    with monkeypatch.context() as patch:
        _later(patch, "CREATE TABLE extra (x)")
        _make(path)
    with pytest.raises(StoreTooNew, match=f"format {FORMAT + 1}, .* up to {FORMAT}"):
        open_database(path, "normal")


def _error(code: int, text: str = "said so") -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (sqlite3.SQLITE_BUSY, StoreLocked),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreLocked),
        (sqlite3.SQLITE_LOCKED, StoreLocked),
        (sqlite3.SQLITE_READONLY, StoreReadOnly),
        (sqlite3.SQLITE_READONLY_DIRECTORY, StoreReadOnly),
        (sqlite3.SQLITE_CANTOPEN, StoreReadOnly),
        (sqlite3.SQLITE_PERM, StoreReadOnly),
        (sqlite3.SQLITE_CORRUPT, StoreCorrupt),
        (sqlite3.SQLITE_CORRUPT_INDEX, StoreCorrupt),
        (sqlite3.SQLITE_NOTADB, StoreCorrupt),
        (sqlite3.SQLITE_FULL, StoreFull),
        (sqlite3.SQLITE_IOERR_WRITE, StoreFileError),
    ],
)
def test_an_error_of_sqlites_is_told_with_the_files_name(
    code: int, expected: type[StoreFileError]
) -> None:
    told = translate_error(_error(code), Path("store.db"))
    assert type(told) is expected
    assert "store.db" in str(told)
    assert str(told).endswith(".")


@pytest.mark.parametrize("text", ["no such table: t1", "no such column: x1_pk"])
def test_a_table_or_column_that_is_gone_means_that_our_view_is_old(text: str) -> None:
    assert isinstance(translate_error(_error(sqlite3.SQLITE_ERROR, text), None), StaleCatalog)


def test_an_error_that_means_nothing_to_us_is_passed_on() -> None:
    error = _error(sqlite3.SQLITE_ERROR, "near SELEKT: syntax error")
    assert translate_error(error, None) is error
