"""Errors of SQLAlchemy and the drivers as Gotgan's, without values and passwords."""

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
from sqlalchemy.exc import TimeoutError as PoolTimeout

from gotgan.errors import DatabaseReadOnly, DatabaseUnavailable, UsageError

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

_SQLITE_ADVICE: Final = {
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
_POSTGRES_ADVICE: Final = {
    "42501": _RIGHTS,  # insufficient_privilege
    "42P01": _UNPREPARED,  # undefined_table
    "3F000": "create the schema of its search_path with CREATE SCHEMA",  # invalid_schema_name
    "53100": _FULL,  # disk_full
    "40001": _BUSY,  # serialization_failure
    "40P01": _BUSY,  # deadlock_detected
    "55P03": _BUSY,  # lock_not_available
}


@contextmanager
def translated_errors(url: URL) -> Iterator[None]:
    """Translate errors of the database and its server; a wrong statement raises as it is."""
    try:
        yield
    except PoolTimeout as error:
        raise DatabaseUnavailable(
            f"all connections to {_database_name(url)} are in use; {_BUSY}"
        ) from error
    except DataError as error:
        if getattr(error.orig, "sqlstate", None) is not None:  # refused by the server
            raise
        cause = str(error.orig).strip().partition("\n")[0]
        raise UsageError(f"a value cannot be asked for or kept; change it: {cause}") from error
    except DBAPIError as error:
        if not _is_environment_error(error):
            raise
        cause = str(error.orig).strip().partition("\n")[0]
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        kind = DatabaseReadOnly if code == sqlite3.SQLITE_READONLY else DatabaseUnavailable
        raise kind(
            f"{_database_name(url)} cannot be used now ({cause}); {_advice(error.orig)}"
        ) from error


def _database_name(url: URL) -> str:
    """The database without its whole address, because a password may be in it."""
    if url.get_backend_name() == "sqlite":
        return f"the file {url.database}" if url.database else "the database in memory"
    return f"the database {url.database}" + (f" at {url.host}" if url.host else "")


def _is_environment_error(error: DBAPIError) -> bool:
    """Whether the connection, the server or the file is at fault, not the statement."""
    if error.statement is None or type(error) is DatabaseError:
        return True
    if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return str(error.orig).startswith("no such table")
    if isinstance(error, InterfaceError | InternalError | OperationalError):
        return True
    return getattr(error.orig, "sqlstate", None) in _POSTGRES_ADVICE


def _advice(error: BaseException | None) -> str:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE_ADVICE.get(code & 0xFF, _UNKNOWN)
    return _POSTGRES_ADVICE.get(getattr(error, "sqlstate", None) or "", _UNKNOWN)
