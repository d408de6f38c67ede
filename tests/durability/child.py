"""A process of its own on the store's file; it says line by line what it has done.

``python -m tests.durability.child TASK FILE [WORDS]``
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, Literal, cast

from gotgan.store.engine import Client, connect
from gotgan.store.engine.faults import DynamoDBError
from tests.contract.tables import Index, Table, create_table
from tests.durability import steps
from tests.durability.work import WORKS

__all__ = ["BY_GROUP", "add_index", "drop_index", "main"]

BY_GROUP = Index("by_group", "group:S rank:N")


def _say(line: str) -> None:
    os.write(sys.stdout.fileno(), f"{line}\n".encode())  # whole or not at all, at once


def add_index(table: Table, index: Index = BY_GROUP) -> None:
    """Make a global index on ``group`` and ``rank``."""
    kinds = (("group", "S"), ("rank", "N"))
    table.update_table(
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": kind} for n, kind in kinds],
        GlobalSecondaryIndexUpdates=[{"Create": index.request()}],
    )


def drop_index(table: Table, index: Index = BY_GROUP) -> None:
    """Remove a global index."""
    table.update_table(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": index.name}}])


def _answer(client: Client) -> None:
    """Call what each line of stdin asks for."""
    _say("ready")
    for line in sys.stdin:
        method, request = json.loads(line)
        try:
            said: dict[str, Any] = {"answer": getattr(client, method)(**request)}
        except DynamoDBError as error:
            said = {"response": error.response}
        _say(json.dumps(said, default=str))


def _work(client: Client, name: str, table: str, worker: str, times: str) -> None:
    """Do one of the works when told to; say how often it succeeded."""
    _say("ready")
    sys.stdin.readline()
    _say(str(WORKS[name](Table(client, table), worker, int(times))))


def _take_steps(client: Client, *writers: str) -> None:
    """Take step after step, each writer in its own thread, and say each one that is done."""
    threads = [threading.Thread(target=_step_on, args=(client, writer)) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _step_on(client: Client, writer: str) -> None:
    for number in itertools.count():
        steps.take_step(Table(client, steps.TABLE), writer, number)
        _say(writer)


def _change_index(client: Client, table: str) -> None:
    """Make and remove an index, again and again."""
    for change in itertools.cycle((add_index, drop_index)):
        change(Table(client, table))
        _say(change.__name__)


def _change_tables(client: Client) -> None:
    """Make a table, fill it, remove it, and so on with the next name."""
    for name in _names():
        table = create_table(client, "pk:S", name=name, gsi=[Index("by_group", "group:S")])
        _say(f"made {name}")
        table.fill({"pk": str(number), "group": "a"} for number in range(25))
        table.delete_table()
        _say(f"gone {name}")


def _names() -> Iterator[str]:
    return (f"table-{number}" for number in itertools.count())


_TASKS: dict[str, Callable[..., None]] = {
    "answer": _answer,
    "change-index": _change_index,
    "change-tables": _change_tables,
    "take-steps": _take_steps,
    "work": _work,
}


def _open_when_told(path: str, name: str) -> None:
    """Open a file that is perhaps not there yet, at the moment that the parent names."""
    _say("ready")
    sys.stdin.readline()
    with connect(path) as client:
        create_table(client, name=name).put(pk="made")
    _say("done")


def main(task: str, path: str, *words: str) -> None:
    """Do a task."""
    if task == "open":
        _open_when_told(path, *words)
        return
    synchronous = cast("Literal['full', 'normal']", os.environ.get("SYNCHRONOUS", "normal"))
    with connect(path, synchronous=synchronous) as client:
        _TASKS[task](client, *words)


if __name__ == "__main__":
    main(*sys.argv[1:])
