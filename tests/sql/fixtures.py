"""The fixtures of the relational side; a package that wants them imports them in its conftest."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.clock import FixedClock
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.programs import Unavailable
from tests.sql.servers import Postgres, running_postgres

__all__ = [
    "clock",
    "database",
    "database_settings",
    "empty_database",
    "empty_settings",
    "postgres",
    "prepared_file",
]

KINDS = ["sqlite", "postgres"]


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves: the first tick of the document's Monday, 17:00 in Seoul."""
    return FixedClock(datetime(2025, 10, 20, 8, tzinfo=UTC))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server; skipped where none can be had."""
    try:
        with running_postgres() as server:
            yield server
    except Unavailable as error:
        # Skip on a machine without it; where every check counts, that is a failure.
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def prepared_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables, to be copied."""
    settings = _on_a_file(tmp_path_factory.mktemp("prepared"))
    with Database.open(settings) as database:
        database.prepare()
    return settings.sqlite_file()


@pytest.fixture(params=KINDS)
def database_settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings that name a database of the test's own, with all tables; each database in turn."""
    if request.param == "sqlite":
        settings = _on_a_file(tmp_path / "data")
        shutil.copy(request.getfixturevalue("prepared_file"), settings.sqlite_file())
        yield settings
    else:
        with _of_server(request, prepared=True) as settings:
            yield settings


@pytest.fixture(params=KINDS)
def empty_settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    """Settings that name a database of the test's own, without a table; each database in turn."""
    if request.param == "sqlite":
        yield _on_a_file(tmp_path / "data")
    else:
        with _of_server(request, prepared=False) as settings:
            yield settings


@pytest.fixture
def database(database_settings: Settings, clock: FixedClock) -> Iterator[Database]:
    """A database with all tables; each kind in turn."""
    with Database.open(database_settings, clock) as opened:
        yield opened


@pytest.fixture
def empty_database(empty_settings: Settings, clock: FixedClock) -> Iterator[Database]:
    """A database without a table; each kind in turn."""
    with Database.open(empty_settings, clock) as opened:
        yield opened


def _on_a_file(folder: Path) -> Settings:
    return Settings(data=folder, synchronous="normal")


@contextmanager
def _of_server(request: pytest.FixtureRequest, *, prepared: bool) -> Iterator[Settings]:
    server: Postgres = request.getfixturevalue("postgres")
    with server.fresh(prepared=prepared) as settings:
        yield settings
