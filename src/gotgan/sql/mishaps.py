"""What a database cannot do, said in our words, and without what was written or who may."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sqlalchemy import URL
from sqlalchemy.exc import (
    DatabaseError,
    DataError,
    DBAPIError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as NoneFree

from gotgan.errors import DatabaseReadOnly, DatabaseUnavailable, UsageError

__all__ = ["told"]

_BUSY: Final = "others have been writing for too long; try again"
_FULL: Final = "make room on its disk, then try again"
_RIGHTS: Final = "give this user the right to read and write it"
_READ_ONLY: Final = (
    "give this user write access to it and to its folder; where the data folder is read-only, copy "
    "it to a place that you can write and set GOTGAN_DATA"
)
_DAMAGED: Final = "restore it from a copy, or name another one in GOTGAN_DATA"
_UNPREPARED: Final = "its tables are made when Gotgan starts; start it once"
_UNKNOWN: Final = "see that it runs and that GOTGAN_DATABASE names the right one, then try again"

_OF_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR: "check its disk, and the space on it",
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_ERROR: _UNPREPARED,
}
_OF_POSTGRES: Final = {
    "42501": _RIGHTS,  # insufficient_privilege
    "42P01": _UNPREPARED,  # undefined_table
    "3F000": "create the schema of its search_path with CREATE SCHEMA",  # invalid_schema_name
    "53100": _FULL,  # disk_full
    "40001": _BUSY,  # serialization_failure
    "40P01": _BUSY,  # deadlock_detected
    "55P03": _BUSY,  # lock_not_available
}


@contextmanager
def told(url: URL) -> Iterator[None]:
    """Tell of a database that does not do what it should; a mistake of ours stays as it is."""
    try:
        yield
    except NoneFree as error:
        raise DatabaseUnavailable(
            f"all connections to {_place(url)} are in use; {_BUSY}"
        ) from error
    except DataError as error:
        if getattr(error.orig, "sqlstate", None) is not None:  # the server refused it, not we
            raise
        said = str(error.orig).strip().partition("\n")[0]
        raise UsageError(f"a value cannot be asked for or kept; change it: {said}") from error
    except DBAPIError as error:
        if not _is_no_mistake_of_ours(error):
            raise
        said = str(error.orig).strip().partition("\n")[0]
        raise _kind(error.orig)(
            f"{_place(url)} cannot be used now ({said}); {_advice(error.orig)}"
        ) from error


def _place(url: URL) -> str:
    """Which database it is: never the whole address, because a password may be in it."""
    if url.get_backend_name() == "sqlite":
        return f"the file {url.database}" if url.database else "the database in memory"
    return f"the database {url.database}" + (f" at {url.host}" if url.host else "")


def _is_no_mistake_of_ours(error: DBAPIError) -> bool:
    """Whether no statement of ours is at fault: it is the connection, the server or the file."""
    if error.statement is None or type(error) is DatabaseError:
        return True
    if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return str(error.orig).startswith("no such table")
    if isinstance(error, InterfaceError | InternalError | OperationalError):
        return True
    return getattr(error.orig, "sqlstate", None) in _OF_POSTGRES


def _kind(error: BaseException | None) -> type[DatabaseUnavailable]:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return DatabaseReadOnly if code == sqlite3.SQLITE_READONLY else DatabaseUnavailable


def _advice(error: BaseException | None) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return _OF_SQLITE.get(code & 0xFF, _UNKNOWN)
    return _OF_POSTGRES.get(getattr(error, "sqlstate", None) or "", _UNKNOWN)
