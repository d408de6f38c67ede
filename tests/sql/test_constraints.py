"""Tables of another program whose constraints refuse what Gotgan writes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import inspect

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.errors import TableUnusable
from gotgan.settings import Settings
from gotgan.sql import Database
from gotgan.store import Store
from tests.sql.foreign import ANALYSIS, ANALYSIS_ROWS, LOGS, ask, create, run
from tests.sql.servers import Postgres

_DAY = "INSERT INTO collection_log (date, collection_date) VALUES ('2025-10-20', '2025-10-20')"
_STATUSES = "status IN ('pending', 'success', 'failed', 'retrying')"
_PARENT = "CREATE TABLE my_videos (id VARCHAR(20) PRIMARY KEY);"


def _app(settings: Settings) -> App:
    clock = FixedClock(datetime(2025, 10, 20, 8, tzinfo=UTC))
    return App(settings, Store.in_memory(clock=clock))


def _shape(settings: Settings) -> dict[str, list[str]]:
    """All tables with their columns."""
    with Database.open(settings) as database, database.read() as connection:
        found = inspect(connection)
        tables = found.get_table_names()
        return {each: [column["name"] for column in found.get_columns(each)] for each in tables}


REFUSED = [
    (
        LOGS.replace(
            "UNIQUE(date)", "UNIQUE(date), CONSTRAINT two CHECK (price_status IN ('success'))", 1
        ),
        "Table collection_log does not accept the rows that Gotgan writes: .*two",
    ),
    (
        LOGS.replace(
            "UNIQUE(date)",
            "UNIQUE(date), CONSTRAINT few CHECK (price_count IS NOT NULL OR price_retry_count < 3)",
            1,
        ),
        "Table collection_log does not accept the rows that Gotgan writes: .*few",
    ),
    (
        LOGS.replace(
            "    status VARCHAR(20),",
            "    status VARCHAR(20) CONSTRAINT ends CHECK (status IN ('success', 'failed')),",
        ),
        "Table indicator_log does not accept the rows that Gotgan writes: .*ends",
    ),
    (
        LOGS.replace("price_count INTEGER", "price_count INTEGER NOT NULL"),
        "Table collection_log does not accept the rows that Gotgan writes: .*price_count",
    ),
    (
        LOGS.replace("    error_message TEXT,", "    error_message TEXT NOT NULL DEFAULT '',"),
        "Table indicator_log does not accept the rows that Gotgan writes: .*error_message",
    ),
    (
        ANALYSIS.replace(
            "error_code VARCHAR(50)",
            "error_code VARCHAR(50) CONSTRAINT mine CHECK (error_code IN ('ANALYSIS_TIMEOUT'))",
        ),
        "Table analysis_jobs does not accept the rows that Gotgan writes: .*mine",
    ),
    (
        _PARENT
        + ANALYSIS.replace(
            "video_id VARCHAR(20) NOT NULL", "video_id VARCHAR(20) REFERENCES my_videos(id)", 1
        ),
        "Table analysis_jobs does not accept the rows that Gotgan writes: .*(my_videos|_fkey)",
    ),
    (
        _PARENT
        + ANALYSIS.replace(
            "video_id VARCHAR(20) NOT NULL",
            "video_id VARCHAR(20) REFERENCES my_videos(id) DEFERRABLE INITIALLY DEFERRED",
            1,
        ),
        "does not accept the rows that Gotgan writes: .*(my_videos|_fkey)",
    ),
    (
        ANALYSIS.replace(
            "schema_version INTEGER NOT NULL",
            "schema_version INTEGER NOT NULL CONSTRAINT one CHECK (schema_version = 1)",
        ),
        "Table analysis_results does not accept the rows that Gotgan writes: .*one",
    ),
]


@pytest.mark.parametrize(("statements", "words"), REFUSED)
def test_a_constraint_that_refuses_our_rows_is_named_and_nothing_changes(
    empty_settings: Settings, statements: str, words: str
) -> None:
    create(empty_settings, statements)
    before = _shape(empty_settings)
    with _app(empty_settings) as app, pytest.raises(TableUnusable, match=words):
        _ = app.database
    assert _shape(empty_settings) == before


@pytest.mark.parametrize(
    ("constraint", "verb"),
    [
        ("collection_log ADD CONSTRAINT late CHECK (overall_status <> 'partial')", "market"),
        ("analysis_jobs ADD CONSTRAINT late CHECK (progress < 50)", "videos"),
    ],
)
def test_adopt_names_a_constraint_that_was_added_later(
    postgres: Postgres, constraint: str, verb: str
) -> None:
    with postgres.fresh(prepared=True) as settings, _app(settings) as app:
        assert getattr(app, verb).adopt()
        run(settings, f"ALTER TABLE {constraint}")
        with pytest.raises(TableUnusable, match="late"):
            getattr(app, verb).adopt()


def test_constraints_that_our_rows_keep_are_no_obstacle(empty_settings: Settings) -> None:
    strict = LOGS + ANALYSIS
    for loose, tight in {
        "DEFAULT 0": "NOT NULL DEFAULT 0",
        "TIMESTAMP DEFAULT": "TIMESTAMP NOT NULL DEFAULT",
        "    status VARCHAR(20),": f"    status VARCHAR(20) NOT NULL CHECK ({_STATUSES}),",
        "progress INTEGER": "progress INTEGER NOT NULL DEFAULT 0 CHECK (progress <= 100)",
        "BOOLEAN DEFAULT": "BOOLEAN NOT NULL DEFAULT",
    }.items():
        strict = strict.replace(loose, tight)
    create(empty_settings, strict)
    rows = ANALYSIS_ROWS.replace("100, NULL, NULL, NULL, NULL", "100, NULL, NULL, NULL, FALSE")
    run(empty_settings, rows.replace("'queued', NULL", "'queued', 0") + ";" + _DAY)
    logged = ask(empty_settings, "SELECT * FROM collection_log")
    with _app(empty_settings) as app:
        app.market.adopt()
        app.videos.adopt()
        app.market.open_day(datetime(2025, 10, 17, tzinfo=UTC).date())
    assert ask(empty_settings, "SELECT COUNT(*) FROM analysis_jobs") == [(5,)]
    assert ask(empty_settings, "SELECT COUNT(*) FROM analysis_results") == [(2,)]
    assert ask(empty_settings, "SELECT COUNT(*) FROM indicator_log") == [(0,)]
    [day] = [row for row in ask(empty_settings, "SELECT * FROM collection_log") if row[0] == 1]
    assert day[: len(logged[0])] == logged[0]


def test_rows_that_reference_nothing_already_are_no_obstacle(tmp_path: Path) -> None:
    """SQLite does not check references unless a program wants it."""
    settings = Settings(data=tmp_path)
    own = "own TEXT REFERENCES my_videos(id)"
    create(settings, _PARENT + ANALYSIS.replace("channel_id VARCHAR(64)", own))
    run(settings, "INSERT INTO video_snapshots (video_id, own) VALUES ('abcdefghijk', 'gone')")
    with _app(settings) as app:
        assert app.videos.adopt().tables
