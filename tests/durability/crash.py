"""One change of a store, killed before each of its SQL statements in turn.

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
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gotgan.store.engine import connect, fileformat
from tests.contract.shapes import item
from tests.contract.tables import Index, Table, table_request
from tests.durability.child import add_index, drop_index

__all__ = ["CHANGES", "TABLE", "main"]

TABLE = "goods"
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
    "table made": _make_table,
    "table removed": lambda table: table.delete_table(),
    "transaction": _transact,
}


def _kill_before(statement: int) -> None:
    """Let this process die when it is about to run so many SQL statements from now on."""
    left = [statement]

    def seen(_sql: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    for connection in _opened:
        connection.set_trace_callback(seen)


_opened: list[sqlite3.Connection] = []


def _keep_connections() -> None:
    original = fileformat.connect

    def connect_and_keep(
        path: Path | None, synchronous: str, *, make: bool = False
    ) -> sqlite3.Connection:
        _opened.append(original(path, synchronous, make=make))
        return _opened[-1]

    fileformat.connect = connect_and_keep


def _change_until(statement: int, change: str, path: Path) -> None:
    client = connect(path, synchronous="normal")
    table = Table(client, TABLE)
    table.get(pk="1")
    _kill_before(statement)
    CHANGES[change](table)


def main(change: str, folder: str) -> None:
    """Leave behind one file for each statement."""
    _keep_connections()
    for statement in itertools.count(1):
        path = Path(folder, f"{statement:03}.db")
        shutil.copy(Path(folder, "base.db"), path)
        child = os.fork()
        if child == 0:
            _change_until(statement, change, path)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            sys.exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(*sys.argv[1:])
