"""Files that cannot be used: each is a clear error, and is left exactly as it was."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from gotgan.errors import (
    StoreFileError,
    StoreForeign,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
    UsageError,
)
from gotgan.store.engine import Client, connect, fileformat
from tests.contract.tables import Table, create_table, everything
from tests.durability.invariants import check_file
from tests.durability.rights import open_folder, without_rights

__all__ = ["open_folder"]


def _beside(path: Path) -> list[str]:
    return sorted(each.name for each in path.parent.iterdir())


def _foreign_sqlite(path: Path, journal: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode={journal}")
        connection.execute("CREATE TABLE letters (text)")
        connection.commit()


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_sqlite_file_of_another_program_is_left_alone(path: Path, journal: str) -> None:
    _foreign_sqlite(path, journal)
    before = path.read_bytes()
    with pytest.raises(StoreForeign, match=r"SQLite file of another program\. .* Use another file"):
        connect(path)
    assert path.read_bytes() == before
    assert _beside(path) == ["store.db"]


@pytest.mark.parametrize("content", [b"x", b"a letter to somebody\n" * 400, bytes(PAGE := 4096)])
def test_a_file_that_is_no_sqlite_file_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreForeign, match="not a SQLite file"):
        connect(path)
    assert path.read_bytes() == content
    assert _beside(path) == ["store.db"]


def test_a_folder_is_no_file(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreForeign, match=r"is a folder\. Name a file in it"):
        connect(path)
    assert list(path.iterdir()) == []


def test_an_empty_file_is_taken_as_new(path: Path) -> None:
    path.touch()
    with connect(path) as client:
        create_table(client, name="goods").put(pk="a")
    with connect(path) as client:
        assert Table(client, "goods").get(pk="a") == {"pk": "a"}


def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    path = tmp_path / "some" / "where" / "store.db"
    with connect(path) as client:
        create_table(client)
    check_file(path)


def test_a_file_in_the_place_of_its_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a letter")
    with pytest.raises(StoreFileError, match="Could not use"):
        connect(tmp_path / "file" / "store.db")
    assert (tmp_path / "file").read_text() == "a letter"


def test_a_folder_where_nothing_can_be_made_is_an_error() -> None:
    with pytest.raises(StoreFileError, match="/proc/"):
        connect("/proc/store.db")


def test_a_folder_that_cannot_be_written_is_an_error(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with without_rights(), pytest.raises(StoreReadOnly, match=r"Could not (use|write)"):
        connect(open_folder / "store.db")
    with without_rights(), pytest.raises(StoreReadOnly, match=r"Could not (use|write)"):
        connect(open_folder / "deeper" / "store.db")
    assert list(open_folder.iterdir()) == []


def test_a_file_of_a_later_format_is_left_alone(client: Client, path: Path) -> None:
    client.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version={fileformat.FORMAT + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreTooNew, match=f"format {fileformat.FORMAT + 1}.*Upgrade Gotgan"):
        connect(path)
    assert path.read_bytes() == before
    assert _beside(path) == ["store.db"]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fileformat, "BUSY_TIMEOUT_S", 0.1)


@contextmanager
def _locked(path: Path, begin: str) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as program:
        program.execute("PRAGMA locking_mode=EXCLUSIVE")
        program.execute(begin)
        yield
        program.execute("ROLLBACK")


@pytest.mark.usefixtures("impatient")
def test_a_file_that_another_program_keeps_for_itself_cannot_be_opened_yet(path: Path) -> None:
    with connect(path) as client:
        create_table(client, name="goods").put(pk="a")
    before = path.read_bytes()
    with (
        _locked(path, "BEGIN EXCLUSIVE"),
        pytest.raises(StoreLocked, match="locked by another program") as caught,
    ):
        connect(path)
    assert caught.value.retry
    assert path.read_bytes() == before
    with connect(path) as client:
        assert Table(client, "goods").get(pk="a") == {"pk": "a"}


@pytest.mark.usefixtures("impatient")
def test_a_write_that_waited_too_long_is_refused_and_can_be_tried_again(path: Path) -> None:
    with connect(path) as client:
        table = create_table(client)
        with closing(sqlite3.connect(path, isolation_level=None)) as program:
            program.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreLocked, match="try again"):
                table.put(pk="a")
            assert everything(table.scan) == []
            program.execute("ROLLBACK")
        table.put(pk="a")
        assert table.get(pk="a") == {"pk": "a"}


def test_a_relative_path_means_the_same_file_after_the_working_folder_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with connect("store.db") as client:
        monkeypatch.chdir(elsewhere)
        table = create_table(client)
        table.put(pk="a")
        assert table.get(pk="a") == {"pk": "a"}
        # A snapshot within a snapshot takes a second connection, which is opened only now.
        database = client.engine._context.database  # noqa: SLF001 - no other way to hold a reader
        first = database.read(lambda _outer: table.get(pk="a"), begin=True)
        assert first == {"pk": "a"}
    assert list(elsewhere.iterdir()) == []


def test_the_file_is_one_file_once_it_is_closed(client: Client, path: Path) -> None:
    create_table(client).put(pk="a")
    client.close()
    assert _beside(path) == ["store.db"]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_was_removed_takes_no_more_writes(path: Path, replaced: bool) -> None:
    with connect(path) as client:
        table = create_table(client, "pk:S")
        table.put(pk="a")
        path.unlink()
        if replaced:
            with connect(path):
                pass
        with pytest.raises(StoreFileError, match="removed or replaced"):
            table.put(pk="b")
    assert path.exists() == replaced


def test_reading_does_not_make_a_file_that_was_removed(path: Path) -> None:
    with connect(path) as client:
        table = create_table(client, "pk:S")
        path.unlink()
        for reader in list(client.engine._context.database._idle):  # noqa: SLF001
            reader.close()
        client.engine._context.database._idle.clear()  # noqa: SLF001
        with pytest.raises(StoreFileError):
            table.get(pk="a")
    assert not path.exists()


def test_a_backup_has_everything_that_was_answered(path: Path, tmp_path: Path) -> None:
    with connect(path) as client:
        table = create_table(client, "pk:S")
        table.fill({"pk": str(number)} for number in range(100))
        client.engine.backup(tmp_path / "copy.sqlite3")
        table.put(pk="later")
        with pytest.raises(UsageError, match="there already"):
            client.engine.backup(tmp_path / "copy.sqlite3")
    with connect(tmp_path / "copy.sqlite3") as copy:
        assert len(everything(Table(copy, table.name).scan)) == 100
    check_file(tmp_path / "copy.sqlite3")


def test_opening_a_file_twice_in_one_process_keeps_its_locks(path: Path) -> None:
    with connect(path) as client:
        table = create_table(client, "pk:S")
        connect(path).close()
        table.put(pk="a")
        # Another process that comes and goes must not take this one's log away.
        program = (
            "import sys; from gotgan.store.engine import connect; connect(sys.argv[1]).close()"
        )
        subprocess.run([sys.executable, "-c", program, str(path)], check=True)
        table.put(pk="b")
        assert path.with_name(path.name + "-wal").exists()
    with connect(path) as client:
        assert len(everything(Table(client, table.name).scan)) == 2


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there is no such device")
def test_what_is_no_regular_file_is_refused() -> None:
    with pytest.raises(StoreForeign, match="not a regular file"):
        connect("/dev/null")


def test_sqlites_word_for_memory_is_told_apart(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.chdir(path.parent)
    with pytest.raises(UsageError, match="None is memory"):
        connect(":memory:")
    assert not Path(":memory:").exists()
