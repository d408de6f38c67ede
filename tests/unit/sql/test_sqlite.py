"""The file that everything is in where no server is named, and the database in memory."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, func, insert, inspect, select, text

from gotgan.errors import DatabaseUnavailable
from gotgan.settings import Settings
from gotgan.sql import TICKS, Database
from gotgan.sql.migrations import LATEST, database_version

NOON = datetime(2025, 10, 20, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path / "data", synchronous="normal")


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    with Database.open(settings) as opened:
        yield opened


def _impatient(database: Database) -> None:
    """Let it not wait for others."""

    @event.listens_for(database.engine, "connect")
    def _(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA busy_timeout = 0")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _fill(database: Database) -> None:
    rows = [{"job": "x" * 5000, "at": NOON + n * HOUR, "status": "run"} for n in range(100)]
    with database.begin() as connection:
        connection.execute(insert(TICKS), rows)


def _pragma(database: Database, name: str) -> object:
    with database.read() as connection:
        return connection.execute(text(f"PRAGMA {name}")).scalar_one()


def test_only_its_owner_may_read_the_file_and_what_belongs_to_it(
    database: Database, settings: Settings
) -> None:
    mask = os.umask(0o022)
    try:
        with database.begin() as connection:
            connection.execute(text("CREATE TABLE any_table (x INTEGER)"))
            files = sorted(settings.data.iterdir())
            assert [_mode(path) for path in files] == [0o600] * 3, "the file, its log and its index"
        assert _mode(settings.data) == 0o700
    finally:
        os.umask(mask)


def test_nothing_is_made_before_it_is_needed(database: Database, settings: Settings) -> None:
    assert list(settings.data.iterdir()) == []
    database.prepare()
    assert settings.sqlite_file().exists()


def test_a_name_may_hold_what_an_address_may_not(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "50%?of#it & more", synchronous="normal")
    with Database.open(settings) as database:
        database.prepare()
    assert settings.sqlite_file().stat().st_size > 0


@pytest.mark.parametrize(("chosen", "level"), [("full", 2), ("normal", 1)])
def test_the_settings_say_how_it_writes(tmp_path: Path, chosen: str, level: int) -> None:
    settings = Settings.from_env({"GOTGAN_DATA": str(tmp_path), "GOTGAN_SYNCHRONOUS": chosen})
    with Database.open(settings) as database:
        assert _pragma(database, "synchronous") == level
        assert _pragma(database, "journal_mode") == "wal"


def test_readers_and_a_writer_do_not_wait_for_each_other(database: Database) -> None:
    _impatient(database)
    database.prepare()
    with database.begin() as writing, database.read() as reading:
        writing.execute(insert(TICKS), [{"job": "news", "at": NOON, "status": "run"}])
        assert reading.execute(select(func.count()).select_from(TICKS)).scalar_one() == 0


def test_a_second_writer_waits_at_its_beginning_and_is_told_when_it_was_too_long(
    database: Database,
) -> None:
    _impatient(database)
    database.prepare()
    begun = False

    def second() -> None:
        nonlocal begun
        with database.begin():
            begun = True

    with (
        database.begin(),
        pytest.raises(DatabaseUnavailable, match=r"gotgan\.sqlite3.*locked.*writing for too long"),
    ):
        second()
    assert not begun


def test_a_writer_waits_for_another_one(database: Database) -> None:
    database.prepare()
    with ThreadPoolExecutor(1) as pool:
        with database.begin() as connection:
            other = pool.submit(_fill, database)
            connection.execute(insert(TICKS), [{"job": "news", "at": NOON, "status": "run"}])
        other.result(timeout=30)


def test_whoever_writes_to_a_file_before_it_has_its_log_is_waited_for(
    database: Database, settings: Settings
) -> None:
    with closing(sqlite3.connect(settings.sqlite_file(), isolation_level=None)) as other:
        other.execute("CREATE TABLE any_table (x INTEGER)")
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO any_table VALUES (1)")
        with ThreadPoolExecutor(1) as pool:
            preparing = pool.submit(database.prepare)
            with pytest.raises(TimeoutError):
                preparing.result(timeout=0.1)
            other.execute("COMMIT")
            preparing.result(timeout=30)


def test_a_full_disk_is_told_of(database: Database) -> None:
    database.prepare()

    def filled() -> None:
        with database.begin() as connection:
            connection.execute(text("PRAGMA max_page_count = 1"))
            connection.execute(insert(TICKS), [{"job": "x" * 500_000, "at": NOON, "status": "run"}])

    with pytest.raises(DatabaseUnavailable, match=r"full\. Free space on its disk"):
        filled()


def test_a_file_that_is_no_database_is_told_of_and_left_as_it_is(settings: Settings) -> None:
    settings.sqlite_file().write_text("my diary, and no database at all" * 50)
    with (
        Database.open(settings) as database,
        pytest.raises(DatabaseUnavailable, match=r"not a database\. Restore it from a backup"),
    ):
        database.prepare()
    assert settings.sqlite_file().read_text().startswith("my diary")


def test_a_place_where_no_file_can_be_is_told_of(settings: Settings) -> None:
    settings.sqlite_file().mkdir(mode=0o755)
    with (
        Database.open(settings) as database,
        pytest.raises(DatabaseUnavailable, match=r"unable to open.*Give this user write access"),
    ):
        database.prepare()
    assert settings.sqlite_file().stat().st_mode & 0o777 == 0o755


def test_all_connections_in_use_is_told_of(database: Database) -> None:
    database.engine.pool._timeout = 0.01  # type: ignore[attr-defined] # noqa: SLF001 - or wait 30 s
    opened = [database.read() for _ in range(50)]
    try:
        for each in opened:
            each.__enter__()
        with pytest.raises(DatabaseUnavailable, match="All connections to the file"):
            database.leases.held("any")
    finally:
        for each in opened:
            each.__exit__(None, None, None)


def test_our_file_is_what_other_tools_read(database: Database, settings: Settings) -> None:
    database.prepare()
    database.leases.take("market:2025-10-20", HOUR, owner="me")
    with closing(sqlite3.connect(settings.sqlite_file())) as other:
        assert other.execute('SELECT "key", owner, fence FROM leases').fetchall() == [
            ("market:2025-10-20", "me", 1)
        ]


def test_a_database_in_memory_has_all_tables_by_the_same_steps() -> None:
    with Database.in_memory() as one, Database.in_memory() as other:
        one.prepare()
        with one.begin() as connection:
            connection.execute(insert(TICKS), [{"job": "news", "at": NOON, "status": "run"}])
        one.prepare()
        other.prepare()
        for database, count in ((one, 1), (other, 0)):
            with database.read() as connection:
                assert database_version(connection) == LATEST
                assert "stock_prices" in inspect(connection).get_table_names()
                found = connection.execute(select(func.count()).select_from(TICKS)).scalar_one()
                assert found == count


def test_the_threads_of_a_database_in_memory_take_turns() -> None:
    start = threading.Barrier(8)
    with Database.in_memory() as database:
        database.prepare()

        def take(number: int) -> None:
            start.wait()
            for turn in range(10):
                taken = database.leases.take(f"{number}:{turn}", HOUR)
                assert taken == database.leases.held(f"{number}:{turn}")

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(take, range(8)))
        with database.read() as connection:
            assert connection.execute(text("SELECT count(*) FROM leases")).scalar_one() == 80
