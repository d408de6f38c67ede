"""Queries: pages of videos, jobs and analyses, and everything about a video.

A cursor names the moment and the id before the next page, so a page costs the same however long the
list is.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final

import orjson
from sqlalchemy import ColumnElement, Connection, RowMapping, Select, and_, func, or_, select

from gotgan.domains.videos import messages, reports, results, snapshots, tables
from gotgan.domains.videos.documents import is_ours, sentiment_of
from gotgan.domains.videos.jobs import Jobs, job_from_row, known_code
from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.models import Comment, Status
from gotgan.domains.videos.results import FOREIGN_TTL
from gotgan.errors import BadCursor, NotFound

_MAX_HISTORY: Final = 20


def list_videos(
    connection: Connection, limit: int, cursor: str | None, now: datetime
) -> reports.VideoList:
    """All known videos, newest first."""
    shots, results, jobs = tables.VIDEO_SNAPSHOTS, tables.ANALYSIS_RESULTS, tables.ANALYSIS_JOBS
    joined = (
        tables.VIDEOS.outerjoin(shots, shots.c.snapshot_id == tables.VIDEOS.c.snapshot_id)
        .outerjoin(results, results.c.id == tables.VIDEOS.c.result_id)
        .outerjoin(jobs, jobs.c.job_id == tables.VIDEOS.c.job_id)
    )
    query = select(
        tables.VIDEOS.c.video_id,
        tables.VIDEOS.c.touched_at,
        shots.c.title,
        tables.VIDEOS.c.result_id,
        results.c.analysis_version,
        results.c.model_name,
        results.c.comment_sample_count,
        results.c.result_json,
        results.c.created_at.label("analysed_at"),
        results.c.expires_at,
        tables.VIDEOS.c.job_id,
        jobs.c.status,
        jobs.c.error_code,
    ).select_from(joined)
    order = (tables.VIDEOS.c.touched_at, tables.VIDEOS.c.video_id)
    rows, following = _page(connection, query, order, limit, cursor)
    return reports.VideoList(tuple(_line(row, now) for row in rows), following)


def _line(row: RowMapping, now: datetime) -> reports.VideoLine:
    """A video; the result of another program has no expiry, and its job may have other codes."""
    values = dict(row)
    said = orjson.loads(values.pop("result_json") or "null")
    analysed_at, code = row["analysed_at"], row["error_code"]
    fresh = None if analysed_at is None else row["expires_at"] or analysed_at + FOREIGN_TTL
    return reports.VideoLine(
        **{**values, "expires_at": fresh, "error_code": known_code(code, row["status"])},
        sentiment=sentiment_of(said),
        top_topic=next((each["label"] for each in said["topics"]), None) if is_ours(said) else None,
        is_fresh=fresh is not None and now < fresh,
    )


def list_jobs(
    connection: Connection,
    limit: int,
    cursor: str | None,
    *,
    status: Status | None = None,
    video_id: str | None = None,
) -> reports.JobList:
    """Jobs, newest first; of a status or of a video if given."""
    table = tables.ANALYSIS_JOBS.c
    query = select(tables.ANALYSIS_JOBS)
    query = query if status is None else query.where(table.status == status)
    query = query if video_id is None else query.where(table.video_id == video_id)
    order = (table.created_at, table.job_id)
    rows, following = _page(connection, query, order, limit, cursor)
    titles = _titles(connection, {row["video_id"] for row in rows})
    return reports.JobList(tuple(job_from_row(row) for row in rows), following, titles)


def _titles(connection: Connection, video_ids: Collection[str]) -> dict[str, str]:
    shots = tables.VIDEO_SNAPSHOTS
    joined = tables.VIDEOS.join(shots, shots.c.snapshot_id == tables.VIDEOS.c.snapshot_id)
    query = (
        select(tables.VIDEOS.c.video_id, shots.c.title)
        .select_from(joined)
        .where(tables.VIDEOS.c.video_id.in_(video_ids), shots.c.title != "")
    )
    return {row.video_id: row.title for row in connection.execute(query)}


def count_jobs(connection: Connection, video_id: str | None = None) -> dict[str, int]:
    """How many jobs have each status: all of them, or those of a video."""
    table = tables.ANALYSIS_JOBS
    by_status = select(table.c.status, func.count().label("jobs")).group_by(table.c.status)
    if video_id is not None:
        query = by_status.where(table.c.video_id == video_id)
        return {row.status: row.jobs for row in connection.execute(query)}
    # Most jobs are completed, which no index has; the others are few and in two indexes.
    counts: dict[str, int] = {}
    for some in (tables.OPEN, tables.FAILED):
        counts |= {row.status: row.jobs for row in connection.execute(by_status.where(some))}
    whole = connection.execute(select(func.count()).select_from(table)).scalar_one()
    return {**counts, "completed": whole - sum(counts.values())}


def list_history(
    connection: Connection, video_id: str, limit: int, cursor: str | None
) -> reports.VideoHistory:
    """The analyses of a video, newest first."""
    if not has_video(connection, video_id):
        raise NotFound(messages.NOT_STORED(video=video_id))
    table = tables.ANALYSIS_RESULTS
    query = select(table).where(table.c.video_id == video_id)
    rows, following = _page(connection, query, (table.c.created_at, table.c.id), limit, cursor)
    found = (reports.PastAnalysis.of(results.result_from_row(row)) for row in rows)
    return reports.VideoHistory(tuple(found), following)


def _page(
    connection: Connection,
    query: Select[Any],
    order: tuple[ColumnElement[datetime], ColumnElement[str]],
    limit: int,
    cursor: str | None,
) -> tuple[Sequence[RowMapping], str | None]:
    """A page of rows, and the cursor of the next one; an extra row tells whether there is one."""
    moment, name = order
    if cursor is not None:
        at, last = _parse_cursor(cursor)
        query = query.where(or_(moment < at, and_(moment == at, name < last)))
    query = query.order_by(moment.desc(), name.desc()).limit(limit + 1)
    rows = connection.execute(query).mappings().all()
    if len(rows) <= limit:
        return rows, None
    end = [rows[limit - 1][moment].isoformat(), rows[limit - 1][name]]
    return rows[:limit], urlsafe_b64encode(orjson.dumps(end)).decode().rstrip("=")


def _parse_cursor(cursor: str) -> tuple[datetime, str]:
    with suppress(ValueError, TypeError, OverflowError):
        at, name = orjson.loads(urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)))
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is not None and "\0" not in str(name):
            return moment.astimezone(UTC), str(name)
    raise BadCursor(messages.BAD_CURSOR())


def has_video(connection: Connection, video_id: str) -> bool:
    """Whether anything is stored about a video."""
    query = select(tables.VIDEOS.c.video_id).where(tables.VIDEOS.c.video_id == video_id)
    return connection.execute(query).one_or_none() is not None


def read_sheet(
    connection: Connection, jobs: Jobs, video_id: str, now: datetime, version: str | None = None
) -> reports.VideoSheet:
    """Everything about a video, with the latest result, or the latest of a version."""
    row = connection.execute(
        select(tables.VIDEOS).where(tables.VIDEOS.c.video_id == video_id)
    ).one_or_none()
    if row is None:
        raise NotFound(messages.NOT_STORED(video=video_id))
    result = results.latest(connection, video_id, version)
    if result is None and version is not None:
        raise NotFound(messages.NOT_IN_VERSION(video=video_id, version=version))
    shot = snapshots.head(connection, row.snapshot_id, now) if row.snapshot_id else None
    return reports.VideoSheet(
        video_id,
        shot,
        None if shot is None else snapshots.channel(connection, shot.snapshot_id),
        result,
        result is not None and result.is_fresh(now),
        {} if result is None else quoted_comments(connection, result, now),
        tuple(results.history(connection, video_id, _MAX_HISTORY)),
        None if row.job_id is None else jobs.get(connection, row.job_id),
    )


def read_comments(
    connection: Connection, video_id: str, now: datetime
) -> Iterator[reports.LabelledComment]:
    """The stored comments of a video with their sentiment."""
    head = snapshots.latest(connection, video_id, now)
    material = None if head is None else snapshots.load(connection, head.snapshot_id, now)
    if material is None:
        raise NotFound(messages.NO_COMMENTS(video=video_id))
    labels = measure(material).labels
    return (
        reports.LabelledComment(
            video_id,
            each.comment_id,
            each.text,
            each.likes,
            each.published_at,
            each.parent_id,
            labels.get(each.comment_id),
        )
        for each in material.comments
    )


def quoted_comments(
    connection: Connection, result: reports.VideoResult, now: datetime
) -> dict[str, Comment]:
    """The comments that a result refers to, while they are stored."""
    if snapshots.head(connection, result.snapshot_id, now) is None:
        return {}
    return snapshots.comments_by_id(
        connection, result.snapshot_id, list(evidence_ids(result.document))
    )


def evidence_ids(document: Any) -> Iterator[str]:
    """The ids of all comments that a result refers to."""
    if isinstance(document, Mapping):
        for name, value in document.items():
            if name == "evidence":
                yield from value
            elif name == "commentId":
                yield value
            else:
                yield from evidence_ids(value)
    elif isinstance(document, list):
        for value in document:
            yield from evidence_ids(value)
