"""Copies of several SQLite files as of one moment, while other programs write to them.

The write locks of all files are held together for an instant. A read transaction that starts
meanwhile keeps its snapshot in the write-ahead log when the locks are released, so writers wait
only for that instant and the files are copied from the snapshots. Until the copy is complete the
log cannot be reset, and grows with what is written.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from gotgan.clock import Clock
from gotgan.errors import BackupError, StoreLocked, StoreReadOnly
from gotgan.sqlite_files import is_read_only
from gotgan.store.engine import fileformat

__all__ = ["copy_databases", "first_value", "integrity"]

_LOCK_S: Final = 60.0
"""How long to try to get the write locks of all files at once."""
_FIRST_LOCK_MS: Final = 10_000
_OTHER_LOCK_MS: Final = 200
_PAGES: Final = 2_048
"""How many pages are copied between two reports of progress."""


def copy_databases(
    sources: Mapping[str, Path], folder: Path, clock: Clock, tell: Callable[[int, int, str], None]
) -> datetime:
    """Copy files into a folder, under their names, as of one moment; return the moment.

    ``tell`` is called with the bytes copied, the bytes in total, and the name of the file.
    """
    with ExitStack() as stack:
        readers, moment = _pinned(stack, sources, clock)
        sizes = {name: _size(reader) for name, reader in readers.items()}
        total, done = sum(sizes.values()), 0
        for name, reader in readers.items():
            with _explained(sources[name], folder):
                _copy(
                    reader,
                    folder / name,
                    lambda share, before=done, name=name: tell(  # type: ignore[misc]
                        before + int(share * sizes[name]), total, name
                    ),
                )
            done += sizes[name]
    return moment


def integrity(path: Path) -> str:
    """What SQLite says about a file that is not in use; ``ok`` where it finds no damage."""
    try:
        return str(first_value(path, "PRAGMA integrity_check(1)"))
    except sqlite3.DatabaseError as error:
        return str(error)


def first_value(path: Path, query: str) -> object:
    """The first value that a query finds in a file that is not in use."""
    with closing(_connect(path, "mode=ro&immutable=1")) as connection:
        return connection.execute(query).fetchone()[0]


def _pinned(
    stack: ExitStack, sources: Mapping[str, Path], clock: Clock
) -> tuple[dict[str, sqlite3.Connection], datetime]:
    """A connection to each file, all in transactions that see the same moment."""
    with ExitStack() as locks:
        writers, readers = {}, {}
        for name, path in sources.items():
            if is_read_only(path):
                raise StoreReadOnly(
                    f"A backup needs write access to {path} and its folder, to lock it for an "
                    "instant. Run it as the user that runs Gotgan."
                )
            with _meaning(path):
                writers[path] = locks.enter_context(closing(_connect(path, "mode=rw")))
                readers[name] = stack.enter_context(closing(_connect(path, "mode=rw")))
        _lock_all(writers)
        moment = clock.now()
        for name, reader in readers.items():
            with _meaning(sources[name]):
                reader.execute("BEGIN")
                reader.execute(
                    "SELECT count(*) FROM sqlite_master"
                ).fetchone()  # takes the snapshot
    return readers, moment


def _lock_all(connections: Mapping[Path, sqlite3.Connection]) -> None:
    """Take the write locks of all files.

    A lock is waited for only while no other is held: a writer of one file never waits for another
    file, and two programs never wait for each other.
    """
    deadline = time.monotonic() + _LOCK_S
    order = deque(connections.items())
    while (busy := _first_busy(order)) is not None:
        if time.monotonic() > deadline:
            raise StoreLocked(
                f"{busy} has been locked by other programs for {_LOCK_S:g} seconds. Try again."
            )
        order.rotate(1)


def _first_busy(order: Sequence[tuple[Path, sqlite3.Connection]]) -> Path | None:
    """Lock all files; where one is busy, release the others and return its path."""
    for number, (path, connection) in enumerate(order):
        wait = _OTHER_LOCK_MS if number else _FIRST_LOCK_MS
        with _meaning(path):
            connection.execute(f"PRAGMA busy_timeout = {wait}")
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                for _, locked in list(order)[:number]:
                    locked.execute("ROLLBACK")
                return path
    return None


def _copy(reader: sqlite3.Connection, path: Path, tell: Callable[[float], None]) -> None:
    """Copy the snapshot that a connection sees."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(sqlite3.connect(path)) as target:
        target.execute("PRAGMA journal_mode = OFF")  # an incomplete copy is deleted anyway
        target.execute("PRAGMA synchronous = OFF")
        reader.backup(
            target, pages=_PAGES, progress=lambda _, left, pages: tell(1 - left / max(pages, 1))
        )


def _connect(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?{options}", uri=True, isolation_level=None)


def _size(connection: sqlite3.Connection) -> int:
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    return int(pages * connection.execute("PRAGMA page_size").fetchone()[0])


@contextmanager
def _meaning(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise fileformat.meaning(error, path) from error


@contextmanager
def _explained(source: Path, folder: Path) -> Iterator[None]:
    """Say which of the two files an error of a copy is about."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
            raise fileformat.damaged(source, error) from error
        raise BackupError(
            f"Could not copy {source} to {folder.parent}: {error}. Free up space there, or name "
            "another folder."
        ) from error
