"""Tables that exist before Gotgan is started for the first time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import inspect

from gotgan.domains.market.keys import ALL_TABLES, COLLECTION_LOG
from gotgan.domains.videos.adoption import TABLES
from gotgan.errors import DatabaseUnavailable, TableUnusable
from gotgan.settings import Secret, Settings
from gotgan.sql import AdoptedTable, Database
from tests.sql.foreign import ANALYSIS, LOGS, ask, create, run
from tests.sql.killed import environment, is_killed
from tests.sql.servers import Postgres

_ROWS = """
INSERT INTO collection_log (date, collection_date, price_status, overall_status)
VALUES ('2025-10-17', '2025-10-17', 'success', 'success'), ('2025-10-20', '2025-10-20', NULL, NULL);
INSERT INTO indicator_log (date, indicator_date, status)
VALUES ('2025-10-17', '2025-10-17', 'success');
"""
_AT_ONCE = """
import multiprocessing
from gotgan.domains.market.keys import ALL_TABLES
from gotgan.settings import Settings
from gotgan.sql import Database

settings = Settings.from_env()
forking = multiprocessing.get_context("fork")
start, done = forking.Barrier(4), forking.SimpleQueue()

def work():
    with Database.open(settings) as database:
        start.wait()
        database.prepare()
        with database.begin() as connection:
            done.put([each.rows for each in database.adopt(connection, ALL_TABLES)][:2])

processes = [forking.Process(target=work) for _ in range(4)]
for process in processes:
    process.start()
for process in processes:
    process.join()
print([done.get() for process in processes if process.exitcode == 0])
"""


def _adopt(settings: Settings, *, market: bool = True) -> dict[str, AdoptedTable]:
    with Database.open(settings) as database:
        database.prepare()
        with database.begin() as connection:
            adopted = database.adopt(connection, ALL_TABLES if market else TABLES)
    return {each.name: each for each in adopted}


def _columns(settings: Settings, table: str) -> set[str]:
    with Database.open(settings) as database, database.read() as connection:
        return {each["name"] for each in inspect(connection).get_columns(table)}


def _tables(settings: Settings) -> set[str]:
    with Database.open(settings) as database, database.read() as connection:
        return set(inspect(connection).get_table_names())


def test_tables_of_the_document_are_completed_and_keep_their_rows(empty_settings: Settings) -> None:
    create(empty_settings, LOGS)
    run(empty_settings, _ROWS)
    before = ask(empty_settings, "SELECT id, date, price_status, started_at FROM collection_log")
    adopted = _adopt(empty_settings)
    log = adopted["collection_log"]
    assert (log.rows, log.indexes) == (2, ())
    assert set(log.columns) == {
        "price_attempts",
        "price_attempted_at",
        "price_provider",
        "indices_attempts",
        "indices_attempted_at",
        "indices_provider",
        "finalised_at",
    }
    assert adopted["indicator_log"].columns == ("attempts", "attempted_at")
    assert adopted["stocks"] == AdoptedTable("stocks", 0)
    after = ask(empty_settings, "SELECT id, date, price_status, started_at FROM collection_log")
    assert after == before


def test_to_adopt_once_more_adds_nothing(empty_settings: Settings) -> None:
    create(empty_settings, LOGS + ANALYSIS)
    run(empty_settings, _ROWS)
    _adopt(empty_settings)
    for market in (True, False):
        for each in _adopt(empty_settings, market=market).values():
            assert (each.columns, each.indexes) == ((), ())


def test_tables_of_analyses_are_completed(empty_settings: Settings) -> None:
    create(empty_settings, ANALYSIS)
    adopted = _adopt(empty_settings, market=False)
    assert "cache_key" in adopted["analysis_jobs"].columns
    assert "uq_analysis_jobs_open" in adopted["analysis_jobs"].indexes
    results = adopted["analysis_results"].indexes
    assert "ix_analysis_results_video_id_analysis_version" not in results  # by another name
    assert adopted["video_snapshots"].columns[0] == "snapshot_id"
    assert "uq_video_snapshots_snapshot_id" in adopted["video_snapshots"].indexes


def test_the_authors_own_inserts_still_work(empty_settings: Settings) -> None:
    create(empty_settings, LOGS + ANALYSIS)
    _adopt(empty_settings)
    run(empty_settings, _ROWS)
    for job in ("one", "two"):  # for one video at once, as before
        run(
            empty_settings,
            "INSERT INTO analysis_jobs (job_id, video_id, status) "
            f"VALUES ('{job}', 'dQw4w9WgXcQ', 'queued')",
        )
    assert ask(empty_settings, "SELECT COUNT(*) FROM analysis_jobs") == [(2,)]


def test_a_missing_unique_key_is_added(empty_settings: Settings) -> None:
    create(empty_settings, LOGS.replace("UNIQUE(date)", "note TEXT"))
    run(empty_settings, _ROWS)
    adopted = _adopt(empty_settings)
    assert adopted["collection_log"].indexes == ("uq_collection_log_date",)
    with pytest.raises(Exception, match=r"(?i)unique"):
        run(empty_settings, _ROWS)


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        (
            LOGS.replace("price_count INTEGER", "price_count TEXT"),
            "price_count of table collection_log has the type TEXT, but Gotgan needs INTEGER",
        ),
        (
            LOGS.replace("price_completed_at TIMESTAMP", "price_completed_at INTEGER"),
            "completed_at of table collection_log has the type INTEGER, but Gotgan needs [DT]",
        ),
        (
            LOGS.replace("UNIQUE(date)", "region TEXT NOT NULL"),
            "Column region of table collection_log is NOT NULL without a default",
        ),
        (
            LOGS.replace("UNIQUE(date)", "note TEXT") + _ROWS + _ROWS,
            "Table collection_log has several rows with date 2025-10-",
        ),
        (
            LOGS.replace("date DATE NOT NULL,", "date DATE,", 1)
            + "INSERT INTO collection_log (collection_date) VALUES ('2025-10-20')",
            "Table collection_log has 1 row without date, which Gotgan needs",
        ),
        (
            """
            CREATE TABLE stock_prices (date DATE, ticker TEXT);
            INSERT INTO stock_prices VALUES ('2025-10-20', '005930')
            """,
            "Table stock_prices has 1 row but no column market, which Gotgan needs in every row",
        ),
        (
            "CREATE VIEW collection_log AS SELECT 1 AS id",
            "collection_log is a view, but Gotgan needs a table",
        ),
    ],
)
def test_what_cannot_be_used_is_named_and_nothing_changes(
    empty_settings: Settings, statements: str, words: str
) -> None:
    create(empty_settings, statements)
    before = _tables(empty_settings)
    shown = {name: _columns(empty_settings, name) for name in before}
    with pytest.raises(TableUnusable, match=words):
        _adopt(empty_settings)
    assert {name: _columns(empty_settings, name) for name in _tables(empty_settings)} == shown


def test_an_extra_column_with_a_default_stays(empty_settings: Settings) -> None:
    create(empty_settings, LOGS.replace("UNIQUE(date)", "region TEXT NOT NULL DEFAULT 'KR'"))
    run(empty_settings, _ROWS)
    _adopt(empty_settings)
    assert set(ask(empty_settings, "SELECT region FROM collection_log")) == {("KR",)}


def test_whoever_dies_in_the_middle_leaves_the_tables_as_they_were(
    empty_settings: Settings,
) -> None:
    create(empty_settings, LOGS)
    run(empty_settings, _ROWS)
    before = ask(empty_settings, "SELECT * FROM collection_log ORDER BY id")
    for number in (1, 5, 9):
        assert is_killed(empty_settings, "prepare", "ALTER TABLE", number)
        assert ask(empty_settings, "SELECT * FROM collection_log ORDER BY id") == before
    adopted = _adopt(empty_settings)
    assert (adopted["collection_log"].rows, len(adopted["collection_log"].columns)) == (2, 7)


def test_of_several_at_once_all_succeed(empty_settings: Settings) -> None:
    create(empty_settings, LOGS)
    run(empty_settings, _ROWS)
    ended = subprocess.run(
        [sys.executable, "-c", _AT_ONCE],
        env=environment(empty_settings),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.stdout.strip() == str([[2, 1]] * 4), ended.stderr


def test_a_value_of_sqlite_that_is_not_a_date_is_named(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    create(settings, LOGS)
    run(settings, "INSERT INTO collection_log (date, collection_date) VALUES ('monday', 'monday')")
    with pytest.raises(TableUnusable, match="Column date of table collection_log contains a value"):
        _adopt(settings)


def test_sqlite_numbers_only_rows_of_an_integer_key(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    run(settings, LOGS.replace("DEFAULT NOW()", ""))
    with pytest.raises(
        TableUnusable, match="Column id of table collection_log has the type NUMERIC"
    ):
        _adopt(settings)


@pytest.fixture
def server_settings(postgres: Postgres, tmp_path: Path) -> Iterator[Settings]:
    """Settings that name an empty database of PostgreSQL."""
    with postgres.fresh(prepared=False) as settings:
        yield replace(settings, data=tmp_path)


def test_a_time_with_a_zone_is_read_as_that_moment(server_settings: Settings) -> None:
    create(server_settings, LOGS.replace(" TIMESTAMP", " TIMESTAMPTZ"))
    run(
        server_settings,
        "INSERT INTO collection_log (date, collection_date, started_at) "
        "VALUES ('2025-10-20', '2025-10-20', '2025-10-20 17:00:00+09')",
    )
    _adopt(server_settings)
    with Database.open(server_settings) as database, database.read() as connection:
        row = connection.execute(COLLECTION_LOG.select()).one()
    assert row.started_at.isoformat() == "2025-10-20T08:00:00+00:00"


def test_text_that_is_too_short_does_not_fit(server_settings: Settings) -> None:
    create(server_settings, ANALYSIS.replace("job_id VARCHAR(36)", "job_id VARCHAR(20)"))
    with pytest.raises(TableUnusable, match=r"type VARCHAR\(20\), but Gotgan needs VARCHAR\(32\)"):
        _adopt(server_settings)


def test_a_schema_keeps_all_tables_apart(server_settings: Settings) -> None:
    create(server_settings, LOGS.replace("price_count INTEGER", "price_count TEXT"))
    address = server_settings.database
    assert address is not None
    mark = "&" if "?" in address.reveal() else "?"
    named = Secret(f"{address.reveal()}{mark}options=-csearch_path%3Dgotgan")
    apart = Settings(data=server_settings.data, database=named)
    with pytest.raises(DatabaseUnavailable, match="CREATE SCHEMA"):
        _adopt(apart)
    run(server_settings, "CREATE SCHEMA gotgan")
    _adopt(apart)
    schemas = ask(
        server_settings,
        "SELECT table_schema, COUNT(*) FROM information_schema.tables "
        "WHERE table_schema IN ('gotgan', 'public') GROUP BY 1 ORDER BY 1",
    )
    assert schemas[0][1] > 20
    assert schemas[1] == ("public", 2)
    assert ("gotgan_version",) in ask(
        server_settings,
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'gotgan'",
    )
