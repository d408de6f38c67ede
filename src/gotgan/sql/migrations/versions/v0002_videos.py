"""Videos: jobs, results and their versions, what was collected, and what it cost.

Columns are written out here, for the same reason as in the step before.
"""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Double,
    Index,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
    text,
)

from gotgan.sql.metadata import JsonText
from gotgan.sql.migrations.steps import complete_table

revision: Final = "0002"
down_revision: Final = "0001"

_OPEN: Final = text("status IN ('queued', 'processing')")
_LIST_VIDEOS: Final = """
INSERT INTO videos (video_id, touched_at, job_id, result_id)
SELECT known.video_id, MAX(known.created_at),
    (SELECT job_id FROM analysis_jobs WHERE video_id = known.video_id
     ORDER BY created_at DESC, job_id DESC LIMIT 1),
    (SELECT id FROM analysis_results WHERE video_id = known.video_id
     ORDER BY created_at DESC, id DESC LIMIT 1)
FROM (SELECT video_id, created_at FROM analysis_jobs
      UNION ALL SELECT video_id, created_at FROM analysis_results) AS known
WHERE NOT EXISTS (SELECT 1 FROM videos WHERE video_id = known.video_id)
GROUP BY known.video_id
"""


def upgrade() -> None:
    """Create them, or take over those that exist; then list the videos of rows that they had."""
    _jobs()
    _results()
    _snapshots()
    _counts()
    op.execute(_LIST_VIDEOS)


def _jobs() -> None:
    complete_table(
        "videos",
        Column("video_id", Text, nullable=False),
        Column("touched_at", DateTime, nullable=False),
        Column("snapshot_id", String(32)),
        Column("job_id", Text),
        Column("result_id", Text),
        PrimaryKeyConstraint("video_id", name="pk_videos"),
        Index("ix_videos_touched_at_video_id", "touched_at", "video_id"),
    )
    complete_table(
        "analysis_jobs",
        Column("job_id", String(32), nullable=False),
        Column("video_id", String(11), nullable=False),
        Column("status", String(20), nullable=False),
        Column("progress", Integer),
        Column("step", String(30)),
        Column("message", Text),
        Column("error_code", String(40)),
        Column("error_message", Text),
        Column("retry_after", DateTime),
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
        Column("due_at", DateTime),
        Column("created_at", DateTime, nullable=False),
        Column("updated_at", DateTime, nullable=False),
        Column("started_at", DateTime),
        Column("completed_at", DateTime),
        PrimaryKeyConstraint("job_id", name="pk_analysis_jobs"),
        Index(
            "uq_analysis_jobs_open",
            "cache_key",
            unique=True,
            sqlite_where=_OPEN,
            postgresql_where=_OPEN,
        ),
        Index("ix_analysis_jobs_due", "due_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
        Index("ix_analysis_jobs_cache_key_created_at", "cache_key", "created_at"),
        Index("ix_analysis_jobs_video_id_created_at", "video_id", "created_at"),
        Index("ix_analysis_jobs_created_at", "created_at"),
    )


def _results() -> None:
    complete_table(
        "analysis_results",
        Column("id", String(32), nullable=False),
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
        Column("created_at", DateTime, nullable=False),
        Column("expires_at", DateTime),
        PrimaryKeyConstraint("id", name="pk_analysis_results"),
        UniqueConstraint("job_id", name="uq_analysis_results_job_id"),
        Index("ix_analysis_results_video_id_analysis_version", "video_id", "analysis_version"),
        Index(
            "ix_analysis_results_by_snapshot",
            "video_id",
            "analysis_version",
            "comment_snapshot_hash",
        ),
        Index("ix_analysis_results_cache_key_created_at", "cache_key", "created_at"),
        Index("ix_analysis_results_created_at", "created_at"),
    )
    complete_table(
        "analysis_versions",
        Column("number", Integer, nullable=False, autoincrement=False),
        Column("fingerprint", String(64), nullable=False),
        Column("analyser", String(20), nullable=False),
        Column("model", String(200), nullable=False),
        Column("prompt_version", String(20)),
        Column("score_version", String(20), nullable=False),
        Column("schema_version", Integer, nullable=False),
        Column("inputs", Text, nullable=False),
        Column("created_at", DateTime, nullable=False),
        PrimaryKeyConstraint("number", name="pk_analysis_versions"),
        UniqueConstraint("fingerprint", name="uq_analysis_versions_fingerprint"),
    )


def _snapshots() -> None:
    complete_table(
        "video_snapshots",
        Column("snapshot_id", String(32), nullable=False),
        Column("video_id", String(11), nullable=False),
        Column("title", Text),
        Column("description", Text),
        Column("view_count", BigInteger),
        Column("like_count", BigInteger),
        Column("comment_count", BigInteger),
        Column("published_at", DateTime),
        Column("duration_sec", Integer),
        Column("channel_id", String(64)),
        Column("language", String(20)),
        Column("source", String(10)),
        Column("sampling", Text),
        Column("problem", String(20)),
        Column("warnings", JSON),
        Column("comment_sample_count", Integer),
        Column("comment_snapshot_hash", String(64)),
        Column("snapshot_at", DateTime, nullable=False),
        Column("expires_at", DateTime),
        PrimaryKeyConstraint("snapshot_id", name="pk_video_snapshots"),
        Index("ix_video_snapshots_video_id_snapshot_at", "video_id", "snapshot_at"),
        Index("ix_video_snapshots_expires_at", "expires_at"),
    )
    complete_table(
        "comment_snapshots",
        Column("snapshot_id", String(32), nullable=False),
        Column("comment_id", String(200), nullable=False),
        Column("place", Integer, nullable=False),
        Column("text", Text, nullable=False),
        Column("like_count", Integer, nullable=False),
        Column("published_at", DateTime),
        Column("updated_at", DateTime),
        Column("author_hash", String(32)),
        Column("parent_id", String(200)),
        PrimaryKeyConstraint("snapshot_id", "comment_id", name="pk_comment_snapshots"),
    )
    complete_table(
        "channel_snapshots",
        Column("snapshot_id", String(32), nullable=False),
        Column("channel_id", String(64), nullable=False),
        Column("title", Text, nullable=False),
        Column("subscriber_count", BigInteger),
        Column("video_count", BigInteger),
        Column("view_count", BigInteger),
        Column("snapshot_at", DateTime, nullable=False),
        PrimaryKeyConstraint("snapshot_id", name="pk_channel_snapshots"),
    )


def _counts() -> None:
    complete_table(
        "quota_ledger",
        Column("key_hash", String(32), nullable=False),
        Column("day", Date, nullable=False),
        Column("units", Integer, nullable=False),
        Column("calls", Integer, nullable=False),
        PrimaryKeyConstraint("key_hash", "day", name="pk_quota_ledger"),
    )
    complete_table(
        "cache_hits",
        Column("day", Date, nullable=False),
        Column("analysis_result_id", Text, nullable=False),
        Column("hits", Integer, nullable=False),
        PrimaryKeyConstraint("day", "analysis_result_id", name="pk_cache_hits"),
    )
