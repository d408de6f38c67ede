"""Backups of files in use, and kill -9 at every step of a backup and of a restore."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import IO

import pytest
from sqlalchemy import text

from gotgan.backup import back_up, restore
from gotgan.errors import Conflict, SettingsError
from gotgan.settings import Settings
from gotgan.sql import Database
from gotgan.store.engine import connect
from tests.contract.tables import Table, create_table, everything
from tests.durability.backups import MARKS, prepare
from tests.durability.invariants import check_file
from tests.house.repository import ROOT
from tests.patience import PATIENCE

WRITERS = {"one": "dynamodb", "two": "sql", "three": "dynamodb"}
PROGRAM = [sys.executable, "-m", "tests.durability.backups"]
FILES = {"dynamodb.sqlite3", "gotgan.sqlite3", "secret"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A data folder with a table for the writers in both files."""
    settings = Settings(data=tmp_path / "data", synchronous="normal")
    with connect(settings.dynamodb_file()) as client:
        prepare(settings, lambda: create_table(client, name=MARKS))
    return settings


class _Writer:
    """A program that writes to both files, in an order; it says what was confirmed."""

    def __init__(self, stack: ExitStack, settings: Settings, name: str, first: str) -> None:
        self.first = first
        self.confirmed = 0
        command = [*PROGRAM, "write", str(settings.data), name, first]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        stack.enter_context(process)
        thread = Thread(target=self._listen, args=(process.stdout,))
        self.is_at_work = Event()
        thread.start()
        stack.callback(thread.join)
        stack.callback(process.kill)

    def _listen(self, said: IO[str]) -> None:
        for line in said:
            self.confirmed = int(line) + 1
            if self.confirmed > 10:
                self.is_at_work.set()


@contextmanager
def _writing(settings: Settings) -> Iterator[dict[str, _Writer]]:
    with ExitStack() as stack:
        writers = {name: _Writer(stack, settings, name, first) for name, first in WRITERS.items()}
        for writer in writers.values():
            assert writer.is_at_work.wait(PATIENCE)
        yield writers


def _stored(settings: Settings) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
    """The numbers of each writer in the one file and in the other."""
    dynamodb: dict[str, set[int]] = defaultdict(set)
    sql: dict[str, set[int]] = defaultdict(set)
    with connect(settings.dynamodb_file()) as client:
        for item in everything(Table(client, MARKS).scan):
            dynamodb[item["name"]].add(int(item["number"]))
    with Database.open(settings) as database, database.read() as connection:
        for name, number in connection.execute(text(f"SELECT name, number FROM {MARKS}")):
            sql[name].add(number)
    return dynamodb, sql


def test_a_backup_under_load_has_all_that_was_confirmed_and_one_moment_of_both_files(
    settings: Settings, tmp_path: Path
) -> None:
    with _writing(settings) as writers:
        for number in range(4):
            confirmed = {name: writer.confirmed for name, writer in writers.items()}
            made = back_up(settings, tmp_path / "backups", keep=2)
            folder = restore(made.path, tmp_path / f"restored-{number}").folder
            check_file(folder / "dynamodb.sqlite3")
            dynamodb, sql = _stored(Settings(data=folder))
            for name, writer in writers.items():
                both = [dynamodb[name], sql[name]]
                earlier, later = both if writer.first == "dynamodb" else reversed(both)
                assert earlier == set(range(len(earlier)))
                assert later in (earlier, earlier - {len(earlier) - 1})
                assert len(later) >= confirmed[name]
    assert len(list((tmp_path / "backups").glob("*.zip"))) == 2


def _killed(what: str, folder: Path) -> list[Path]:
    """What is left by a kill before each change; the last one came to its end."""
    subprocess.run([*PROGRAM, "kill", what, str(folder)], cwd=ROOT, check=True)
    left = sorted(folder.glob("[0-9][0-9][0-9]"))
    assert len(left) > 5
    return left


def test_a_killed_backup_leaves_no_backup_or_a_complete_one(
    settings: Settings, tmp_path: Path
) -> None:
    for target in _killed("backup", tmp_path):
        for path in target.glob("*.zip"):
            restore(path, tmp_path / "restored" / target.name)
        made = back_up(settings, target)
        restore(made.path, tmp_path / "again" / target.name)
        assert {path.suffix for path in target.iterdir()} == {".zip", ".lock"}


def test_a_killed_restore_leaves_nothing_that_is_used_or_all_of_it(
    settings: Settings, tmp_path: Path
) -> None:
    back_up(settings, tmp_path / "backups").path.rename(tmp_path / "good.zip")
    outcomes = set()
    for folder in _killed("restore", tmp_path):
        found = {path.name for path in folder.iterdir()}
        try:
            assert Settings(data=folder).folder() == folder
            outcomes.add("complete" if found else "empty")
            assert found in (FILES, set())
        except SettingsError:
            outcomes.add("refused")
            try:
                restore(tmp_path / "good.zip", folder)
            except Conflict as conflict:
                assert "Empty the folder" in str(conflict)  # noqa: PT017 - some can be repeated
    assert outcomes == {"empty", "refused", "complete"}
