"""The versions of the tables, and the migration of a database to the latest one.

A step that was released never changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, String, Update, column, func, inspect, select, table, update

from gotgan.errors import DatabaseTooNew
from gotgan.sql import messages
from gotgan.sql.adoption import AdoptedTable

if TYPE_CHECKING:
    from gotgan.sql.database import Database

LATEST: Final = "0008"
"""The version that this code works with; versions are numbers, and the larger is the later one."""
VERSION_TABLE: Final = "gotgan_version"
"""Where a database keeps its version: not in Alembic's own table, which other programs use too."""

WriteCheck = Callable[[Connection, set[str]], None]
"""Writes to the tables of these names as the program does, and rolls it back."""
_VERSIONS: Final = table(VERSION_TABLE, column("version_num", String))
_MIGRATION_LOCK_ID: Final = 0x676F7467616E  # the same in every process


def migrate(database: Database, check_writes: WriteCheck | None = None) -> list[AdoptedTable]:
    """Take every step that is missing, in one transaction; other processes wait for it.

    The tables that existed already are returned, with what was added to them; ``check_writes`` sees
    them first, and nothing is changed if it raises.
    """
    with database.read() as connection:
        if is_latest(connection):
            return []
    with database.begin() as connection:
        lock_tables(connection)
        adopted = [] if is_latest(connection) else _upgrade(connection)
        if adopted and check_writes is not None:
            check_writes(connection, {each.name for each in adopted})
        return adopted


def lock_tables(connection: Connection) -> None:
    """Wait for others who change the tables; a transaction that writes to SQLite has waited."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_MIGRATION_LOCK_ID)))


def database_version(connection: Connection) -> str | None:
    """The version of a database; None where it has no tables of Gotgan."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    return connection.execute(select(_VERSIONS.c.version_num)).scalar_one_or_none()


def touch_version() -> Update:
    """A write that changes nothing."""
    return update(_VERSIONS).values(version_num=_VERSIONS.c.version_num)


def is_latest(connection: Connection) -> bool:
    """Whether the tables have the version that this program needs."""
    version = database_version(connection)
    if version is not None and version > LATEST:
        raise DatabaseTooNew(messages.TOO_NEW(found=version, latest=LATEST))
    return version == LATEST


def _upgrade(connection: Connection) -> list[AdoptedTable]:
    """Run the steps with Alembic, which is loaded only if there are some."""
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "gotgan.sql:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    config.attributes["adopted"] = adopted = list[AdoptedTable]()
    command.upgrade(config, LATEST)
    return adopted
