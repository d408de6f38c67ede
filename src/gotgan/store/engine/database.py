"""The SQLite file: opened with care, read by many, written by one at a time.

Reads take a connection from a pool and see a snapshot. Writes of all threads go through one
connection: whoever gets it runs every write that is waiting, in one transaction, so that threads
that write at once share one fsync (group commit). A write decides before it touches anything, so
one that is refused leaves nothing behind for its neighbours in the transaction.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Generic, Self, TypeAlias, TypeVar

from gotgan.errors import StoreClosed
from gotgan.settings import Synchronous
from gotgan.store.engine import fileformat
from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.engine.fileformat import Stale, meaning

__all__ = ["Database"]

T = TypeVar("T")
Work: TypeAlias = Callable[[sqlite3.Connection], T]


# What a write may raise, before it changed anything, while its neighbours go on.
_HARMLESS = (DynamoDBError, Stale)


class _Ticket(Generic[T]):
    """One write that waits for its turn, and what came of it."""

    __slots__ = ("done", "error", "result", "work")

    def __init__(self, work: Work[T]) -> None:
        self.work = work
        self.done = False
        self.result: T
        self.error: BaseException | None = None

    def run(self, connection: sqlite3.Connection) -> None:
        self.error = None
        try:
            self.result = self.work(connection)
        except _HARMLESS as error:
            self.error = error

    def outcome(self) -> T:
        if self.error is not None:
            raise self.error
        return self.result


class Database:
    """One file (or memory), shared by all threads of this process and by other processes."""

    def __init__(self, path: Path | None, synchronous: Synchronous = "full") -> None:
        self.path = path
        self.synchronous = synchronous
        self._lock = threading.RLock()
        self._waiting: deque[_Ticket[Any]] = deque()
        self._closed = False
        self._begin()

    def _begin(self) -> None:
        """Open what this process needs; a connection never crosses a fork."""
        self._process = os.getpid()
        self._idle: deque[sqlite3.Connection] = deque()
        self._writer = fileformat.open_database(self.path, self.synchronous)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every connection; the last process to close folds the log into the file."""
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().close()
            self._writer.close()

    def read(self, work: Work[T]) -> T:
        """Run some reads; each statement sees one moment of the file."""
        self._check_usable()
        try:
            return self._read_memory(work) if self.path is None else self._read_file(work)
        except sqlite3.DatabaseError as error:
            raise meaning(error, self.path) from error

    def _read_memory(self, work: Work[T]) -> T:
        with self._lock:
            return work(self._writer)

    def _read_file(self, work: Work[T]) -> T:
        connection = self._take()
        try:
            return work(connection)
        finally:
            self._give_back(connection)

    def snapshot(self, work: Work[T]) -> T:
        """Run several reads that all see the same moment of the file."""

        def within_transaction(connection: sqlite3.Connection) -> T:
            connection.execute("BEGIN")
            try:
                return work(connection)
            finally:
                connection.execute("ROLLBACK")

        return self.read(within_transaction)

    def write(self, work: Work[T]) -> T:
        """Run one write and return when it is on disk (or refused)."""
        self._check_usable()
        ticket = _Ticket(work)
        self._waiting.append(ticket)
        with self._lock:
            if not ticket.done:
                self._run_waiting(ticket)
        return ticket.outcome()

    def _run_waiting(self, own: _Ticket[Any]) -> None:
        batch = self._drain()
        if own not in batch:  # a leader that was interrupted had taken it and rolled back
            batch.append(own)
        try:
            self._commit(batch)
        except Exception:
            if len(batch) == 1:
                raise
            self._run_apart(batch, own)

    def _drain(self) -> list[_Ticket[Any]]:
        batch = []
        while self._waiting:
            ticket = self._waiting.popleft()
            if not ticket.done:
                batch.append(ticket)
        return batch

    def _commit(self, batch: list[_Ticket[Any]]) -> None:
        self._check_usable()
        connection = self._writer
        try:
            connection.execute("BEGIN IMMEDIATE")
            for ticket in batch:
                ticket.run(connection)
            connection.execute("COMMIT")
        except BaseException as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.DatabaseError):
                raise meaning(error, self.path) from error
            raise
        for ticket in batch:
            ticket.done = True

    def _run_apart(self, batch: list[_Ticket[Any]], own: _Ticket[Any]) -> None:
        """Give each write a transaction of its own, so that a failure reaches its owner alone."""
        failure: Exception | None = None
        for ticket in batch:
            try:
                self._commit([ticket])
            except Exception as error:  # noqa: BLE001 - handed to the thread that asked
                ticket.error, ticket.done = error, True
                failure = error if ticket is own else failure
        if failure is not None:
            raise failure

    def _take(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return fileformat.connect(self.path, self.synchronous)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if self._closed:
            connection.close()
        else:
            self._idle.append(connection)

    def _check_usable(self) -> None:
        if self._closed:
            raise StoreClosed("This engine is closed. Open it again to use it.")
        if self._process != os.getpid():
            self._after_fork()

    def _after_fork(self) -> None:
        # Closing the parent's connections here could drop its locks: they are left alone.
        self._inherited = (self._idle, self._writer)
        self._lock = threading.RLock()
        self._waiting = deque()
        self._begin()
