"""One change of a store, or a verb on it, killed before each of its SQL statements in turn.

``python -m tests.durability.crash CHANGE FOLDER`` copies ``base.db`` of the folder for every
statement that the change makes, and leaves behind what a kill -9 at that point leaves behind; the
last copy is the one in which the change came to its end.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gotgan.domains.site.adopt import adopt
from gotgan.domains.site.migration import MigrationReport, Options, Sources, migrate, sources
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine, connect, fileformat
from tests.contract.shapes import item
from tests.contract.tables import Index, Table, table_request
from tests.durability.child import add_index, drop_index
from tests.house.repository import ROOT
from tests.unit.domains.site.migration import old_tables

__all__ = ["CHANGES", "STREAMED", "STREAM_ON", "TABLE", "crashed", "main", "migrate_site", "opened"]

TABLE = "goods"
STREAMED = "streamed"
STREAM_ON: dict[str, Any] = {
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
}
STREAM_OFF: dict[str, Any] = {"StreamSpecification": {"StreamEnabled": False}}
TTL = {"AttributeName": "expires", "Enabled": True}


def _transact(table: Table) -> None:
    entries: list[dict[str, Any]] = [
        {"Put": {"Item": item(pk="new", group="g1", rank=1)}},
        {"Delete": {"Key": item(pk="1")}},
        {"Put": {"Item": item(pk="2", group="g9", rank=9)}},
    ]
    for entry in entries:
        next(iter(entry.values()))["TableName"] = table.name
    table.client.transact_write_items(TransactItems=entries, ClientRequestToken="once")


def _make_table(table: Table) -> None:
    request = table_request(gsi=[Index("by_group", "group:S")])
    table.client.create_table(TableName="another", **request)


CHANGES: dict[str, Callable[[Table], object]] = {
    "expiry": lambda table: table.update_time_to_live(TimeToLiveSpecification=TTL),
    "index made": lambda table: add_index(table, Index("another", "group:S rank:N")),
    "index removed": drop_index,
    "put": lambda table: table.put(pk="1", group="g9", rank=9),
    "stream disabled": lambda table: Table(table.client, STREAMED).update_table(**STREAM_OFF),
    "stream enabled": lambda table: table.update_table(**STREAM_ON),
    "streamed put": lambda table: Table(table.client, STREAMED).put(pk="1", n=2),
    "streamed table removed": lambda table: Table(table.client, STREAMED).delete_table(),
    "table made": _make_table,
    "table removed": lambda table: table.delete_table(),
    "transaction": _transact,
}


def opened(path: Path) -> Store:
    """A store on a file that other processes work on."""
    return Store(Embedded(Engine(path, synchronous="normal")), secret=Secret("s" * 32))


def _adopt_site(store: Store, _path: Path) -> None:
    while not adopt(store, at_most=3, on_step=lambda _: None).is_complete:
        pass


def migrate_site(store: Store, path: Path) -> MigrationReport:
    """Migrate the old tables, with what a run has to know of earlier ones beside the file."""
    origin = Sources.named(store, **old_tables.NAMES)
    return migrate(store, origin, Options(folder=path.with_suffix(".migrations")))


def _migrate_by_rows(store: Store, path: Path) -> None:
    sources.BATCH_ROWS = 1
    migrate_site(store, path)


VERBS: dict[str, Callable[[Store, Path], object]] = {
    "site adopted": _adopt_site,
    "site migrated": _migrate_by_rows,
}
"""What is done in many transactions, and is repeated after a crash."""


def crashed(change: str, base: Path) -> tuple[list[Path], Path]:
    """The files that a kill before each statement leaves, and the one of the change's end."""
    command = [sys.executable, "-m", "tests.durability.crash", change, str(base.parent)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    *killed, whole = sorted(base.parent.glob("[0-9]*.db"))
    return killed, whole


def _kill_before(statement: int) -> None:
    """Let this process die when it is about to run so many SQL statements from now on."""
    left = itertools.count(statement - 1, -1)

    def seen(_sql: str) -> None:
        if next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    _watching.append(seen)
    for connection in _opened:
        connection.set_trace_callback(seen)


_opened: list[sqlite3.Connection] = []
_watching: list[Callable[[str], None]] = []


def _keep_connections() -> None:
    original = fileformat.connect

    def connect_and_keep(
        path: Path | None, synchronous: str, *, make: bool = False
    ) -> sqlite3.Connection:
        connection = original(path, synchronous, make=make)
        _opened.append(connection)
        for seen in _watching:
            connection.set_trace_callback(seen)
        return connection

    fileformat.connect = connect_and_keep


def _change_until(statement: int, change: str, path: Path) -> None:
    if change in VERBS:
        with opened(path) as store:
            _kill_before(statement)
            VERBS[change](store, path)
        return
    client = connect(path, synchronous="normal")
    table = Table(client, TABLE)
    table.get(pk="1")
    _kill_before(statement)
    CHANGES[change](table)


def main(change: str, folder: str) -> None:
    """Leave behind one file for each statement."""
    _keep_connections()
    for statement in itertools.count(1):
        path = Path(folder, f"{statement:04}.db")
        shutil.copy(Path(folder, "base.db"), path)
        if Path(folder, "base.migrations").exists():
            shutil.copytree(Path(folder, "base.migrations"), path.with_suffix(".migrations"))
        child = os.fork()
        if child == 0:
            _change_until(statement, change, path)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            sys.exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(*sys.argv[1:])
