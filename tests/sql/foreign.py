"""Tables that an author had before Gotgan, and the author's own way to them: the driver alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import psycopg

from gotgan.settings import Settings

__all__ = ["ANALYSIS", "ANALYSIS_ROWS", "LOGS", "ask", "create", "run"]

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
ANALYSIS_ROWS = """
INSERT INTO analysis_jobs (job_id, video_id, status, progress, step, error_code, error_message,
    force_refresh, created_at, updated_at, completed_at)
VALUES
('3f1c2a34-0001-4c7e-9f5e-1f6f7c1f0001', 'dQw4w9WgXcQ', 'completed', 100, NULL, NULL, NULL, NULL,
 '2025-10-19 08:00:00', '2025-10-19 08:01:00', '2025-10-19 08:01:00'),
('3f1c2a34-0002-4c7e-9f5e-1f6f7c1f0002', 'lmnopqrstuv', 'failed', 40, 'my_step', 'MY_TIMEOUT',
 'no answer', TRUE, '2025-10-19 09:00:00', '2025-10-19 09:01:00', '2025-10-19 09:01:00'),
('3f1c2a34-0003-4c7e-9f5e-1f6f7c1f0003', 'abcdefghijk', 'processing', 40, 'collecting_comments',
 NULL, NULL, FALSE, '2025-10-19 10:00:00', '2025-10-19 10:01:00', NULL),
('3f1c2a34-0004-4c7e-9f5e-1f6f7c1f0004', 'abcdefghijk', 'queued', NULL, NULL, NULL, NULL, FALSE,
 '2025-10-19 11:00:00', '2025-10-19 11:01:00', NULL),
('3f1c2a34-0005-4c7e-9f5e-1f6f7c1f0005', 'lmnopqrstuv', 'queued', NULL, NULL, NULL, NULL, FALSE,
 '2025-10-19 12:00:00', '2025-10-19 12:01:00', NULL);
INSERT INTO analysis_results (id, video_id, analysis_version, schema_version, result_json,
    model_name, comment_sample_count, analysis_basis, cache_key, created_at)
VALUES
('7d4d0000-0001-4c7e-9f5e-1f6f7c1f0001', 'dQw4w9WgXcQ', 'v3', 1,
 '{"summary": {"majorReactions": "반응", "positivePoints": "장점", "weakPoints": "약점"},
   "contentIdeas": [{"title": "다음 영상", "description": "설명"}],
   "recommendedKeywords": ["소스"], "meta": {"analyzedAt": "2025-10-19T08:01:00Z",
   "warnings": ["댓글이 적습니다"]}}',
 'gemini-2.5-flash', 12, '["title", "comments"]', 'analysis:dQw4w9WgXcQ:v3', '2025-10-19 08:01:00'),
('7d4d0000-0002-4c7e-9f5e-1f6f7c1f0002', 'lmnopqrstuv', 'draft', 1, '{}', NULL, NULL, NULL,
 'analysis:lmnopqrstuv:draft', '2025-10-18 08:01:00');
INSERT INTO video_snapshots (video_id, title, snapshot_at)
VALUES ('dQw4w9WgXcQ', '제목', '2025-10-19 08:00:00')
"""
"""Rows of these tables in several states."""


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
