"""The tables of videos: those of their document with its columns, and a few beside them.

What was collected (snapshots) and what was made of it (results) lie apart: the first goes after
thirty days, the second stays.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    Double,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from gotgan.sql import METADATA, JsonText, ZonedMoment

__all__ = [
    "ANALYSIS_JOBS",
    "ANALYSIS_RESULTS",
    "ANALYSIS_VERSIONS",
    "CACHE_HITS",
    "CHANNEL_SNAPSHOTS",
    "COMMENT_SNAPSHOTS",
    "FAILED",
    "OPEN",
    "QUOTA_LEDGER",
    "VIDEOS",
    "VIDEO_SNAPSHOTS",
]

OPEN: Final = text("status IN ('queued', 'processing')")
"""The jobs whose end is still to come."""
FAILED: Final = text("status = 'failed'")
"""The jobs that came to a bad end; a value in its place would keep their index from being used."""

ANALYSIS_JOBS: Final = Table(
    "analysis_jobs",
    METADATA,
    Column("job_id", String(32), primary_key=True),
    Column("video_id", String(11), nullable=False),
    Column("status", String(20), nullable=False),
    Column("progress", Integer),
    Column("step", String(30)),
    Column("message", Text),
    Column("error_code", String(40)),
    Column("error_message", Text),
    Column("retry_after", ZonedMoment),
    Column("force_refresh", Boolean),
    Column("refresh_reason", String(20)),
    Column("cache_key", String(200)),
    Column("analyser", String(20)),
    Column("analysis_version", String(10)),
    Column("snapshot_id", String(32)),
    Column("analysis_result_id", Text),
    Column("units", Integer, nullable=False, server_default="0"),
    Column("input_tokens", Integer, nullable=False, server_default="0"),
    Column("output_tokens", Integer, nullable=False, server_default="0"),
    Column("cost_usd", Double, server_default="0"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("fence", BigInteger, nullable=False, server_default="0"),
    Column("owner", Text),
    Column("due_at", ZonedMoment),
    Column("created_at", ZonedMoment, nullable=False),
    Column("updated_at", ZonedMoment, nullable=False),
    Column("started_at", ZonedMoment),
    Column("completed_at", ZonedMoment),
    Index(
        "uq_analysis_jobs_open",
        "cache_key",
        unique=True,
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    ),
    Index("ix_analysis_jobs_due", "due_at", sqlite_where=OPEN, postgresql_where=OPEN),
    Index(None, "cache_key", "created_at"),
    Index(None, "video_id", "created_at"),
    Index(None, "created_at"),
    Index(
        "ix_analysis_jobs_failed",
        "status",
        "created_at",
        sqlite_where=FAILED,
        postgresql_where=FAILED,
    ),
)
"""Of each cache key one job at most is open; the index sees to it, whoever asks at once.

``due_at`` is when anybody may take a job: of one that waits, when it is tried; of one that somebody
has in hand, when their lease is over.
"""
VIDEOS: Final = Table(
    "videos",
    METADATA,
    Column("video_id", Text, primary_key=True),
    Column("touched_at", ZonedMoment, nullable=False),
    Column("snapshot_id", String(32)),
    Column("job_id", Text),
    Column("result_id", Text),
    Index(None, "touched_at", "video_id"),
)
"""Every video that there is anything of, with the latest of each kind."""
ANALYSIS_RESULTS: Final = Table(
    "analysis_results",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("job_id", Text),
    Column("video_id", String(11), nullable=False),
    Column("analysis_version", String(10), nullable=False),
    Column("schema_version", Integer, nullable=False),
    Column("prompt_version", String(20)),
    Column("score_version", String(20)),
    Column("comment_snapshot_hash", String(64)),
    Column("snapshot_id", String(32)),
    Column("result_json", JsonText, nullable=False),
    Column("model_name", String(200)),
    Column("comment_sample_count", Integer),
    Column("analysis_basis", JsonText),
    Column("cache_key", String(200), nullable=False),
    Column("units", Integer, nullable=False, server_default="0"),
    Column("input_tokens", Integer, nullable=False, server_default="0"),
    Column("output_tokens", Integer, nullable=False, server_default="0"),
    Column("cost_usd", Double),
    Column("ttl_reason", Text),
    Column("created_at", ZonedMoment, nullable=False),
    Column("expires_at", ZonedMoment),
    UniqueConstraint("job_id"),
    Index(None, "video_id", "analysis_version"),
    Index(
        "ix_analysis_results_by_snapshot",
        "video_id",
        "analysis_version",
        "comment_snapshot_hash",
    ),
    Index(None, "cache_key", "created_at"),
    Index(None, "created_at"),
)
"""They are added and never changed."""
ANALYSIS_VERSIONS: Final = Table(
    "analysis_versions",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", String(64), nullable=False),
    Column("analyser", String(20), nullable=False),
    Column("model", String(200), nullable=False),
    Column("prompt_version", String(20)),
    Column("score_version", String(20), nullable=False),
    Column("schema_version", Integer, nullable=False),
    Column("inputs", Text, nullable=False),
    Column("created_at", ZonedMoment, nullable=False),
    UniqueConstraint("fingerprint"),
)
"""What ``v1``, ``v2`` and so on stand for; nothing of it is ever changed."""
VIDEO_SNAPSHOTS: Final = Table(
    "video_snapshots",
    METADATA,
    Column("snapshot_id", String(32), primary_key=True),
    Column("video_id", String(11), nullable=False),
    Column("title", Text),
    Column("description", Text),
    Column("view_count", BigInteger),
    Column("like_count", BigInteger),
    Column("comment_count", BigInteger),
    Column("published_at", ZonedMoment),
    Column("duration_sec", Integer),
    Column("channel_id", String(64)),
    Column("language", String(20)),
    Column("source", String(10)),
    Column("sampling", Text),
    Column("problem", String(20)),
    Column("warnings", JSON),
    Column("comment_sample_count", Integer),
    Column("comment_snapshot_hash", String(64)),
    Column("snapshot_at", ZonedMoment, nullable=False),
    Column("expires_at", ZonedMoment),
    Index(None, "video_id", "snapshot_at"),
    Index(None, "expires_at"),
)
COMMENT_SNAPSHOTS: Final = Table(
    "comment_snapshots",
    METADATA,
    Column("snapshot_id", String(32), primary_key=True),
    Column("comment_id", String(200), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("like_count", Integer, nullable=False),
    Column("published_at", ZonedMoment),
    Column("updated_at", ZonedMoment),
    Column("author_hash", String(32)),
    Column("parent_id", String(200)),
)
CHANNEL_SNAPSHOTS: Final = Table(
    "channel_snapshots",
    METADATA,
    Column("snapshot_id", String(32), primary_key=True),
    Column("channel_id", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("subscriber_count", BigInteger),
    Column("video_count", BigInteger),
    Column("view_count", BigInteger),
    Column("snapshot_at", ZonedMoment, nullable=False),
)
QUOTA_LEDGER: Final = Table(
    "quota_ledger",
    METADATA,
    Column("key_hash", String(32), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("units", Integer, nullable=False),
    Column("calls", Integer, nullable=False),
)
"""The units that a key of YouTube's has used, by the day in California."""
CACHE_HITS: Final = Table(
    "cache_hits",
    METADATA,
    Column("day", Date, primary_key=True),
    Column("analysis_result_id", Text, primary_key=True),
    Column("hits", Integer, nullable=False),
)
"""How often a result was given again instead of being made again."""
