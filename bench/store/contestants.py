"""Who is measured: the engine through its three fronts, its peers, and the bounds of both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import boto3

from bench.store.raw import RawSqlite
from bench.store.servers import serving
from bench.store.workload import TABLE, TASKS, Task, archive, definition
from gotgan.settings import Synchronous
from gotgan.store.engine import Engine, connect
from gotgan.store.engine.attach import attach

__all__ = ["CONTESTANTS", "BotoShaped", "Call", "Contestant", "Entry", "boto3_client"]

Call: TypeAlias = Callable[[], Any]


class Contestant(Protocol):
    """Somebody who can be given tasks."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the tasks that it can do."""

    def calls(self, task: Task) -> list[Call]:
        """Prepare one chunk of a task, so that only the calls themselves are timed."""


@dataclass
class BotoShaped:
    """A contestant with boto3's methods: every one but raw SQLite."""

    client: Any
    _numbers: Iterator[int] = field(default_factory=count)

    @property
    def tasks(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(TASKS)

    def calls(self, task: Task) -> list[Call]:
        """Prepare one chunk of a task."""
        method = getattr(self.client, task.method)
        return [partial(method, **task.request(next(self._numbers))) for _ in range(task.chunk)]

    def fill(self) -> None:
        """Make the table and the items that will be read."""
        self.client.create_table(**definition())
        self.client.get_waiter("table_exists").wait(TableName=TABLE, WaiterConfig={"Delay": 1})
        for batch in archive():
            self.client.batch_write_item(**batch)


@dataclass(frozen=True)
class Entry:
    """A contestant's name, what a reader calls it, and how it comes to the start."""

    name: str
    label: str
    opened: Callable[[Path], AbstractContextManager[Contestant]]


@contextmanager
def _in_process(synchronous: Synchronous, folder: Path) -> Iterator[Contestant]:
    with connect(folder / "data.sqlite3", synchronous=synchronous) as client:
        yield _filled(client)


@contextmanager
def _attached(folder: Path) -> Iterator[Contestant]:
    with Engine(folder / "data.sqlite3") as engine:
        yield _filled(attach(boto3_client("http://127.0.0.1:1"), engine))


@contextmanager
def _served(name: str, folder: Path) -> Iterator[Contestant]:
    with serving(name, folder) as server:
        client = boto3_client(server.endpoint)
        try:
            yield _filled(client)
        finally:
            client.close()


@contextmanager
def _raw(synchronous: Synchronous, folder: Path) -> Iterator[Contestant]:
    with RawSqlite(folder / "data.sqlite3", synchronous) as contestant:
        yield contestant


def _filled(client: Any) -> BotoShaped:
    contestant = BotoShaped(client)
    contestant.fill()
    return contestant


def boto3_client(endpoint: str) -> Any:
    """A client as a program would make it."""
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="bench",
        aws_secret_access_key="bench",
    )


CONTESTANTS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry("full", "Gotgan in process, FULL", partial(_in_process, "full")),
        Entry("normal", "Gotgan in process, NORMAL", partial(_in_process, "normal")),
        Entry("attached", "Gotgan under boto3, FULL", _attached),
        Entry("http", "Gotgan over HTTP, FULL", partial(_served, "http")),
        Entry("dynoxide", "dynoxide, file, over HTTP", partial(_served, "dynoxide")),
        Entry("dynalite", "dynalite, file, over HTTP", partial(_served, "dynalite")),
        Entry("stub", "a stub that answers at once", partial(_served, "stub")),
        Entry("raw_full", "raw sqlite3, FULL", partial(_raw, "full")),
        Entry("raw_normal", "raw sqlite3, NORMAL", partial(_raw, "normal")),
    )
}
