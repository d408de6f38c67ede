"""Programs beside a backup: writers of both files, and backups and restores that are killed.

``python -m tests.durability.backups write DATA NAME dynamodb|sql`` writes one number after the
other into both files, in the given order, and says each number that both have confirmed.

``python -m tests.durability.backups kill backup|restore FOLDER`` repeats the work in folders 001,
002, … of the folder, and kills it before its first, second, … change of the file system, until it
comes to its end.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import text

from gotgan.backup import back_up, restore
from gotgan.settings import Settings
from gotgan.sql import Database
from gotgan.store.engine import connect
from tests.contract.tables import Table

__all__ = ["MARKS", "main", "prepare"]

MARKS = "marks"
"""The table of both files that writers write to."""
_CHANGES = {"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "sqlite3.connect"}


def prepare(settings: Settings, client_table: Callable[[], object]) -> None:
    """Make the tables that writers write to, and a secret."""
    settings.secret()
    client_table()
    with Database.open(settings) as database:
        database.prepare()
        with database.begin() as connection:
            connection.execute(text(f"CREATE TABLE {MARKS} (name TEXT, number INTEGER)"))


def _write(data: str, name: str, first: str) -> None:
    settings = Settings(data=Path(data), synchronous="normal")
    with connect(settings.dynamodb_file(), synchronous="normal") as client:
        table, database = Table(client, MARKS), Database.open(settings)

        def to_dynamodb(number: int) -> None:
            table.put(pk=f"{name} {number}", name=name, number=number)

        def to_sql(number: int) -> None:
            with database.begin() as connection:
                row = {"name": name, "number": number}
                connection.execute(text(f"INSERT INTO {MARKS} VALUES (:name, :number)"), row)

        order = [to_dynamodb, to_sql] if first == "dynamodb" else [to_sql, to_dynamodb]
        for number in itertools.count():
            for write in order:
                write(number)
            os.write(1, f"{number}\n".encode())


def _kill(what: str, folder: str) -> None:
    for point in itertools.count(1):
        process = os.fork()
        if process == 0:
            _die_before(point)
            _WORKS[what](Path(folder), Path(folder, f"{point:03}"))
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if os.WIFEXITED(status):
            sys.exit(os.WEXITSTATUS(status))


def _die_before(point: int) -> None:
    left = [point]

    def seen(event: str, _arguments: object) -> None:
        if event in _CHANGES:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(seen)


_WORKS: dict[str, Callable[[Path, Path], object]] = {
    "backup": lambda folder, place: back_up(Settings(data=folder / "data"), place),
    "restore": lambda folder, place: restore(folder / "good.zip", place),
}
_TASKS: dict[str, Callable[..., None]] = {"write": _write, "kill": _kill}


def main(task: str, *words: str) -> None:
    """Do a task."""
    _TASKS[task](*words)


if __name__ == "__main__":
    main(*sys.argv[1:])
