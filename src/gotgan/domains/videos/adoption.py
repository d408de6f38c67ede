"""Adoption of jobs and results that another program saved in tables of the same names.

The tables are completed when the database is opened. Here the videos of those rows are added to the
list of videos, and open jobs are found.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

import sqlalchemy as sa

from gotgan.domains.videos import models, results, snapshots, tables
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.keys import new_id
from gotgan.domains.videos.reports import VideoResult
from gotgan.sql import dry_run

TABLES: Final = (
    tables.ANALYSIS_JOBS,
    tables.ANALYSIS_RESULTS,
    tables.VIDEO_SNAPSHOTS,
    tables.COMMENT_SNAPSHOTS,
    tables.CHANNEL_SNAPSHOTS,
    tables.VIDEOS,
    tables.ANALYSIS_VERSIONS,
    tables.QUOTA_LEDGER,
    tables.CACHE_HITS,
)
"""All tables of videos, those of the document first."""
_JOBS: Final = tables.ANALYSIS_JOBS.c
_TRIAL_MATERIAL: Final = models.Material(
    models.Video("gotgan-test", "title"),
    models.Channel("channel", "title"),
    (models.Comment("comment", "text"),),
)
_TRIAL_DOCUMENT: Final = (
    '{"summary": {}, "contentIdeas": [], "recommendedKeywords": [], "meta": {}}'
)


def add_missing_videos(connection: sa.Connection) -> int:
    """Add the videos of jobs and results that the list lacks; return how many."""
    sources = (tables.ANALYSIS_JOBS.c, tables.ANALYSIS_RESULTS.c)
    rows = [sa.select(each.video_id, each.created_at) for each in sources]
    known = sa.union_all(*rows).subquery("known")
    unlisted = (
        sa.select(
            known.c.video_id,
            sa.func.max(known.c.created_at),
            _latest(tables.ANALYSIS_JOBS.c.job_id, known.c.video_id),
            _latest(tables.ANALYSIS_RESULTS.c.id, known.c.video_id),
        )
        .where(~sa.exists().where(tables.VIDEOS.c.video_id == known.c.video_id))
        .group_by(known.c.video_id)
    )
    columns = ["video_id", "touched_at", "job_id", "result_id"]
    added = (
        sa.insert(tables.VIDEOS).from_select(columns, unlisted).returning(tables.VIDEOS.c.video_id)
    )
    return len(connection.execute(added).all())


def _latest(column: sa.Column[str], video_id: sa.ColumnElement[str]) -> sa.ScalarSelect[str]:
    """The latest row of a video."""
    table = column.table.c
    query = sa.select(column).where(table.video_id == video_id)
    return query.order_by(table.created_at.desc(), column.desc()).limit(1).scalar_subquery()


def open_jobs(connection: sa.Connection) -> list[tuple[str, str]]:
    """The ids of open jobs of another program and their videos, oldest first."""
    is_open = _JOBS.cache_key.is_(None), _JOBS.status.in_(models.OPEN_STATUSES)
    query = sa.select(_JOBS.job_id, _JOBS.video_id).where(*is_open)
    rows = connection.execute(query.order_by(_JOBS.created_at, _JOBS.job_id))
    return [(row.job_id, row.video_id) for row in rows]


def check_writes(connection: sa.Connection, jobs: Jobs, now: datetime) -> None:
    """Check that the tables accept our rows: a snapshot, jobs in every state, and a result."""
    with dry_run(connection, TABLES):
        snapshot_id = snapshots.save(connection, _TRIAL_MATERIAL, now)
        for code in (*models.CODES, None):
            _check_job(connection, jobs, now, snapshot_id, code)


def _check_job(
    connection: sa.Connection, jobs: Jobs, now: datetime, snapshot_id: str, code: models.Code | None
) -> None:
    """Let a job fail with a code, or complete it without one."""
    queued = models.VideoJob(
        job_id=new_id(now),
        video_id=_TRIAL_MATERIAL.video.video_id,
        status="queued",
        cache_key=f"analysis:{_TRIAL_MATERIAL.video.video_id}:v1",
        analyser="builtin",
        analysis_version="v1",
        force_refresh=False,
        created_at=now,
        updated_at=now,
        due_at=jobs.due_now(),
    )
    jobs.add(connection, queued)
    job = jobs.claim(connection, queued.job_id)
    if job is None:
        return
    for number, step in enumerate(models.STEPS):
        jobs.progress(connection, job, step, 20 * number, "")
    jobs.attach(connection, job, snapshot_id=snapshot_id)
    if code is not None:
        jobs.fail(connection, job, code=code, message="failed")
        return
    result = VideoResult(
        id=new_id(now),
        job_id=job.job_id,
        video_id=job.video_id,
        analysis_version=job.analysis_version,
        schema_version=2,
        prompt_version=None,
        score_version="1",
        comment_snapshot_hash=None,
        snapshot_id=snapshot_id,
        result_json=_TRIAL_DOCUMENT,
        model_name="builtin",
        comment_sample_count=1,
        analysis_basis=("title", "comments"),
        cache_key=job.cache_key,
        usage=models.Usage(),
        ttl_reason=None,
        created_at=now,
        expires_at=now,
    )
    jobs.complete(connection, job, result_id=result.id)
    results.add(connection, result)
