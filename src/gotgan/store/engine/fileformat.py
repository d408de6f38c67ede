"""How the file begins: whose it is, which format it has, and what each SQLite error means for us.

A file that is not ours is recognised from its first hundred bytes, before SQLite opens it, so that
it is left exactly as it was.
"""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Final
from urllib.parse import quote

from gotgan.errors import (
    StoreCorrupt,
    StoreFileError,
    StoreForeign,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
)

__all__ = ["FORMAT", "Stale", "connect", "damaged", "meaning", "open_database"]

APPLICATION_ID: Final = 0x476F7467  # "Gotg"
FORMAT: Final = 1
BUSY_SECONDS: Final = 30.0
CACHE_KILOBYTES: Final = 16_384
LOG_PAGES: Final = 4_000

_MAGIC: Final = b"SQLite format 3\x00"
_HEADER_BYTES: Final = 100
_APPLICATION_ID_AT: Final = 68
_RETRY_SECONDS: Final = 0.02

# One statement per step; step N turns format N into format N + 1.
_UPGRADES: Final[tuple[tuple[str, ...], ...]] = (
    (
        "CREATE TABLE catalog (name TEXT PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE numbers (last INTEGER NOT NULL)",
        "INSERT INTO numbers VALUES (0)",
        """CREATE TABLE tokens (
            token TEXT PRIMARY KEY, fingerprint BLOB NOT NULL, expires REAL NOT NULL
        ) WITHOUT ROWID""",
        "CREATE INDEX tokens_expires ON tokens (expires)",
    ),
)


class Stale(Exception):
    """Not an error but a message between the engine's own files.

    The catalogue that some work was prepared with is out of date: read it again and retry.
    """


def open_database(path: Path | None, synchronous: str) -> sqlite3.Connection:
    """Open the file for writing, making or upgrading it first where that is needed."""
    try:
        if path is not None:
            _refuse_foreign(path)
            path.parent.mkdir(parents=True, exist_ok=True)
        return _prepared(path, synchronous)
    except sqlite3.DatabaseError as error:
        raise meaning(error, path) from error
    except PermissionError as error:
        raise StoreReadOnly(f"{path} cannot be used: {error.strerror}.") from error
    except OSError as error:
        raise StoreFileError(f"{path} cannot be used: {error.strerror}.") from error


def _prepared(path: Path | None, synchronous: str) -> sqlite3.Connection:
    connection = connect(path, synchronous, make=True)
    try:
        _upgrade(connection, path)
        if path is not None:
            _log_ahead(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def connect(path: Path | None, synchronous: str, *, make: bool = False) -> sqlite3.Connection:
    """Open one more connection to a file that is known to be ours."""
    # "rw" never makes a file: one that is gone is an error, not an empty store.
    mode = "rwc" if make else "rw"
    connection = sqlite3.connect(
        ":memory:" if path is None else f"file:{quote(str(path))}?mode={mode}",
        uri=path is not None,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
    )
    try:
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KILOBYTES}")
        # Four times SQLite's default: a hot page is then copied home once for many writes to it.
        connection.execute(f"PRAGMA wal_autocheckpoint={LOG_PAGES}")
    except BaseException:
        connection.close()
        raise
    return connection


def _refuse_foreign(path: Path) -> None:
    if path.is_dir():
        raise StoreForeign(f"{path} is a folder. Name a file in it, such as {path}/data.sqlite3.")
    if not path.exists() or path.stat().st_size == 0:
        return
    if not os.access(path, os.W_OK):
        raise StoreReadOnly(f"{path} cannot be written. Make it writable or name another file.")
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if not header.startswith(_MAGIC):
        raise StoreForeign(f"{path} is not a SQLite file. It was left as it is: name another file.")
    owner = int.from_bytes(header[_APPLICATION_ID_AT : _APPLICATION_ID_AT + 4], "big")
    if owner != APPLICATION_ID:
        raise StoreForeign(
            f"{path} is a SQLite file of another program. It was left as it is: name another file.",
        )


def _upgrade(connection: sqlite3.Connection, path: Path | None) -> None:
    if _format(connection) == FORMAT:
        return
    # A new file is made whole in one transaction of the rollback journal, so that its header says
    # whose it is before the first write-ahead log exists.
    connection.execute("BEGIN IMMEDIATE")
    found = _format(connection)
    if found > FORMAT:
        connection.execute("ROLLBACK")
        raise StoreTooNew(
            f"{path} has format {found}; this version of Gotgan knows {FORMAT}. Upgrade Gotgan.",
        )
    for step in _UPGRADES[found:]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={FORMAT}")
    connection.execute("COMMIT")


def _format(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; SQLite does not wait by itself for others to let go."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def meaning(error: sqlite3.DatabaseError, path: Path | None) -> Exception:
    """Turn what SQLite raises into an error that says what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StoreLocked(
                f"{path} has been locked by another program for {BUSY_SECONDS:g} seconds."
                " Close that program, or try again.",
            )
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StoreReadOnly(f"{path} cannot be written: {error}. Check its folder's rights.")
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(path, error)
        case sqlite3.SQLITE_ERROR if str(error).startswith("no such"):
            return Stale(str(error))
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return StoreFileError(f"{path} could not be written: {error}. Check the disk.")
    # Python's own word for text that is no text has no code.
    return damaged(path, error) if str(error).startswith("Could not decode") else error


def damaged(path: Path | None, error: Exception) -> StoreCorrupt:
    """Say that the file is damaged, and what to do."""
    return StoreCorrupt(
        f"{path} is damaged: {error}. It was left as it is: restore it from a copy.",
    )
