"""The tables of videos: those of their document with its columns, and a few more.

Snapshots, which are collected, are deleted after thirty days; results stay.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from gotgan.sql import METADATA, JsonText, MessageText, ZonedMoment, insert_into

OPEN: Final = sa.text("status IN ('queued', 'processing')")
"""Open jobs, as a condition of indexes."""
FAILED: Final = sa.text("status = 'failed'")
"""Failed jobs; with a parameter instead of the word their index would not be used."""
_WHERE_OPEN: Final[dict[str, Any]] = {"sqlite_where": OPEN, "postgresql_where": OPEN}
_WHERE_FAILED: Final[dict[str, Any]] = {"sqlite_where": FAILED, "postgresql_where": FAILED}


def _counter(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


ANALYSIS_JOBS: Final = sa.Table(
    "analysis_jobs",
    METADATA,
    sa.Column("job_id", sa.String(32), primary_key=True),
    sa.Column("video_id", sa.String(11), nullable=False),
    sa.Column("status", sa.String(20), nullable=False),
    sa.Column("progress", sa.Integer),
    sa.Column("step", sa.String(30)),
    sa.Column("message", MessageText),
    sa.Column("error_code", sa.String(40)),
    sa.Column("error_message", MessageText),
    sa.Column("retry_after", ZonedMoment),
    sa.Column("force_refresh", sa.Boolean),
    sa.Column("refresh_reason", sa.String(20)),
    sa.Column("cache_key", sa.String(200)),
    sa.Column("analyser", sa.String(20)),
    sa.Column("analysis_version", sa.String(10)),
    sa.Column("snapshot_id", sa.String(32)),
    sa.Column("analysis_result_id", sa.Text),
    _counter("units"),
    _counter("input_tokens"),
    _counter("output_tokens"),
    sa.Column("cost_usd", sa.Double, server_default="0"),
    _counter("attempts"),
    sa.Column("fence", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("owner", sa.Text),
    sa.Column("due_at", ZonedMoment),
    sa.Column("created_at", ZonedMoment, nullable=False),
    sa.Column("updated_at", ZonedMoment, nullable=False),
    sa.Column("started_at", ZonedMoment),
    sa.Column("completed_at", ZonedMoment),
    sa.Index("uq_analysis_jobs_open", "cache_key", unique=True, **_WHERE_OPEN),
    sa.Index("ix_analysis_jobs_due", "due_at", **_WHERE_OPEN),
    sa.Index(None, "cache_key", "created_at"),
    sa.Index(None, "video_id", "created_at"),
    sa.Index(None, "created_at"),
    sa.Index("ix_analysis_jobs_failed", "status", "created_at", **_WHERE_FAILED),
)
"""The unique index allows one open job for each cache key.

``due_at`` is when a worker may claim a job: a queued one for its next attempt, a running one after
the lease of its worker.
"""
VIDEOS: Final = sa.Table(
    "videos",
    METADATA,
    sa.Column("video_id", sa.Text, primary_key=True),
    sa.Column("touched_at", ZonedMoment, nullable=False),
    sa.Column("snapshot_id", sa.String(32)),
    sa.Column("job_id", sa.Text),
    sa.Column("result_id", sa.Text),
    sa.Index(None, "touched_at", "video_id"),
)
"""Every known video, with its latest snapshot, job and result."""
ANALYSIS_RESULTS: Final = sa.Table(
    "analysis_results",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("job_id", sa.Text),
    sa.Column("video_id", sa.String(11), nullable=False),
    sa.Column("analysis_version", sa.String(10), nullable=False),
    sa.Column("schema_version", sa.Integer, nullable=False),
    sa.Column("prompt_version", sa.String(20)),
    sa.Column("score_version", sa.String(20)),
    sa.Column("comment_snapshot_hash", sa.String(64)),
    sa.Column("snapshot_id", sa.String(32)),
    sa.Column("result_json", JsonText, nullable=False),
    sa.Column("model_name", sa.String(200)),
    sa.Column("comment_sample_count", sa.Integer),
    sa.Column("analysis_basis", JsonText),
    sa.Column("cache_key", sa.String(200), nullable=False),
    _counter("units"),
    _counter("input_tokens"),
    _counter("output_tokens"),
    sa.Column("cost_usd", sa.Double),
    sa.Column("ttl_reason", MessageText),
    sa.Column("warnings", sa.JSON),
    sa.Column("created_at", ZonedMoment, nullable=False),
    sa.Column("expires_at", ZonedMoment),
    sa.UniqueConstraint("job_id"),
    sa.Index(None, "video_id", "analysis_version"),
    sa.Index(
        "ix_analysis_results_by_snapshot", "video_id", "analysis_version", "comment_snapshot_hash"
    ),
    sa.Index(None, "cache_key", "created_at"),
    sa.Index(None, "created_at"),
)
"""Rows are added and never changed."""
ANALYSIS_VERSIONS: Final = sa.Table(
    "analysis_versions",
    METADATA,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("fingerprint", sa.String(64), nullable=False),
    sa.Column("analyser", sa.String(20), nullable=False),
    sa.Column("model", sa.String(200), nullable=False),
    sa.Column("prompt_version", sa.String(20)),
    sa.Column("score_version", sa.String(20), nullable=False),
    sa.Column("schema_version", sa.Integer, nullable=False),
    sa.Column("inputs", sa.Text, nullable=False),
    sa.Column("created_at", ZonedMoment, nullable=False),
    sa.UniqueConstraint("fingerprint"),
)
"""The meaning of ``v1``, ``v2`` and so on; rows are never changed."""
VIDEO_SNAPSHOTS: Final = sa.Table(
    "video_snapshots",
    METADATA,
    sa.Column("snapshot_id", sa.String(32), primary_key=True),
    sa.Column("video_id", sa.String(11), nullable=False),
    sa.Column("title", sa.Text),
    sa.Column("description", sa.Text),
    sa.Column("view_count", sa.BigInteger),
    sa.Column("like_count", sa.BigInteger),
    sa.Column("comment_count", sa.BigInteger),
    sa.Column("published_at", ZonedMoment),
    sa.Column("duration_sec", sa.Integer),
    sa.Column("channel_id", sa.String(64)),
    sa.Column("language", sa.String(20)),
    sa.Column("source", sa.String(10)),
    sa.Column("sampling", sa.Text),
    sa.Column("problem", sa.String(20)),
    sa.Column("warnings", sa.JSON),
    sa.Column("comment_sample_count", sa.Integer),
    sa.Column("comment_snapshot_hash", sa.String(64)),
    sa.Column("snapshot_at", ZonedMoment, nullable=False),
    sa.Column("expires_at", ZonedMoment),
    sa.Index(None, "video_id", "snapshot_at"),
    sa.Index(None, "expires_at"),
)
COMMENT_SNAPSHOTS: Final = sa.Table(
    "comment_snapshots",
    METADATA,
    sa.Column("snapshot_id", sa.String(32), primary_key=True),
    sa.Column("comment_id", sa.String(200), primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("like_count", sa.Integer, nullable=False),
    sa.Column("published_at", ZonedMoment),
    sa.Column("updated_at", ZonedMoment),
    sa.Column("author_hash", sa.String(32)),
    sa.Column("parent_id", sa.String(200)),
)
CHANNEL_SNAPSHOTS: Final = sa.Table(
    "channel_snapshots",
    METADATA,
    sa.Column("snapshot_id", sa.String(32), primary_key=True),
    sa.Column("channel_id", sa.String(64), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("subscriber_count", sa.BigInteger),
    sa.Column("video_count", sa.BigInteger),
    sa.Column("view_count", sa.BigInteger),
    sa.Column("snapshot_at", ZonedMoment, nullable=False),
)
QUOTA_LEDGER: Final = sa.Table(
    "quota_ledger",
    METADATA,
    sa.Column("key_hash", sa.String(32), primary_key=True),
    sa.Column("day", sa.Date, primary_key=True),
    sa.Column("units", sa.Integer, nullable=False),
    sa.Column("calls", sa.Integer, nullable=False),
)
"""The units that a key of YouTube has used, by the day in California."""
CACHE_HITS: Final = sa.Table(
    "cache_hits",
    METADATA,
    sa.Column("day", sa.Date, primary_key=True),
    sa.Column("analysis_result_id", sa.Text, primary_key=True),
    sa.Column("hits", sa.Integer, nullable=False),
)
"""How often a result was reused."""


def touch_video(connection: sa.Connection, video_id: str, now: datetime, **latest: str) -> None:
    """Store the latest ``snapshot_id``, ``job_id`` or ``result_id`` of a video.

    The row is locked until the transaction ends, also if it is new. A transaction that writes about
    a video which may be deleted meanwhile does this first, so that they wait for each other.
    """
    changes = {"touched_at": now, **latest}
    insert = insert_into(connection, VIDEOS).values(video_id=video_id, **changes)
    connection.execute(
        insert.on_conflict_do_update(index_elements=[VIDEOS.c.video_id], set_=changes)
    )
