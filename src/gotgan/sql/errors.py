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
from gotgan.messages import Message, Template, text
from gotgan.sql import messages

_SQLITE_ADVICE: Final = {
    sqlite3.SQLITE_BUSY: messages.BUSY,
    sqlite3.SQLITE_LOCKED: messages.BUSY,
    sqlite3.SQLITE_FULL: messages.FULL,
    sqlite3.SQLITE_IOERR: messages.DISK,
    sqlite3.SQLITE_READONLY: messages.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: messages.READ_ONLY,
    sqlite3.SQLITE_PERM: messages.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: messages.DAMAGED,
    sqlite3.SQLITE_NOTADB: messages.DAMAGED,
    sqlite3.SQLITE_ERROR: messages.UNPREPARED,
}
_POSTGRES_ADVICE: Final = {
    "42501": messages.RIGHTS,  # insufficient_privilege
    "42P01": messages.UNPREPARED,  # undefined_table
    "3F000": messages.NO_SCHEMA,  # invalid_schema_name
    "53100": messages.FULL,  # disk_full
    "40001": messages.BUSY,  # serialization_failure
    "40P01": messages.BUSY,  # deadlock_detected
    "55P03": messages.BUSY,  # lock_not_available
}


@contextmanager
def translated_errors(url: URL) -> Iterator[None]:
    """Translate errors of the database and its server; a wrong statement raises as it is."""
    try:
        yield
    except PoolTimeout as error:
        raise DatabaseUnavailable(messages.POOL_EXHAUSTED(database=_database_name(url))) from error
    except DataError as error:
        if getattr(error.orig, "sqlstate", None) is not None:  # refused by the server
            raise
        raise UsageError(messages.BAD_VALUE(cause=_first_line(error.orig))) from error
    except DBAPIError as error:
        if not _is_environment_error(error):
            raise
        code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
        kind = DatabaseReadOnly if code == sqlite3.SQLITE_READONLY else DatabaseUnavailable
        raise kind(
            messages.UNAVAILABLE(
                database=_database_name(url),
                cause=_first_line(error.orig),
                advice=_advice(error.orig)(),
            )
        ) from error


def _first_line(error: BaseException | None) -> Message:
    """What the database says."""
    return text(str(error).strip().partition("\n")[0].rstrip("."))


def _database_name(url: URL) -> Message:
    """The database without its whole address, because a password may be in it."""
    if url.get_backend_name() == "sqlite":
        return messages.FILE(path=url.database) if url.database else messages.MEMORY()
    if url.host:
        return messages.DATABASE_AT(name=url.database, host=url.host)
    return messages.DATABASE(name=url.database)


def _is_environment_error(error: DBAPIError) -> bool:
    """Whether the connection, the server or the file is at fault, not the statement."""
    if error.statement is None or type(error) is DatabaseError:
        return True
    if getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR:
        return str(error.orig).startswith("no such table")
    if isinstance(error, InterfaceError | InternalError | OperationalError):
        return True
    return getattr(error.orig, "sqlstate", None) in _POSTGRES_ADVICE


def _advice(error: BaseException | None) -> Template:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE_ADVICE.get(code & 0xFF, messages.UNKNOWN)
    return _POSTGRES_ADVICE.get(getattr(error, "sqlstate", None) or "", messages.UNKNOWN)
