"""SQLAlchemy engines: SQLite as a private file or in memory, and PostgreSQL by psycopg."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool, StaticPool

from gotgan.errors import DatabaseReadOnly, SettingsError
from gotgan.settings import Secret
from gotgan.sql import messages
from gotgan.sqlite_files import enable_wal, is_read_only, make_private, read_only_uri

WRITES_OPTION: Final = "gotgan_writes"
"""The option of a connection that says whether its transactions write."""
_BUSY_TIMEOUT_S: Final = 30
_CONNECT_TIMEOUT_S: Final = 10
_POOL_SIZE: Final = 40
"""As many as a server has threads, because opening a connection is slow."""
_SESSION_SQL: Final = "SET TIME ZONE '{zone}'; SET lock_timeout = '30s'"
"""So that a time without a zone is the same in TIMESTAMP, TIMESTAMPTZ and now(), and a writer waits
as long as in SQLite."""


def file_engine(path: Path, synchronous: str) -> Engine:
    """A file; it is made at the first connection, and only its owner may read it."""
    reads = is_read_only(path)
    # Whether a read-only file is in use by others is checked again for each connection.
    pool: dict[str, Any] = {"poolclass": NullPool} if reads else {"pool_size": _POOL_SIZE}
    engine = create_engine(
        URL.create("sqlite", database=str(path)),
        hide_parameters=True,
        connect_args={"timeout": _BUSY_TIMEOUT_S},
        **pool,
    )
    event.listen(engine, "do_connect", _connect_reader if reads else _make_private)
    _manage_transactions(engine, None if reads else synchronous)
    return engine


def memory_engine() -> Engine:
    """A database on one connection, which all threads share."""
    engine = create_engine(
        "sqlite://",
        hide_parameters=True,
        poolclass=StaticPool,
        connect_args={"check_same_thread": False},
    )
    _manage_transactions(engine, "normal")
    return engine


def serialized_content(engine: Engine) -> bytes:
    """The whole content of a database in memory."""
    with engine.connect() as connection:
        return _driver(connection).serialize()


def load_content(engine: Engine, content: bytes) -> None:
    """Give a database in memory its content, unless it has some already."""
    with engine.connect() as connection:
        if not inspect(connection).get_table_names():
            connection.rollback()
            _driver(connection).deserialize(content)


def _driver(connection: Connection) -> sqlite3.Connection:
    return cast("sqlite3.Connection", connection.connection.driver_connection)


def _make_private(_dialect: Any, _record: Any, arguments: list[Any], _options: Any) -> None:
    make_private(Path(arguments[0]))


def _connect_reader(
    _dialect: Any, _record: Any, arguments: list[Any], options: dict[str, Any]
) -> Any:
    uri = read_only_uri(Path(arguments[0]), DatabaseReadOnly)
    return sqlite3.connect(uri, uri=True, **options)


def _manage_transactions(engine: Engine, synchronous: str | None) -> None:
    """Begin transactions explicitly: a writer waits at its beginning, not in its middle.

    ``synchronous`` is None where nothing can be written.
    """

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None
        if synchronous is not None:
            enable_wal(connection, _BUSY_TIMEOUT_S)
            connection.execute(f"PRAGMA synchronous = {synchronous}")

    @event.listens_for(engine, "invalidate")
    def roll_back(connection: sqlite3.Connection, _record: Any, _error: Any) -> None:
        # After Ctrl-C the traceback keeps the cursor, and SQLite keeps a closed connection with
        # its lock for as long as one of its cursors exists.
        if connection.in_transaction:
            connection.rollback()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES_OPTION, False)
        driver = _driver(connection)
        if connection.info.get(WRITES_OPTION) != writes:  # only then: it resets all statements
            driver.execute(f"PRAGMA query_only = {'off' if writes else 'on'}")
            connection.info[WRITES_OPTION] = writes
        if writes:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:  # by the driver, which is faster: this neither waits nor fails
            driver.execute("BEGIN")


def server_engine(address: Secret, zone: str) -> Engine:
    """A PostgreSQL server; an idle connection that broke is replaced."""
    try:
        engine = create_engine(
            _server_url(address),
            hide_parameters=True,
            pool_pre_ping=True,
            connect_args={"connect_timeout": _CONNECT_TIMEOUT_S},
        )
    except ImportError as missing:
        raise SettingsError(messages.NO_DRIVER()) from missing

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute(_SESSION_SQL.format(zone=zone))
        connection.commit()

    return engine


def _server_url(address: Secret) -> URL:
    """The address; an error does not repeat it, because a password may be in it."""
    try:
        url = make_url(address.reveal())
    except (ArgumentError, ValueError):
        url = None
    if url is None or "@" in (url.host or ""):
        raise SettingsError(messages.BAD_ADDRESS())
    return url.set(drivername="postgresql+psycopg")
