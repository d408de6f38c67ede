"""One database: a SQLite file, a PostgreSQL server, or one in memory for tests and trials."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any, Final, Self

from sqlalchemy import Connection, Engine, Select, Table

from gotgan.clock import Clock, SystemClock
from gotgan.settings import Settings
from gotgan.sql import postgres, sqlite
from gotgan.sql.adopting import AdoptedTable, complete
from gotgan.sql.glances import CompiledQuery
from gotgan.sql.leases import Leases
from gotgan.sql.metadata import keep_moments_in
from gotgan.sql.migrating import TryOut, is_latest, lock_tables, migrate, touch_version
from gotgan.sql.mishaps import told

__all__ = ["Database"]

_WRITING: Final[Mapping[str, Any]] = {sqlite.WRITES: True}
_READING: Final[Mapping[str, Mapping[str, Any]]] = {
    "sqlite": {sqlite.WRITES: False},
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}
"""What makes a transaction see one moment, and refuse to write, in each database."""


class Database:
    """A database; share one among all threads of a program."""

    def __init__(self, engine: Engine, clock: Clock, *, in_memory: bool = False) -> None:
        self.engine = engine
        self.leases = Leases(self, clock)
        self._is_in_memory = in_memory
        self._adopted: dict[str, AdoptedTable] = {}
        self._turn: AbstractContextManager[Any] = threading.RLock() if in_memory else nullcontext()

    @classmethod
    def open(cls, settings: Settings, clock: Clock | None = None) -> Self:
        """The database that the settings name; nothing is connected before it is needed."""
        if settings.database is None:
            engine = sqlite.file_engine(settings.sqlite_file(), settings.synchronous)
        else:
            engine = postgres.server_engine(settings.database, settings.timestamp_zone)
        keep_moments_in(engine, settings.timestamp_zone)
        return cls(engine, clock or SystemClock())

    @classmethod
    def in_memory(cls, clock: Clock | None = None) -> Self:
        """A database that goes with the process; its threads take turns."""
        return cls(sqlite.memory_engine(), clock or SystemClock(), in_memory=True)

    @property
    def is_postgres(self) -> bool:
        """Whether it is a PostgreSQL server."""
        return self.engine.dialect.name == "postgresql"

    def prepare(self, try_out: TryOut | None = None) -> None:
        """Bring the tables to the latest version; of many who do so at once one does.

        Tables that exist already are taken over with their rows, if ``try_out`` can write to them.
        """
        if self._is_in_memory:
            with self._turn, told(self.engine.url):
                sqlite.fill(self.engine, _prepared())
        else:
            self._adopted |= {each.name: each for each in migrate(self, try_out)}

    def adopt(self, connection: Connection, tables: Iterable[Table]) -> list[AdoptedTable]:
        """Add what tables lack, and tell what was added, by ``prepare`` too, and their rows."""
        lock_tables(connection)
        adopted = [complete(connection, table) for table in tables]
        return [each.after(self._adopted.get(each.name)) for each in adopted if each is not None]

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """A transaction that writes: all of it or nothing."""
        with self._transaction(_WRITING) as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads, and sees one moment."""
        with self._transaction(_READING[self.engine.dialect.name]) as connection:
            yield connection

    def glance(self, statement: Select[Any]) -> CompiledQuery:
        """A statement of which one value is wanted again and again, as quickly as can be."""
        return CompiledQuery(self.engine, self._turn, statement)

    def check(self) -> None:
        """Raise unless it can be read and written: a value is replaced by itself."""
        with self.begin() as connection:
            connection.execute(touch_version())

    def check_version(self) -> str | None:
        """Whether its tables are not of the version that this program needs."""
        with self.read() as connection:
            return None if is_latest(connection) else "outdated"

    def close(self) -> None:
        """Let go of files and connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self, options: Mapping[str, Any]) -> Iterator[Connection]:
        with self._turn, told(self.engine.url), self.engine.connect() as opened:
            connection = opened.execution_options(**options)
            with connection.begin():
                yield connection


@cache
def _prepared() -> bytes:
    """What all databases in memory begin with: the steps to it are taken once."""
    with Database(sqlite.memory_engine(), SystemClock(), in_memory=True) as database:
        migrate(database)
        return sqlite.content(database.engine)
