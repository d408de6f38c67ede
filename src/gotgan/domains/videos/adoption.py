"""Taking over jobs and results that another program saved in tables of the same names.

The tables are completed when the database is opened; here the rest is done: videos that only those
rows name are listed, and jobs that are still open are queued.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ScalarSelect,
    exists,
    func,
    insert,
    select,
    union_all,
)

from gotgan.domains.videos import results, snapshots
from gotgan.domains.videos.ids import new_id
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.models import (
    CODES,
    STEPS,
    Channel,
    Code,
    Comment,
    Material,
    Usage,
    Video,
    VideoJob,
)
from gotgan.domains.videos.reports import VideoResult
from gotgan.domains.videos.tables import (
    ANALYSIS_JOBS,
    ANALYSIS_RESULTS,
    ANALYSIS_VERSIONS,
    CACHE_HITS,
    CHANNEL_SNAPSHOTS,
    COMMENT_SNAPSHOTS,
    QUOTA_LEDGER,
    VIDEO_SNAPSHOTS,
    VIDEOS,
)
from gotgan.sql import trial

__all__ = ["TABLES", "list_videos", "open_jobs", "try_out"]

TABLES: Final = (
    ANALYSIS_JOBS,
    ANALYSIS_RESULTS,
    VIDEO_SNAPSHOTS,
    COMMENT_SNAPSHOTS,
    CHANNEL_SNAPSHOTS,
    VIDEOS,
    ANALYSIS_VERSIONS,
    QUOTA_LEDGER,
    CACHE_HITS,
)
"""All tables of videos, those of the document first."""
_JOBS: Final = ANALYSIS_JOBS.c
_TRIED: Final = Material(
    Video("gotgan-test", "title"), Channel("channel", "title"), (Comment("comment", "text"),)
)
_DOCUMENT: Final = '{"summary": {}, "contentIdeas": [], "recommendedKeywords": [], "meta": {}}'


def list_videos(connection: Connection) -> int:
    """List the videos that jobs and results name and the list lacks; return how many."""
    rows = [
        select(each.c.video_id, each.c.created_at) for each in (ANALYSIS_JOBS, ANALYSIS_RESULTS)
    ]
    known = union_all(*rows).subquery("known")
    unlisted = (
        select(
            known.c.video_id,
            func.max(known.c.created_at),
            _latest(ANALYSIS_JOBS.c.job_id, known.c.video_id),
            _latest(ANALYSIS_RESULTS.c.id, known.c.video_id),
        )
        .where(~exists().where(VIDEOS.c.video_id == known.c.video_id))
        .group_by(known.c.video_id)
    )
    columns = ["video_id", "touched_at", "job_id", "result_id"]
    adding = insert(VIDEOS).from_select(columns, unlisted).returning(VIDEOS.c.video_id)
    return len(connection.execute(adding).all())


def _latest(column: Column[str], video_id: ColumnElement[str]) -> ScalarSelect[str]:
    """The latest row of a video."""
    table = column.table.c
    query = select(column).where(table.video_id == video_id)
    return query.order_by(table.created_at.desc(), column.desc()).limit(1).scalar_subquery()


def open_jobs(connection: Connection) -> list[tuple[str, str]]:
    """The open jobs of another program, the oldest first: each with its video."""
    query = select(_JOBS.job_id, _JOBS.video_id)
    query = query.where(_JOBS.cache_key.is_(None), _JOBS.status.in_(("queued", "processing")))
    rows = connection.execute(query.order_by(_JOBS.created_at, _JOBS.job_id))
    return [(row.job_id, row.video_id) for row in rows]


# Whether the tables accept what is written to them


def try_out(connection: Connection, jobs: Jobs, now: datetime) -> None:
    """Save a snapshot, a job in every state that there is, and a result; and take them back."""
    with trial(connection, TABLES):
        snapshot_id = snapshots.save(connection, _TRIED, now)
        for code in (*CODES, None):
            _try_job(connection, jobs, now, snapshot_id, code)


def _try_job(
    connection: Connection, jobs: Jobs, now: datetime, snapshot_id: str, code: Code | None
) -> None:
    """Have a job fail with a code, or complete it where there is none."""
    asked = VideoJob(
        job_id=new_id(now),
        video_id=_TRIED.video.video_id,
        status="queued",
        cache_key=f"analysis:{_TRIED.video.video_id}:v1",
        analyser="builtin",
        analysis_version="v1",
        force_refresh=False,
        created_at=now,
        updated_at=now,
        due_at=jobs.due_now(),
    )
    jobs.add(connection, asked)
    job = jobs.claim(connection, asked.job_id)
    if job is None:
        return
    for number, step in enumerate(STEPS):
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
        result_json=_DOCUMENT,
        model_name="builtin",
        comment_sample_count=1,
        analysis_basis=("title", "comments"),
        cache_key=job.cache_key,
        usage=Usage(),
        ttl_reason=None,
        created_at=now,
        expires_at=now,
    )
    jobs.complete(connection, job, result_id=result.id)
    results.add(connection, result)
