"""Tables that an author had before Gotgan, and the author's own way to them: the driver alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg

from gotgan.settings import Settings

__all__ = ["ANALYSIS", "LOGS", "ask", "create", "run"]

LOGS = """
CREATE TABLE collection_log (
    id SERIAL PRIMARY KEY,
    date DATE NOT NULL,
    collection_date DATE NOT NULL,  -- 실제 수집된 날짜

    -- 주가 상태
    price_status VARCHAR(20),  -- 'pending', 'success', 'failed', 'retrying'
    price_count INTEGER,
    price_error_message TEXT,
    price_completed_at TIMESTAMP,
    price_retry_count INTEGER DEFAULT 0,

    -- 지수 상태
    indices_status VARCHAR(20),  -- 'pending', 'success', 'failed', 'retrying'
    indices_count INTEGER,
    indices_error_message TEXT,
    indices_completed_at TIMESTAMP,
    indices_retry_count INTEGER DEFAULT 0,

    -- 전체 상태
    overall_status VARCHAR(20),  -- 'pending', 'partial', 'success', 'failed'

    started_at TIMESTAMP DEFAULT NOW(),
    UNIQUE(date)
);
CREATE TABLE indicator_log (
    id SERIAL PRIMARY KEY,
    date DATE NOT NULL,
    indicator_date DATE NOT NULL,

    status VARCHAR(20),  -- 'pending', 'success', 'failed', 'retrying'
    indicators_count INTEGER,
    error_message TEXT,
    retry_count INTEGER DEFAULT 0,

    completed_at TIMESTAMP,
    created_at TIMESTAMP DEFAULT NOW(),
    UNIQUE(date)
);
"""
"""The two statements of the document, as they are there."""
ANALYSIS = """
CREATE TABLE analysis_jobs (
    job_id VARCHAR(36) PRIMARY KEY,
    video_id VARCHAR(20) NOT NULL,
    status VARCHAR(20) NOT NULL,
    progress INTEGER,
    step VARCHAR(50),
    error_code VARCHAR(50),
    error_message TEXT,
    force_refresh BOOLEAN DEFAULT FALSE,
    created_at TIMESTAMP DEFAULT NOW(),
    updated_at TIMESTAMP DEFAULT NOW(),
    completed_at TIMESTAMP
);
CREATE TABLE analysis_results (
    id VARCHAR(36) PRIMARY KEY,
    video_id VARCHAR(20) NOT NULL,
    analysis_version VARCHAR(20) NOT NULL,
    schema_version INTEGER NOT NULL,
    comment_snapshot_hash VARCHAR(64),
    result_json JSONB NOT NULL,
    model_name TEXT,
    comment_sample_count INTEGER,
    analysis_basis JSONB,
    cache_key VARCHAR(255) NOT NULL,
    created_at TIMESTAMP DEFAULT NOW()
);
CREATE INDEX my_results ON analysis_results (video_id, analysis_version);
CREATE TABLE video_snapshots (
    video_id VARCHAR(20) NOT NULL,
    title TEXT,
    description TEXT,
    view_count BIGINT,
    published_at TIMESTAMP,
    duration_sec INTEGER,
    channel_id VARCHAR(64),
    snapshot_at TIMESTAMP DEFAULT NOW()
);
"""
"""The fields that the document recommends, in types that go with them."""


def create(settings: Settings, statements: str) -> None:
    """Make tables; SQLite has other words for two things."""
    if settings.database is None:
        for ours, theirs in {
            "SERIAL PRIMARY KEY": "INTEGER PRIMARY KEY",
            "DEFAULT NOW()": "DEFAULT CURRENT_TIMESTAMP",
            "JSONB": "JSON",
        }.items():
            statements = statements.replace(ours, theirs)
    run(settings, statements)


def run(settings: Settings, statements: str) -> None:
    """Carry out statements, each on its own."""
    with _connected(settings) as connection:
        for statement in statements.split(";"):
            if statement.strip():
                connection.execute(statement)
        connection.commit()


def ask(settings: Settings, query: str) -> list[tuple[Any, ...]]:
    """What a query finds."""
    with _connected(settings) as connection:
        return [tuple(row) for row in connection.execute(query).fetchall()]


@contextmanager
def _connected(settings: Settings) -> Iterator[Any]:
    if settings.database is None:
        settings.data.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(settings.sqlite_file())) as connection:
            yield connection
    else:
        with psycopg.connect(settings.database.reveal()) as connection:
            yield connection
