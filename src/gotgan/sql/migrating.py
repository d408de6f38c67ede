"""Bringing a database to the latest version of its tables."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Final, Protocol

from sqlalchemy import Connection, String, column, func, inspect, select, table

from gotgan.errors import DatabaseTooNew
from gotgan.sql.migrations import LATEST, VERSION_TABLE

__all__ = ["migrate", "version_of"]

_LOCK: Final = 0x676F7467616E  # the same number for everybody who migrates a PostgreSQL database


class _Database(Protocol):
    def begin(self) -> AbstractContextManager[Connection]: ...

    def read(self) -> AbstractContextManager[Connection]: ...


def migrate(database: _Database) -> None:
    """Take every step that is missing, in one transaction that waits for that of others."""
    with database.read() as connection:
        if _is_latest(connection):
            return
    with database.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
        if not _is_latest(connection):
            _upgrade(connection)


def version_of(connection: Connection) -> str | None:
    """The version that a database has; None where it has none of our tables."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    version = column("version_num", String)
    return connection.execute(
        select(version).select_from(table(VERSION_TABLE))
    ).scalar_one_or_none()


def _is_latest(connection: Connection) -> bool:
    version = version_of(connection)
    if version is not None and version > LATEST:
        raise DatabaseTooNew(
            f"the database was written by a later version of Gotgan: it has version {version} of "
            f"the tables, and this one knows {LATEST}; upgrade Gotgan"
        )
    return version == LATEST


def _upgrade(connection: Connection) -> None:
    """Have Alembic take the steps; it is loaded only where there are some to take."""
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "gotgan.sql:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, LATEST)
