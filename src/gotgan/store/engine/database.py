"""The SQLite file: opened with care, read by many, written by one at a time.

Reads take a connection from a pool and see a snapshot. Writes of all threads go through one
connection: whoever gets it runs every write that is waiting, in one transaction, so that threads
that write at once share one fsync (group commit); so do the writes that one thread makes together.
A write decides before it touches anything, so one that is refused leaves nothing behind for its
neighbours in the transaction.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from gotgan.errors import StoreClosed, StoreFileError, StoreLocked
from gotgan.settings import Synchronous
from gotgan.sqlite_files import is_read_only
from gotgan.store.engine import fileformat
from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.engine.fileformat import Stale, meaning

__all__ = ["EngineDatabase"]

T = TypeVar("T")
Work: TypeAlias = Callable[[sqlite3.Connection], T]

MOST_IDLE = 8  # readers that are kept open between calls
FORK_SECONDS = 10.0  # how long a fork waits for what is under way
_RETRY_SECONDS = 0.001

# What a write may raise, before it changed anything, while its neighbours go on.
_HARMLESS = (DynamoDBError, Stale)


class _Group:
    """The writes of one transaction: one word, said once, settles all of them."""

    __slots__ = ("settled",)

    def __init__(self) -> None:
        self.settled = False


class _Ticket(Generic[T]):
    """One write that waits for its turn, and what came of it."""

    __slots__ = ("error", "group", "result", "work")

    def __init__(self, work: Work[T]) -> None:
        self.work = work
        self.group: _Group | None = None
        self.result: T
        self.error: BaseException | None = None

    @property
    def done(self) -> bool:
        """Say whether it was carried out or refused for good."""
        return self.group is not None and self.group.settled

    def run(self, connection: sqlite3.Connection) -> None:
        self.error = None
        try:
            self.result = self.work(connection)
        except _HARMLESS as error:
            self.error = error

    def fail(self, error: BaseException) -> None:
        self.error = error
        self.group = _Group()
        self.group.settled = True

    def outcome(self) -> T:
        if self.error is not None:
            raise self.error
        return self.result


class _Together:
    """The transaction that one thread has open, and what has spoilt it."""

    __slots__ = ("connection", "error", "thread")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.thread = threading.get_ident()
        self.error: Exception | None = None

    def run(self, ticket: _Ticket[T], path: Path | None) -> T:
        if self.error is not None:
            raise self.error
        try:
            ticket.run(self.connection)
        except sqlite3.DatabaseError as error:
            told = meaning(error, path)
            if not isinstance(told, Stale):  # which found no table, and so did nothing
                self.error = told
            raise told from error
        except Exception as error:
            self.error = error
            raise
        return ticket.outcome()


class EngineDatabase:
    """One file (or memory), shared by all threads of this process and by other processes."""

    def __init__(self, path: Path | None, synchronous: Synchronous = "full") -> None:
        self.path = None if path is None else path.absolute()
        self.synchronous = synchronous
        self._closed = ""  # why, once it is
        self._lock = threading.RLock()
        self._waiting: deque[_Ticket[Any]] = deque()
        self._together: _Together | None = None
        self._idle: deque[sqlite3.Connection] = deque()
        self._active: set[object] = set()
        self._forking = self._holding = False
        self._inherited: list[Any] = []
        self._writer: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self.is_read_only = self.path is not None and is_read_only(self.path)
        if self.path is not None and self.is_read_only:
            fileformat.check_readable(self.path)
        else:
            self._open_writer()
        _watch_forks(self)

    def close(self) -> None:
        """Close every connection; the last process to close folds the log into the file."""
        with self._lock:
            self._closed = self._closed or "This engine is closed."
            self._close_all()

    def _close_all(self) -> None:
        while self._idle:
            self._idle.pop().close()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def read(self, work: Work[T]) -> T:
        """Run some reads; each statement sees one moment of the file."""
        self._check_open()
        try:
            return self._read_memory(work) if self.path is None else self._read_file(work)
        except sqlite3.DatabaseError as error:
            raise meaning(error, self.path) from error

    def _read_memory(self, work: Work[T]) -> T:
        with self._lock:
            self._check_open()
            return work(self._open_writer())

    def _read_file(self, work: Work[T]) -> T:
        token = self._enter()
        try:
            connection = self._take()
            try:
                result = work(connection)
            except BaseException:
                # The traceback may keep a cursor, and with it an old snapshot: not for the pool.
                connection.close()
                raise
            self._give_back(connection)
        finally:
            self._active.discard(token)
        return result

    def _enter(self) -> object:
        """Say that a read is under way; while the process forks, wait."""
        token = object()
        self._active.add(token)
        while self._forking:
            self._active.discard(token)
            with self._lock:  # held until the fork is over
                self._active.add(token)
        return token

    def _take(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return fileformat.connect(self.path, self.synchronous)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        # Whether a read-only file is in use by others is asked again for each read.
        if len(self._idle) < MOST_IDLE and not self.is_read_only:
            self._idle.append(connection)
        else:
            connection.close()
        if self._closed:
            self.close()

    def snapshot(self, work: Work[T]) -> T:
        """Run several reads that all see the same moment of the file."""

        def within_transaction(connection: sqlite3.Connection) -> T:
            connection.execute("BEGIN")
            try:
                return work(connection)
            finally:
                connection.execute("ROLLBACK")

        return self.read(within_transaction)

    def copy_to(self, path: Path) -> None:
        """Write everything as it is at one moment to another file."""

        def copy(connection: sqlite3.Connection) -> None:
            with closing(sqlite3.connect(path)) as target:
                connection.backup(target)

        self.read(copy)

    def write(self, work: Work[T]) -> T:
        """Run one write and return when it is on disk (or refused).

        It may be run more than once, and must not touch anything but the connection.
        """
        self._check_open()
        ticket = _Ticket(work)
        together = self._together
        if together is not None and together.thread == threading.get_ident():
            return together.run(ticket, self.path)
        self._waiting.append(ticket)
        with self._lock:
            if not ticket.done:
                self._run_waiting(ticket)
        return ticket.outcome()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Give the writes that this thread makes in a block one transaction.

        What they return holds when the block has ended; where it ends with an error, nothing of it
        was written. Whoever else writes waits meanwhile, so it must be short.
        """
        with self._lock:
            self._check_open()
            connection = self._open_writer()
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._check_file()
                self._together = _Together(connection)
                yield
                if self._together.error is not None:
                    raise self._together.error
                connection.execute("COMMIT")
            except sqlite3.DatabaseError as error:
                raise meaning(error, self.path) from error
            finally:
                self._together = None
                _roll_back(connection)

    def _run_waiting(self, own: _Ticket[Any]) -> None:
        batch = self._drain()
        if own not in batch:  # a leader that was interrupted had taken it and rolled back
            batch.append(own)
        try:
            self._commit(batch)
        except (StoreLocked, StoreClosed) as error:
            for ticket in batch:  # none of them could begin, and none could alone
                ticket.fail(error)
        except Exception as error:  # noqa: BLE001 - handed to the thread that asked
            if len(batch) == 1:
                own.fail(error)
            else:
                self._run_apart(batch)

    def _drain(self) -> list[_Ticket[Any]]:
        batch = []
        while self._waiting:
            ticket = self._waiting.popleft()
            if not ticket.done:
                batch.append(ticket)
        return batch

    def _commit(self, batch: list[_Ticket[Any]]) -> None:
        self._check_open()
        connection = self._open_writer()
        group = _Group()
        for ticket in batch:
            ticket.group = group
        begun = False
        try:
            connection.execute("BEGIN IMMEDIATE")
            begun = True
            self._check_file()
            for ticket in batch:
                ticket.run(connection)
            connection.execute("COMMIT")
            group.settled = True
        except sqlite3.DatabaseError as error:
            _roll_back(connection)
            raise meaning(error, self.path) from error
        except BaseException:
            # An interrupt is raised when a call returns: it may be COMMIT that has just returned.
            group.settled = begun and not connection.in_transaction
            _roll_back(connection)
            raise

    def _run_apart(self, batch: list[_Ticket[Any]]) -> None:
        """Give each write a transaction of its own, so that a failure reaches its owner alone."""
        for ticket in batch:
            try:
                self._commit([ticket])
            except Exception as error:  # noqa: BLE001 - handed to the thread that asked
                ticket.fail(error)

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = fileformat.open_database(self.path, self.synchronous)
            self._file = self._file or self._identity()
        return self._writer

    def _check_file(self) -> None:
        """Refuse to write into a file that nobody can find any more."""
        if self._identity() != self._file:
            raise StoreFileError(
                f"{self.path} was removed or replaced while it was open. Close the engine and open"
                " it again; what was written since then would be lost.",
            )

    def _identity(self) -> tuple[int, int] | None:
        if self.path is None:
            return None
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_dev, found.st_ino

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed(f"{self._closed} Open it again to use it.")

    def let_go(self) -> None:
        """Before a fork: wait for what is under way, and close the file.

        SQLite keeps what it knows of locks in the process; a child that inherits it believes to
        hold its parent's. So there must be nothing to inherit. Memory has no locks: there the child
        goes on with its copy.
        """
        deadline = time.monotonic() + FORK_SECONDS
        self._holding = self._lock.acquire(timeout=FORK_SECONDS)
        self._forking = True
        while self._active and time.monotonic() < deadline:
            time.sleep(_RETRY_SECONDS)
        if self.path is not None and self._holding and not self._active:
            self._close_all()

    def go_on(self) -> None:
        """After a fork, in the parent: open the file again when it is needed."""
        self._forking = False
        if self._holding:
            self._lock.release()

    def renew(self) -> None:
        """After a fork, in the child: begin anew, unless the parent could not let go."""
        if self._active or not self._holding:
            self._closed = "This process was forked while its parent was using the file."
            self._inherited += [self._idle, self._writer]
            self._idle, self._writer = deque(), None
        self._lock = threading.RLock()
        self._waiting = deque()
        self._together = None
        self._active = set()
        self._forking = False


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


_open: weakref.WeakSet[EngineDatabase] = weakref.WeakSet()
_watching = threading.Event()


def _watch_forks(database: EngineDatabase) -> None:
    """See to it that no fork takes SQLite's knowledge of this file along."""
    _open.add(database)
    if not _watching.is_set() and hasattr(os, "register_at_fork"):
        _watching.set()
        os.register_at_fork(
            before=lambda: _each(EngineDatabase.let_go),
            after_in_parent=lambda: _each(EngineDatabase.go_on),
            after_in_child=lambda: _each(EngineDatabase.renew),
        )


def _each(step: Callable[[EngineDatabase], None]) -> None:
    for database in list(_open):
        step(database)
