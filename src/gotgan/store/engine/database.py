"""The SQLite file: read by many threads at once, written by one at a time.

Reads take a connection from a pool and see a snapshot. Writes of all threads go through one
connection. Those that arrive while it is in use form a queue, which one thread runs in one
transaction, so that concurrent writers share one fsync (group commit); so do the writes of a batch
of one thread. A write decides before it changes anything, so one that is refused leaves nothing
behind for the others in the transaction.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from gotgan.errors import StoreClosed, StoreFileError, StoreLocked
from gotgan.messages import Template
from gotgan.settings import Synchronous
from gotgan.sqlite_files import is_read_only
from gotgan.store import messages
from gotgan.store.engine import fileformat
from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.engine.fileformat import StaleCatalog, translate_error

T = TypeVar("T")
Work: TypeAlias = Callable[[sqlite3.Connection], T]

MAX_IDLE_READERS = 8
FORK_TIMEOUT_S = 10.0  # how long a fork waits for running reads and writes
_FORK_POLL_S = 0.001

# What a write may raise, before it changed anything, without failing the others.
_REFUSALS = (DynamoDBError, StaleCatalog)


class _GroupCommit:
    """The writes of one transaction; one flag, set once, settles all of them."""

    __slots__ = ("settled",)

    def __init__(self) -> None:
        self.settled = False


class _PendingWrite(Generic[T]):
    """One write that waits for its turn, and its outcome."""

    __slots__ = ("error", "group", "result", "work")

    def __init__(self, work: Work[T]) -> None:
        self.work = work
        self.group: _GroupCommit | None = None
        self.result: T
        self.error: BaseException | None = None

    @property
    def done(self) -> bool:
        """Whether it was committed or failed for good."""
        return self.group is not None and self.group.settled

    def run(self, connection: sqlite3.Connection) -> None:
        self.error = None
        try:
            self.result = self.work(connection)
        except _REFUSALS as error:
            self.error = error

    def fail(self, error: BaseException) -> None:
        self.error = error
        self.group = _GroupCommit()
        self.group.settled = True

    def outcome(self) -> T:
        if self.error is not None:
            raise self.error
        return self.result


class _WriteQueue:
    """Writes for one transaction, run by the first of their threads that gets the lock.

    The other threads wait for this lock and not for the connection, so a later transaction cannot
    delay those whose writes are on disk. If the first thread is interrupted, the next one goes on.
    """

    __slots__ = ("lock", "waiting")

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.waiting: deque[_PendingWrite[Any]] = deque()


class _Batch:
    """The transaction that one thread has open, and the error that prevents its commit."""

    __slots__ = ("connection", "error", "thread")

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.thread = threading.get_ident()
        self.error: Exception | None = None


class EngineDatabase:
    """One file (or memory), shared by all threads of this process and by other processes."""

    def __init__(
        self,
        path: Path | None,
        synchronous: Synchronous = "full",
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        """Open the file; ``functions`` are those that its triggers call in SQL."""
        self.path = None if path is None else path.absolute()
        self._functions = functions or {}
        self.synchronous = synchronous
        self._closed: Template | None = None  # the reason, once it is
        self._lock = threading.RLock()
        self._queue = _WriteQueue()  # for the next transaction
        self._batch: _Batch | None = None
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
        _register_fork_hooks(self)

    def close(self) -> None:
        """Close every connection; the last process to close folds the log into the file."""
        with self._lock:
            self._closed = self._closed or messages.CLOSED
            self._close_all()

    def _close_all(self) -> None:
        while self._idle:
            self._idle.pop().close()
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def read(self, work: Work[T], *, begin: bool = False) -> T:
        """Run some reads; each statement, or all of them with ``begin``, sees one snapshot."""
        self._check_open()
        try:
            if self.path is not None:
                return self._read_file(work, begin=begin)
            with self._lock:
                self._check_open()
                connection = self._open_writer()
                if not begin:
                    return work(connection)
                connection.execute("BEGIN")
                try:
                    return work(connection)
                finally:
                    connection.execute("ROLLBACK")
        except sqlite3.DatabaseError as error:
            raise translate_error(error, self.path) from error

    def _read_file(self, work: Work[T], *, begin: bool) -> T:
        token = object()
        self._active.add(token)
        while self._forking:
            self._active.discard(token)
            with self._lock:  # held until the fork is over
                self._active.add(token)
        try:
            try:
                connection = self._idle.pop()
            except IndexError:
                connection = fileformat.connect(self.path, self.synchronous)
            try:
                if begin:
                    connection.execute("BEGIN")
                result = work(connection)
                if begin:
                    connection.execute("ROLLBACK")
            except BaseException:
                # The traceback may keep a cursor, and with it an old snapshot: not for the pool.
                connection.close()
                raise
            # Whether a read-only file is in use by others is checked again for each read.
            if len(self._idle) < MAX_IDLE_READERS and not self.is_read_only:
                self._idle.append(connection)
            else:
                connection.close()
            if self._closed:
                self.close()
        finally:
            self._active.discard(token)
        return result

    def copy_to(self, path: Path) -> None:
        """Write a snapshot of everything to another file."""

        def copy(connection: sqlite3.Connection) -> None:
            with closing(sqlite3.connect(path)) as target:
                connection.backup(target)

        self.read(copy)

    @contextmanager
    def rolled_back(self) -> Iterator[None]:
        """Undo everything that is written in a block, also by other threads; only in memory."""
        with closing(sqlite3.connect(":memory:", check_same_thread=False)) as before:
            self.read(lambda connection: connection.backup(before))
            try:
                yield
            finally:
                with self._lock:
                    if not self._closed:
                        before.backup(self._open_writer())

    def write(self, work: Work[T]) -> T:
        """Run one write and return when it is on disk (or refused).

        It may be run more than once, and must not touch anything but the connection.
        """
        self._check_open()
        batch = self._batch
        if batch is not None and batch.thread == threading.get_ident():
            if batch.error is not None:
                raise batch.error
            try:
                return work(batch.connection)
            except _REFUSALS:
                raise
            except sqlite3.DatabaseError as error:
                translated = translate_error(error, self.path)
                if not isinstance(translated, StaleCatalog):  # it found no table, and did nothing
                    batch.error = translated
                raise translated from error
            except Exception as error:
                batch.error = error
                raise
        write = _PendingWrite(work)
        queue = self._queue
        queue.waiting.append(write)
        with queue.lock:
            if not write.done:
                with self._lock:
                    self._queue = _WriteQueue()
                    self._run_queue(queue, write)
        return write.outcome()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Run the writes that this thread makes in a block in one transaction.

        Their results hold when the block has ended; where it ends with an error, nothing of it was
        written. Other writers wait meanwhile, so it must be short.
        """
        with self._lock:
            self._check_open()
            connection = self._open_writer()
            try:
                connection.execute("BEGIN IMMEDIATE")
                self._check_file()
                self._batch = _Batch(connection)
                yield
                if self._batch.error is not None:
                    raise self._batch.error
                connection.execute("COMMIT")
            except sqlite3.DatabaseError as error:
                raise translate_error(error, self.path) from error
            finally:
                self._batch = None
                _roll_back(connection)

    def _run_queue(self, queue: _WriteQueue, own: _PendingWrite[Any]) -> None:
        group: list[_PendingWrite[Any]] = []
        while queue.waiting:
            write = queue.waiting.popleft()
            if not write.done:
                group.append(write)
        if own not in group:  # a leader that was interrupted had taken it and rolled back
            group.append(own)
        try:
            self._commit(group)
        except (StoreLocked, StoreClosed) as error:
            for write in group:  # none of them could begin, and none could alone
                write.fail(error)
        except Exception as error:  # noqa: BLE001 - raised in the thread that called write
            if len(group) == 1:
                own.fail(error)
                return
            for write in group:  # each in its own transaction, so that a failure reaches one alone
                try:
                    self._commit([write])
                except Exception as error:  # noqa: BLE001 - as above
                    write.fail(error)

    def _commit(self, writes: list[_PendingWrite[Any]]) -> None:
        self._check_open()
        connection = self._open_writer()
        group = _GroupCommit()
        for write in writes:
            write.group = group
        started = False
        try:
            connection.execute("BEGIN IMMEDIATE")
            started = True
            self._check_file()
            for write in writes:
                write.run(connection)
            connection.execute("COMMIT")
            group.settled = True
        except sqlite3.DatabaseError as error:
            _roll_back(connection)
            raise translate_error(error, self.path) from error
        except BaseException:
            # An interrupt is raised when a call returns: it may be COMMIT that has just returned.
            group.settled = started and not connection.in_transaction
            _roll_back(connection)
            raise

    def _open_writer(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = fileformat.open_database(self.path, self.synchronous)
            # By default, some builds of SQLite let triggers call only functions of SQLite.
            self._writer.execute("PRAGMA trusted_schema=ON")
            for name, function in self._functions.items():
                self._writer.create_function(name, -1, function)
            self._file = self._file or self._identity()
        return self._writer

    def _check_file(self) -> None:
        """Refuse to write into a file that was removed or replaced."""
        if self._identity() != self._file:
            raise StoreFileError(messages.FILE_REPLACED(path=self.path))

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
            raise StoreClosed(self._closed())

    def before_fork(self) -> None:
        """Wait for running reads and writes, and close the file.

        SQLite keeps its locks in the process; a child that inherits them believes to hold its
        parent's. So there must be nothing to inherit. Memory has no locks: there the child keeps
        its copy.
        """
        deadline = time.monotonic() + FORK_TIMEOUT_S
        self._holding = self._lock.acquire(timeout=FORK_TIMEOUT_S)
        self._forking = True
        while self._active and time.monotonic() < deadline:
            time.sleep(_FORK_POLL_S)
        if self.path is not None and self._holding and not self._active:
            self._close_all()

    def after_fork_in_parent(self) -> None:
        """Let reads and writes open the file again."""
        self._forking = False
        if self._holding:
            self._lock.release()

    def after_fork_in_child(self) -> None:
        """Start with fresh state, unless the parent could not close the file."""
        if self._active or not self._holding:
            self._closed = messages.FORKED
            self._inherited += [self._idle, self._writer]
            self._idle, self._writer = deque(), None
        self._lock = threading.RLock()
        self._queue = _WriteQueue()
        self._batch = None
        self._active = set()
        self._forking = False


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:
        connection.execute("ROLLBACK")


_OPEN: weakref.WeakSet[EngineDatabase] = weakref.WeakSet()
_FORK_HOOKS_SET = threading.Event()


def _register_fork_hooks(database: EngineDatabase) -> None:
    _OPEN.add(database)
    if not _FORK_HOOKS_SET.is_set() and hasattr(os, "register_at_fork"):
        _FORK_HOOKS_SET.set()
        os.register_at_fork(
            before=lambda: _for_each_open(EngineDatabase.before_fork),
            after_in_parent=lambda: _for_each_open(EngineDatabase.after_fork_in_parent),
            after_in_child=lambda: _for_each_open(EngineDatabase.after_fork_in_child),
        )


def _for_each_open(step: Callable[[EngineDatabase], None]) -> None:
    for database in list(_OPEN):
        step(database)
