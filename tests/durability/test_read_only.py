"""Files are for their owner alone, and a folder that cannot be written can still be read."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.errors import DatabaseReadOnly, StoreReadOnly
from gotgan.settings import Settings
from gotgan.sql import Database
from gotgan.store.engine import connect, fileformat
from tests.contract.tables import Table, create_table, everything
from tests.durability.rights import NOBODY, open_folder, read_only, without_rights

__all__ = ["open_folder"]

STORY = "https://finance.yahoo.com/news/chips-rise-as-orders-return-143512345.html"
READING = (
    "news list",
    "tables list",
    "tables browse news_items",
    "shops changes shop.example",
    "shops get shop.example",
    "market status",
    "market gaps",
    "videos list",
    "schedule",
    "site posts list",
)
WRITING = (
    ("shops add another.example --country DE", "settings"),
    ("videos purge", "settings"),
    ("backup {folder}", "store.readonly"),
    ("up", "settings"),
    ("news collect", "settings"),
)


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _beside(path: Path) -> dict[str, int]:
    return {each.name: _mode(each) for each in path.parent.iterdir()}


def _left_by_a_killed_writer(path: Path) -> None:
    """A file whose newest write, the item b, is in its log."""
    program = (
        "import os, sys; from gotgan.store.engine import connect; "
        "from tests.contract.tables import create_table; "
        "table = create_table(connect(sys.argv[1]), name='goods'); "
        "table.put(pk='b'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


def test_the_files_of_the_engine_are_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with connect(path) as client:
        create_table(client).put(pk="a")
        assert _beside(path) == dict.fromkeys(["store.db", "store.db-shm", "store.db-wal"], 0o600)
    assert _beside(path) == {"store.db": 0o600}


@pytest.mark.parametrize(("before", "after"), [(0o644, 0o600), (0o666, 0o600), (0o640, 0o640)])
def test_a_file_that_everyone_may_read_is_restricted_when_it_is_opened(
    tmp_path: Path, before: int, after: int
) -> None:
    path = tmp_path / "store.db"
    _left_by_a_killed_writer(path)
    for each in tmp_path.iterdir():
        each.chmod(before)
    with connect(path) as client:
        assert Table(client, "goods").get(pk="b") == {"pk": "b"}
        assert set(_beside(path).values()) == {after}


def test_the_relational_file_is_restricted_too(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    with closing(sqlite3.connect(settings.sqlite_file())) as connection:
        connection.execute("PRAGMA user_version = 1")
    settings.sqlite_file().chmod(0o644)
    with Database.open(settings) as database:
        database.prepare()
        assert set(_beside(settings.sqlite_file()).values()) == {0o600}


def test_a_file_in_a_folder_that_cannot_be_written_is_read_and_not_changed(
    open_folder: Path,
) -> None:
    path = open_folder / "store.db"
    with connect(path) as client:
        create_table(client, name="goods").put(pk="a")
    before = path.read_bytes()
    with read_only(open_folder), connect(path) as client:
        assert everything(Table(client, "goods").scan) == [{"pk": "a"}]
        with pytest.raises(StoreReadOnly, match=r"read-only\. Give this user"):
            Table(client, "goods").put(pk="b")
        with pytest.raises(StoreReadOnly), client.engine.batch():
            pass
        assert Table(client, "goods").get(pk="b") is None
    assert path.read_bytes() == before


def test_what_is_in_the_log_of_a_read_only_file_is_read(open_folder: Path) -> None:
    path = open_folder / "store.db"
    _left_by_a_killed_writer(path)
    with read_only(open_folder), connect(path) as client:
        assert Table(client, "goods").get(pk="b") == {"pk": "b"}


def test_a_log_that_cannot_be_read_is_an_error_and_never_ignored(open_folder: Path) -> None:
    path = open_folder / "dynamodb.sqlite3"
    _left_by_a_killed_writer(path)
    path.with_name(f"{path.name}-shm").unlink()
    for name in ("gotgan.sqlite3", "gotgan.sqlite3-wal"):
        shutil.copy(open_folder / name.replace("gotgan", "dynamodb"), open_folder / name)
    with read_only(open_folder):
        with pytest.raises(StoreReadOnly, match=r"newest writes are still in dynamodb.*Copy the"):
            connect(path)
        with (
            Database.open(Settings(data=open_folder)) as database,
            pytest.raises(DatabaseReadOnly, match=r"newest writes are still in gotgan.*Copy the"),
        ):
            database.prepare()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be two users")
def test_a_writer_that_comes_later_is_noticed(open_folder: Path) -> None:
    path = open_folder / "store.db"
    with connect(path) as client:
        create_table(client, name="goods")
    path.chmod(0o644)
    open_folder.chmod(0o755)
    with without_rights():
        reader = connect(path)
        assert everything(Table(reader, "goods").scan) == []
    path.chmod(0o640)  # which the engine keeps
    os.chown(path, -1, NOBODY)
    with connect(path) as writer, reader:
        Table(writer, "goods").put(pk="a")
        os.setresgid(NOBODY, NOBODY, 0)
        try:
            with without_rights():
                assert everything(Table(reader, "goods").scan) == [{"pk": "a"}]
        finally:
            os.setresgid(0, 0, 0)


def test_a_read_only_file_of_an_older_format_asks_to_be_opened_once(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = open_folder / "store.db"
    connect(path).close()
    monkeypatch.setattr(fileformat, "FORMAT", fileformat.FORMAT + 1)
    with (
        read_only(open_folder),
        pytest.raises(StoreReadOnly, match=r"must be upgraded.*Open it once with write access"),
    ):
        connect(path)


@pytest.fixture
def data(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """A data folder with something in it."""
    data = open_folder / "data"
    monkeypatch.setenv("GOTGAN_DATA", str(data))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")
    story = open_folder / "story.json"
    story.write_text(json.dumps([{"title": "Chips rise", "url": STORY, "tickers": []}]))
    for words in (
        "tables create",
        f"news upload {story}",
        "shops add shop.example --country DE",
        "market status",
    ):
        assert main(words.split()) == ExitCode.OK
    capsys.readouterr()
    return data


def test_commands_that_read_work_on_a_read_only_folder(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {words: (main([*words.split(), "--json"]), capsys.readouterr()) for words in READING}
    with read_only(data):
        after = {
            words: (main([*words.split(), "--json"]), capsys.readouterr()) for words in READING
        }
    assert after == before
    assert {code for code, _ in after.values()} == {ExitCode.OK}
    assert STORY in after["news list"][1].out


def test_commands_that_write_say_what_to_do_on_a_read_only_folder(
    data: Path, open_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = open_folder / "backups"
    target.mkdir()
    target.chmod(0o777)
    for module in ("gotgan.cli.up", "gotgan.domains.news.service"):
        import_module(module)  # a user without rights may not be able to
    for words, _ in WRITING[:3]:
        main(words.format(folder=target).replace("another", "first").split())
    (target / ".gotgan-backup.lock").unlink()
    capsys.readouterr()
    with read_only(data):
        for words, code in WRITING:
            left = main([*words.format(folder=target).split(), "--json"])
            said = capsys.readouterr()
            assert (words, left) == (words, ExitCode.FAILED)
            whole = said.out + said.err  # what is done one by one has the error in its report
            assert code in whole
            assert "write access" in whole
