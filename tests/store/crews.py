"""Several workers on one database: threads that share a store, or processes."""

from __future__ import annotations

import json
import subprocess
import sys
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier
from typing import IO, Any

from gotgan.store import Store
from tests.house.repository import ROOT
from tests.store.work import TASKS
from tests.store.worker import opened

__all__ = ["Crew", "Processes", "Threads"]


class Crew(ABC):
    """Workers who begin at the same moment."""

    names: list[str]

    @abstractmethod
    def work(self, store: Store, task: str, *words: Any) -> dict[str, Any]:
        """Let all of them do a task on the tables of a store; what each has to say."""


class Threads(Crew):
    """Threads of this process, with one store among them."""

    def __init__(self, stack: ExitStack, place: str, count: int) -> None:
        self.names = [f"thread-{number}" for number in range(count)]
        self._store = stack.enter_context(opened(place))
        self._pool = stack.enter_context(ThreadPoolExecutor(count))

    def work(self, store: Store, task: str, *words: Any) -> dict[str, Any]:
        barrier = Barrier(len(self.names))
        shared = self._store.named(store.calls.names)

        def begin(name: str) -> Any:
            barrier.wait()
            return TASKS[task](shared, name, *words)

        return dict(zip(self.names, self._pool.map(begin, self.names), strict=True))


class Processes(Crew):
    """Processes, each with a store of its own."""

    def __init__(self, stack: ExitStack, place: str, count: int) -> None:
        self.names = [f"process-{number}" for number in range(count)]
        self._workers = [_Worker(stack, place, name) for name in self.names]
        for worker in self._workers:
            assert worker.hear() == "ready"

    def work(self, store: Store, task: str, *words: Any) -> dict[str, Any]:
        tables = dict(store.calls.names.tables)
        for worker in self._workers:
            worker.tell(json.dumps([task, tables, words]))
        said = [json.loads(worker.hear()) for worker in self._workers]
        return dict(zip(self.names, said, strict=True))


class _Worker:
    """One process; it ends when nobody tells it anything any more."""

    def __init__(self, stack: ExitStack, place: str, name: str) -> None:
        command = [sys.executable, "-m", "tests.store.worker", place, name]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
        stack.enter_context(process)
        stack.callback(process.kill)
        self._in: IO[str] | None = process.stdin
        self._out: IO[str] | None = process.stdout

    def tell(self, line: str) -> None:
        assert self._in is not None
        self._in.write(f"{line}\n")
        self._in.flush()

    def hear(self) -> str:
        assert self._out is not None
        line = self._out.readline()
        assert line, "the worker ended too early"
        return line.rstrip("\n")
