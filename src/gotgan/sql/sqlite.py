"""SQLite, as we open it: a file of its owner alone, with a log ahead and transactions by hand."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any, Final, cast

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect
from sqlalchemy.pool import NullPool, StaticPool

from gotgan.errors import DatabaseReadOnly
from gotgan.sqlite_files import address, is_read_only, make_private, stranded_log

__all__ = ["WRITES", "content", "file_engine", "fill", "memory_engine"]

WRITES: Final = "gotgan_writes"
"""The option of a connection that says whether its transactions write."""
_PATIENCE: Final = 30
"""How many seconds a writer waits for another one."""
_PAUSE: Final = 0.01
_KEPT: Final = 40
"""How many connections stay open: as many as a server has threads, for to open one is slow."""


def file_engine(path: Path, synchronous: str) -> Engine:
    """A file; it is made at the first connection, and only its owner may read it."""
    url = URL.create("sqlite", database=str(path))
    reads = is_read_only(path)
    # Whether a read-only file is in use by others is asked again for each connection.
    pool: dict[str, Any] = {"poolclass": NullPool} if reads else {"pool_size": _KEPT}
    engine = create_engine(url, hide_parameters=True, connect_args={"timeout": _PATIENCE}, **pool)
    event.listen(engine, "do_connect", _connect_reader if reads else _make_private)
    _by_hand(engine, None if reads else synchronous)
    return engine


def memory_engine() -> Engine:
    """A database on one connection, which all threads share."""
    engine = create_engine(
        "sqlite://",
        hide_parameters=True,
        poolclass=StaticPool,
        connect_args={"check_same_thread": False},
    )
    _by_hand(engine, "normal")
    return engine


def content(engine: Engine) -> bytes:
    """All that a database in memory holds."""
    with engine.connect() as connection:
        return _driver(connection).serialize()


def fill(engine: Engine, content: bytes) -> None:
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
    path = Path(arguments[0])
    if (log := stranded_log(path)) is not None:
        raise DatabaseReadOnly(
            f"{path} is read-only, and its newest writes are still in {log.name}, which cannot be "
            "read without write access. Copy the folder to a place that you can write."
        )
    return sqlite3.connect(address(path), uri=True, **options)


def _by_hand(engine: Engine, synchronous: str | None) -> None:
    """Begin transactions ourselves: a writer waits at its beginning, not in its middle.

    ``synchronous`` is None where nothing can be written.
    """

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _record: Any) -> None:
        connection.isolation_level = None
        if synchronous is not None:
            _log_ahead(connection)
            connection.execute(f"PRAGMA synchronous = {synchronous}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        driver = _driver(connection)
        if connection.info.get(WRITES) != writes:  # else left: it makes all statements anew
            driver.execute(f"PRAGMA query_only = {'off' if writes else 'on'}")
            connection.info[WRITES] = writes
        if writes:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:  # by the driver: this waits for nobody and cannot fail, and a read is short
            driver.execute("BEGIN")


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log; SQLite does not wait by itself for others to let go."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return
