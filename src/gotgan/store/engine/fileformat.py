"""The file format: its application ID, its version, and the meaning of SQLite's errors.

A file of another program is recognised before anything is written, and is left exactly as it was.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from gotgan.errors import (
    StoreCorrupt,
    StoreFileError,
    StoreForeign,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTooNew,
)
from gotgan.messages import Message, Template, text
from gotgan.sqlite_files import enable_wal, is_read_only, make_private, read_only_uri
from gotgan.store import messages

APPLICATION_ID: Final = 0x476F7467  # "Gotg"
FORMAT: Final = 2
BUSY_TIMEOUT_S: Final = 30.0
CACHE_SIZE_KB: Final = 16_384
WAL_CHECKPOINT_PAGES: Final = 4_000

_MIN_PAGE_BYTES: Final = 512

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
    # From here on, the keys of global indexes may also have several attributes, of which format 1
    # would read only the first.
    (
        """CREATE TABLE streams (
            number INTEGER PRIMARY KEY, table_name TEXT NOT NULL, label TEXT NOT NULL,
            view_type TEXT NOT NULL, key_schema TEXT NOT NULL, created REAL NOT NULL,
            disabled REAL, UNIQUE (table_name, label)
        )""",
    ),
)


class StaleCatalog(Exception):
    """The catalogue that some work was prepared with is out of date: read it again and retry.

    It never leaves the engine.
    """


def open_database(path: Path | None, synchronous: str) -> sqlite3.Connection:
    """Open the file for writing, making or upgrading it first where that is needed."""
    try:
        if path is not None:
            _refuse_foreign(path)
            if is_read_only(path):
                raise StoreReadOnly(messages.FILE_READ_ONLY(path=path))
            path.parent.mkdir(parents=True, exist_ok=True)
            make_private(path)
        return _open_prepared(path, synchronous)
    except sqlite3.DatabaseError as error:
        raise translate_error(error, path) from error
    except PermissionError as error:
        raise StoreReadOnly(_unusable(path, error)) from error
    except OSError as error:
        raise StoreFileError(_unusable(path, error)) from error


def _unusable(path: Path | None, error: OSError) -> Message:
    return messages.FILE_UNUSABLE(path=path, cause=text(str(error.strerror)))


def check_readable(path: Path) -> None:
    """Refuse a read-only file of another program, or one that cannot be read without writing."""
    try:
        _refuse_foreign(path)
        with closing(connect(path, "normal")) as connection:
            found = _format(connection)
    except sqlite3.DatabaseError as error:
        raise translate_error(error, path) from error
    if found > FORMAT:
        raise _too_new(path, found)
    if found < FORMAT:
        raise StoreReadOnly(messages.FILE_TOO_OLD(path=path, found=found, latest=FORMAT))


def _open_prepared(path: Path | None, synchronous: str) -> sqlite3.Connection:
    connection = connect(path, synchronous, make=True)
    try:
        _upgrade(connection, path)
        if path is not None:
            enable_wal(connection, BUSY_TIMEOUT_S)
    except BaseException:
        connection.close()
        raise
    return connection


def connect(path: Path | None, synchronous: str, *, make: bool = False) -> sqlite3.Connection:
    """Open one more connection to a file that is known to be an engine's."""
    connection = sqlite3.connect(
        ":memory:" if path is None else _uri(path, make=make),
        uri=path is not None,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
    )
    try:
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA cache_size=-{CACHE_SIZE_KB}")
        # Four times SQLite's default: a hot page is then copied back once for many writes to it.
        connection.execute(f"PRAGMA wal_autocheckpoint={WAL_CHECKPOINT_PAGES}")
    except BaseException:
        connection.close()
        raise
    return connection


def _uri(path: Path, *, make: bool) -> str:
    if not make and is_read_only(path):
        return read_only_uri(path, StoreReadOnly)
    # "rw" never makes a file: one that is gone is an error, not an empty store.
    return f"file:{quote(str(path))}?mode={'rwc' if make else 'rw'}"


def _refuse_foreign(path: Path) -> None:
    if not path.exists():
        return
    if path.is_dir():
        raise StoreForeign(messages.IS_FOLDER(path=path))
    if not path.is_file():
        raise StoreForeign(messages.NOT_A_FILE(path=path))
    if path.stat().st_size == 0:
        return
    if not os.access(path, os.R_OK):
        raise StoreReadOnly(messages.FILE_NOT_READABLE(path=path))
    owner = _application_id(path)
    if owner != APPLICATION_ID:
        template = messages.NOT_SQLITE if owner is None else messages.OTHER_PROGRAM
        raise StoreForeign(template(path=path))


def _application_id(path: Path) -> int | None:
    """Read the application ID of a file, without touching it; None: it is not a SQLite file.

    Only SQLite may open it: closing it by other means would drop this process's locks on it.
    """
    if path.stat().st_size < _MIN_PAGE_BYTES:
        return None
    try:
        return _read_application_id(path, "mode=ro&immutable=1")
    except sqlite3.DatabaseError as error:
        has_log = path.with_name(f"{path.name}-wal").exists()
        if error.sqlite_errorcode != sqlite3.SQLITE_CORRUPT or not has_log:
            raise
    # A file whose pages are being copied from the log is complete only together with its log.
    return _read_application_id(path, "mode=ro")


def _read_application_id(path: Path, options: str) -> int | None:
    place = f"file:{quote(str(path))}?{options}"
    with closing(sqlite3.connect(place, uri=True, timeout=BUSY_TIMEOUT_S)) as connection:
        try:
            return int(connection.execute("PRAGMA application_id").fetchone()[0])
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                return None
            raise


def _upgrade(connection: sqlite3.Connection, path: Path | None) -> None:
    if _format(connection) == FORMAT:
        return
    # A new file is made whole in one transaction of the rollback journal, so that its header says
    # whose it is before the first write-ahead log exists.
    connection.execute("BEGIN IMMEDIATE")
    found = _format(connection)
    if found > FORMAT:
        connection.execute("ROLLBACK")
        raise _too_new(path, found)
    for step in _UPGRADES[found:]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={FORMAT}")
    connection.execute("COMMIT")


def _too_new(path: Path | None, found: int) -> StoreTooNew:
    return StoreTooNew(messages.FILE_TOO_NEW(path=path, found=found, latest=FORMAT))


def _format(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def translate_error(error: sqlite3.DatabaseError, path: Path | None) -> Exception:
    """Turn an error of SQLite into one that says what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_ERROR and str(error).startswith("no such"):
        return StaleCatalog(str(error))
    if code in _CORRUPT_CODES or str(error).startswith(
        "Could not decode"
    ):  # Python's error has no code
        return corrupt_error(path, error)
    if code in _ERRORS:
        kind, template = _ERRORS[code]
        cause = text(str(error))
        return kind(template(path=path, cause=cause, seconds=round(BUSY_TIMEOUT_S)))
    return error


_CORRUPT_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_LOCKED: Final = (StoreLocked, messages.FILE_LOCKED)
_READ_ONLY: Final = (StoreReadOnly, messages.FILE_NOT_WRITABLE)
_ERRORS: Final[dict[int, tuple[type[StoreFileError], Template]]] = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_FULL: (StoreFull, messages.DISK_FULL),
    sqlite3.SQLITE_IOERR: (StoreFileError, messages.DISK_ERROR),
}


def corrupt_error(path: Path | None, error: Exception) -> StoreCorrupt:
    """The error of a damaged file."""
    return StoreCorrupt(messages.FILE_DAMAGED(path=path, cause=text(str(error))))
