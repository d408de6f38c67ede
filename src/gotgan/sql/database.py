"""One database: a SQLite file, a PostgreSQL server, or one in memory for tests and trials."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import cache
from typing import Any, Final, Self

from sqlalchemy import Connection, Engine, Select, Table

from gotgan.clock import Clock, SystemClock
from gotgan.settings import Settings
from gotgan.sql import engines
from gotgan.sql.adoption import AdoptedTable, create_or_complete
from gotgan.sql.errors import translated_errors
from gotgan.sql.leases import Leases
from gotgan.sql.metadata import set_timestamp_zone
from gotgan.sql.migrations import WriteCheck, is_latest, lock_tables, migrate, touch_version

_WRITE_OPTIONS: Final[Mapping[str, Any]] = {engines.WRITES_OPTION: True}
_READ_OPTIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "sqlite": {engines.WRITES_OPTION: False},
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}
"""What makes a transaction see one snapshot, and refuse to write, in each database."""


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
        """The database that the settings name; it is connected on first use."""
        if settings.database is None:
            engine = engines.file_engine(settings.sqlite_file(), settings.synchronous)
        else:
            engine = engines.server_engine(settings.database, settings.timestamp_zone)
        set_timestamp_zone(engine, settings.timestamp_zone)
        return cls(engine, clock or SystemClock())

    @classmethod
    def in_memory(cls, clock: Clock | None = None) -> Self:
        """A database that ends with the process; its threads take turns."""
        return cls(engines.memory_engine(), clock or SystemClock(), in_memory=True)

    def prepare(self, check_writes: WriteCheck | None = None) -> None:
        """Migrate the tables to the latest version; of several processes one does.

        Tables that exist already are adopted with their rows, if ``check_writes`` can write to
        them.
        """
        if self._is_in_memory:
            with self._turn, translated_errors(self.engine.url):
                engines.load_content(self.engine, _empty_content())
        else:
            self._adopted |= {each.name: each for each in migrate(self, check_writes)}

    def adopt(self, connection: Connection, tables: Iterable[Table]) -> list[AdoptedTable]:
        """Add what tables lack; return their rows and what was added, by ``prepare`` too."""
        lock_tables(connection)
        adopted = [create_or_complete(connection, table) for table in tables]
        return [each.after(self._adopted.get(each.name)) for each in adopted if each is not None]

    def begin(self) -> AbstractContextManager[Connection]:
        """A transaction that writes: all of it or nothing."""
        return self._transaction(_WRITE_OPTIONS)

    def read(self) -> AbstractContextManager[Connection]:
        """A transaction that only reads, and sees one snapshot."""
        return self._transaction(_READ_OPTIONS[self.engine.dialect.name])

    @contextmanager
    def _transaction(self, options: Mapping[str, Any]) -> Iterator[Connection]:
        with self._turn, translated_errors(self.engine.url), self.engine.connect() as opened:
            connection = opened.execution_options(**options)
            with connection.begin():
                yield connection

    def compiled_query(self, statement: Select[Any]) -> CompiledQuery:
        """A statement of which one value is read very often."""
        return CompiledQuery(self.engine, self._turn, statement)

    def check(self) -> None:
        """Raise unless it can be read and written: a value is replaced by the same one."""
        with self.begin() as connection:
            connection.execute(touch_version())

    def check_version(self) -> str | None:
        """Return ``outdated`` where the tables are not of the version that this program needs."""
        with self.read() as connection:
            return None if is_latest(connection) else "outdated"

    def close(self) -> None:
        """Close files and connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class CompiledQuery:
    """A statement that SQLAlchemy compiles once and the driver runs; safe for all threads.

    A transaction of SQLAlchemy takes eight times as long as the query of one value.
    """

    def __init__(
        self, engine: Engine, turn: AbstractContextManager[Any], statement: Select[Any]
    ) -> None:
        compiled = statement.compile(dialect=engine.dialect)
        self._engine = engine
        self._turn = turn
        self._text = str(compiled)
        self._defaults = dict(compiled.params)
        self._positions = compiled.positiontup

    def value(self, **values: Any) -> Any:
        """The first value of the first row; None where there is none, or where the driver fails.

        A caller that gets None reads in the usual way, which raises the error.
        """
        named = self._defaults | values
        parameters: Any = named
        if self._positions is not None:
            parameters = [named[name] for name in self._positions]
        engine = self._engine
        with self._turn, translated_errors(engine.url), closing(engine.raw_connection()) as opened:
            try:
                with closing(opened.cursor()) as cursor:
                    cursor.execute(self._text, parameters)
                    row = cursor.fetchone()
            except engine.dialect.loaded_dbapi.Error:
                return None
        return None if row is None else row[0]


@cache
def _empty_content() -> bytes:
    """The initial content of all databases in memory: they are migrated once."""
    with Database(engines.memory_engine(), SystemClock(), in_memory=True) as database:
        migrate(database)
        return engines.serialized_content(database.engine)
