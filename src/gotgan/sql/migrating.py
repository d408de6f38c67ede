"""Bringing a database to the latest version of its tables."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Final, Protocol

from sqlalchemy import Connection, String, Update, column, func, inspect, select, table, update

from gotgan.errors import DatabaseTooNew
from gotgan.sql.adopting import AdoptedTable
from gotgan.sql.migrations import LATEST, VERSION_TABLE

__all__ = ["TryOut", "is_latest", "lock_tables", "migrate", "touch_version", "version_of"]

TryOut = Callable[[Connection, set[str]], None]
"""Writes to the tables of these names as the program does, and takes it back."""
_VERSIONS: Final = table(VERSION_TABLE, column("version_num", String))
_LOCK: Final = 0x676F7467616E  # the same number for everybody who migrates a PostgreSQL database


class _Database(Protocol):
    def begin(self) -> AbstractContextManager[Connection]: ...

    def read(self) -> AbstractContextManager[Connection]: ...


def migrate(database: _Database, try_out: TryOut | None = None) -> list[AdoptedTable]:
    """Take every step that is missing, in one transaction that waits for that of others.

    The tables that existed already are returned, with what was added to them; ``try_out`` sees
    them first, and nothing is changed if it raises.
    """
    with database.read() as connection:
        if is_latest(connection):
            return []
    with database.begin() as connection:
        lock_tables(connection)
        adopted = [] if is_latest(connection) else _upgrade(connection)
        if adopted and try_out is not None:
            try_out(connection, {each.name for each in adopted})
        return adopted


def lock_tables(connection: Connection) -> None:
    """Wait for others who change the tables; a transaction that writes to SQLite has waited."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def version_of(connection: Connection) -> str | None:
    """The version that a database has; None where it has none of our tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(select(_VERSIONS.c.version_num)).scalar_one_or_none()


def touch_version() -> Update:
    """A write that changes nothing."""
    return update(_VERSIONS).values(version_num=_VERSIONS.c.version_num)


def is_latest(connection: Connection) -> bool:
    """Whether the tables have the version that this program needs."""
    version = version_of(connection)
    if version is not None and version > LATEST:
        raise DatabaseTooNew(
            f"the database was written by a later version of Gotgan: it has version {version} of "
            f"the tables, and this one knows {LATEST}; upgrade Gotgan"
        )
    return version == LATEST


def _upgrade(connection: Connection) -> list[AdoptedTable]:
    """Have Alembic take the steps; it is loaded only where there are some to take."""
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "gotgan.sql:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    config.attributes["adopted"] = adopted = list[AdoptedTable]()
    command.upgrade(config, LATEST)
    return adopted
