"""The typed store's contest: one server, one table, everybody in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final

from bench.store.boards import Board
from bench.store.contestants import Call, boto3_client
from bench.store.goals import Rates
from bench.store.measure import Pace, best_rates
from bench.store.servers import serving
from bench.store.typed.bulk import (
    Bulk,
    ConditionalPuts,
    PutNewAll,
    Units,
    Writer,
    measure_bulk,
)
from bench.store.typed.goals import BULK_GOALS, LABELS, READ_GOALS
from bench.store.typed.model import ARTICLES, address, article
from bench.store.typed.readers import (
    ARCHIVE,
    PAGE,
    PynamoReader,
    Reader,
    ResourceReader,
    TypedReader,
)
from bench.store.workload import Task
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine

__all__ = ["Reading", "Typed", "filled", "measure_typed", "read_tasks"]

_SECRET: Final = Secret("it signs the cursors of a benchmark")


@dataclass(frozen=True)
class Typed:
    """What was found out about the typed store."""

    items: int
    reads: Board
    bulk: Board
    units: dict[str, dict[str, Units]]
    """Of one item, by writer and task."""


@dataclass
class Reading:
    """A reader as a contestant."""

    reader: Reader
    tasks: tuple[str, ...] = ("get", "page", "index_page")
    _numbers: Iterator[int] = field(default_factory=count)

    def calls(self, task: Task) -> list[Call]:
        """Prepare one chunk of a task."""
        method = getattr(self.reader, task.method)
        return [partial(method, **task.request(next(self._numbers))) for _ in range(task.chunk)]


def read_tasks(items: int) -> dict[str, Task]:
    """What every reader is asked for, in an archive of so many items."""

    def anywhere(number: int) -> dict[str, Any]:
        return {"url": address(number * 7919 % items)}

    def turned(number: int) -> dict[str, Any]:
        return {"number": number % (items // PAGE)}

    tasks = (
        Task("get", "get", "get", 100, anywhere, lambda answer: int(answer is not None)),
        Task("page", "query, 100 a page", "page", 5, turned, len),
        Task("index_page", "index, 100 a page", "index_page", 5, turned, len),
    )
    return {task.name: task for task in tasks}


def filled(driver: Driver, items: int) -> Store:
    """A store with an archive of so many items."""
    store = Store(driver, secret=_SECRET)
    store.create(ARTICLES)
    store.put_all(article(ARCHIVE, place) for place in range(items))
    return store


def measure_typed(folder: Path, items: int, pace: Pace) -> Typed:
    """Measure reads, then writes, in a table that has so many items."""
    with ExitStack() as stack:
        endpoint = stack.enter_context(serving("http", folder)).endpoint
        client = stack.enter_context(closing(boto3_client(endpoint)))
        here = stack.enter_context(filled(Embedded(Engine(folder / "here.sqlite3")), items))
        there = stack.enter_context(filled(Aws(endpoint), items))
        readers = {
            "typed_in_process": Reading(TypedReader(here, items)),
            "typed_http": Reading(TypedReader(there, items)),
            "resource": Reading(ResourceReader(endpoint, items)),
            "pynamodb": Reading(PynamoReader(endpoint, items)),
        }
        writers: dict[str, Writer] = {
            "typed_in_process": PutNewAll(here),
            "typed_http": PutNewAll(there),
            "loop": ConditionalPuts(client),
        }
        tasks = read_tasks(items)
        rates = best_rates(readers, tasks, pace)
        return _typed(items, tasks, rates, measure_bulk(writers, items, pace))


def _typed(items: int, tasks: Mapping[str, Task], rates: Rates, bulk: Bulk) -> Typed:
    labels = {task.name: task.label for task in tasks.values()}
    ways = {"known": f"{items:,} known items", "new": f"{items:,} new items"}
    return Typed(
        items=items,
        reads=Board(LABELS, labels, rates, READ_GOALS, "Items read a second"),
        bulk=Board(LABELS, ways, bulk.rates, BULK_GOALS, "Items put if absent, a second"),
        units=bulk.units,
    )
