"""Bringing databases to the latest version of their tables."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import insert, inspect, select, text

import gotgan.domains.market.keys
import gotgan.domains.videos.tables  # noqa: F401 - the domains declare their tables by it
from gotgan.errors import DatabaseTooNew, TableUnusable
from gotgan.settings import Settings
from gotgan.sql import METADATA, TICKS, Database
from gotgan.sql.migrations import LATEST, VERSION_TABLE, database_version

NOON = datetime(2025, 10, 20, 8, tzinfo=UTC)
_PROGRAM = """
import multiprocessing
from datetime import timedelta
from alembic import command
from gotgan.settings import Settings
from gotgan.sql import Database

settings = Settings.from_env()
Database.open(settings).close()  # so that all modules are there before the others start
forking = multiprocessing.get_context("fork")
start, said = forking.Barrier(4), forking.SimpleQueue()

def work():
    with Database.open(settings) as database:
        start.wait()
        database.prepare()
        taken = database.leases.take("market:2025-10-20", timedelta(hours=1))
    said.put("none" if taken is None else f"fence {taken.fence}")

processes = [forking.Process(target=work) for _ in range(4)]
for process in processes:
    process.start()
for process in processes:
    process.join()
print(sorted(said.get() for process in processes if process.exitcode == 0))
"""


def _version(database: Database) -> str | None:
    with database.read() as connection:
        return database_version(connection)


def _set_version(database: Database, version: str) -> None:
    with database.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{version}'"))


def _tables(database: Database) -> set[str]:
    with database.read() as connection:
        return {each for each in inspect(connection).get_table_names() if not _is_tokens(each)}


def _is_tokens(table: str | None) -> bool:
    """Whether it is the index of the search, which each database has in its own form."""
    return str(table).startswith("search_index")


def test_an_empty_database_gets_all_tables(empty_database: Database) -> None:
    assert (_version(empty_database), _tables(empty_database)) == (None, set())
    empty_database.prepare()
    assert _version(empty_database) == LATEST
    assert _tables(empty_database) == {*METADATA.tables, VERSION_TABLE}


def test_the_steps_lead_to_the_tables_as_they_are_declared(empty_database: Database) -> None:
    empty_database.prepare()
    options = {
        "version_table": VERSION_TABLE,
        "compare_type": True,
        "compare_server_default": True,
        "include_name": lambda name, kind, _: kind != "table" or not _is_tokens(name),
    }
    with empty_database.begin() as connection:
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, METADATA) == []


def test_the_latest_version_is_where_the_steps_end() -> None:
    config = Config()
    config.set_main_option("script_location", "gotgan.sql:migrations")
    config.set_main_option("path_separator", "os")
    steps = ScriptDirectory.from_config(config)
    assert steps.get_heads() == [LATEST]
    numbers = [step.revision for step in reversed(list(steps.walk_revisions()))]
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_ticks_of_an_older_version_stay_and_say_that_nobody_measured_them(
    empty_database: Database,
) -> None:
    _take_steps(empty_database, "0002")
    with empty_database.begin() as connection:
        columns = {each["name"] for each in inspect(connection).get_columns("ticks")}
        connection.execute(insert(TICKS).values(job="news.collect", at=NOON, status="done"))
    empty_database.prepare()
    added = {column.name for column in TICKS.columns} - columns
    assert added == {"started_at", "reads", "writes"}
    with empty_database.read() as connection:
        [row] = connection.execute(select(TICKS)).mappings()
    assert (row["job"], row["at"], row["status"]) == ("news.collect", NOON, "done")
    assert {row[name] for name in added} == {None}


def _take_steps(database: Database, version: str) -> None:
    """Bring an empty database to an older version."""
    config = Config()
    config.set_main_option("script_location", "gotgan.sql:migrations")
    config.set_main_option("path_separator", "os")
    with database.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)


def test_to_prepare_once_more_changes_nothing(database: Database) -> None:
    taken = database.leases.take("market:2025-10-20", timedelta(hours=1))
    database.prepare()
    assert database.leases.held("market:2025-10-20") == taken


def test_a_database_of_a_later_version_is_refused_and_left_as_it_is(database: Database) -> None:
    _set_version(database, "0999")
    with pytest.raises(DatabaseTooNew, match=rf"0999.*up to {LATEST}\. Upgrade Gotgan"):
        database.prepare()
    assert _version(database) == "0999"


def test_a_step_that_fails_leaves_nothing_behind(empty_database: Database) -> None:
    with empty_database.begin() as connection:
        connection.execute(text("CREATE TABLE indicator_states (ticker INTEGER)"))
    with pytest.raises(TableUnusable, match="table indicator_states has the type INTEGER"):
        empty_database.prepare()
    assert _tables(empty_database) == {"indicator_states"}


def test_the_tables_can_stand_beside_those_of_another_program(empty_database: Database) -> None:
    with empty_database.begin() as connection:  # as Airflow has it, in its own database
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('e79fc784f145')"))
    empty_database.prepare()
    assert _version(empty_database) == LATEST
    with empty_database.read() as connection:
        theirs = connection.execute(text("SELECT version_num FROM alembic_version")).scalars()
        assert list(theirs) == ["e79fc784f145"]


def test_of_four_processes_that_start_at_once_one_prepares_it_and_one_takes_the_lease(
    empty_settings: Settings, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        env=_environment(empty_settings),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.stderr, done.stdout) == ("", "['fence 1', 'none', 'none', 'none']\n")
    with Database.open(empty_settings) as database:
        assert _version(database) == LATEST


def _environment(settings: Settings) -> dict[str, str]:
    chosen = {"GOTGAN_DATA": str(settings.data)}
    if settings.database is not None:
        chosen["GOTGAN_DATABASE"] = settings.database.reveal()
    return {**os.environ, **chosen}
