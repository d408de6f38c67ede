"""Lists of videos and of jobs, the latest first, page by page.

A cursor says behind which moment and id a page begins; so a page costs the same, however long the
list is.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import orjson
from sqlalchemy import ColumnElement, Connection, RowMapping, Select, and_, or_, select

from gotgan.domains.videos.jobs import job_of, known_code
from gotgan.domains.videos.models import Status
from gotgan.domains.videos.reports import JobList, VideoLine, VideoList
from gotgan.domains.videos.results import FOREIGN_TTL
from gotgan.domains.videos.tables import (
    ANALYSIS_JOBS,
    ANALYSIS_RESULTS,
    VIDEO_SNAPSHOTS,
    VIDEOS,
)
from gotgan.errors import BadCursor

__all__ = ["jobs", "videos"]

_PARTS: Final = 2


def videos(connection: Connection, limit: int, cursor: str | None, now: datetime) -> VideoList:
    """Every video that there is anything of."""
    shots, results, jobs = VIDEO_SNAPSHOTS, ANALYSIS_RESULTS, ANALYSIS_JOBS
    joined = (
        VIDEOS.outerjoin(shots, shots.c.snapshot_id == VIDEOS.c.snapshot_id)
        .outerjoin(results, results.c.id == VIDEOS.c.result_id)
        .outerjoin(jobs, jobs.c.job_id == VIDEOS.c.job_id)
    )
    query = select(
        VIDEOS.c.video_id,
        VIDEOS.c.touched_at,
        shots.c.title,
        VIDEOS.c.result_id,
        results.c.analysis_version,
        results.c.model_name,
        results.c.comment_sample_count,
        results.c.created_at.label("analysed_at"),
        results.c.expires_at,
        VIDEOS.c.job_id,
        jobs.c.status,
        jobs.c.error_code,
    ).select_from(joined)
    places = (VIDEOS.c.touched_at, VIDEOS.c.video_id)
    rows = connection.execute(_page(query, places, limit, cursor)).mappings().all()
    lines = [_line(row, now) for row in rows]
    places_of = [(line.touched_at, line.video_id) for line in lines]
    return VideoList(tuple(lines[:limit]), _cursor(places_of, limit))


def _line(row: RowMapping, now: datetime) -> VideoLine:
    """A video; what another program saved has no end of freshness, and may have other codes."""
    analysed_at, code = row["analysed_at"], row["error_code"]
    fresh = None if analysed_at is None else row["expires_at"] or analysed_at + FOREIGN_TTL
    return VideoLine(
        **{**row, "expires_at": fresh, "error_code": known_code(code, row["status"])},
        is_fresh=fresh is not None and now < fresh,
    )


def jobs(
    connection: Connection,
    limit: int,
    cursor: str | None,
    *,
    status: Status | None = None,
    video_id: str | None = None,
) -> JobList:
    """Jobs; of a state or of a video, where that is given."""
    table = ANALYSIS_JOBS.c
    query = select(ANALYSIS_JOBS)
    query = query if status is None else query.where(table.status == status)
    query = query if video_id is None else query.where(table.video_id == video_id)
    paged = _page(query, (table.created_at, table.job_id), limit, cursor)
    found = [job_of(row) for row in connection.execute(paged).mappings()]
    places = [(job.created_at, job.job_id) for job in found]
    return JobList(tuple(found[:limit]), _cursor(places, limit))


def _page(
    query: Select[Any],
    places: tuple[ColumnElement[datetime], ColumnElement[str]],
    limit: int,
    cursor: str | None,
) -> Select[Any]:
    """One more than asked for, to know whether there is another page."""
    moment, name = places
    if cursor is not None:
        at, last = _place(cursor)
        query = query.where(or_(moment < at, and_(moment == at, name < last)))
    return query.order_by(moment.desc(), name.desc()).limit(limit + 1)


def _cursor(places: Sequence[tuple[datetime, str]], limit: int) -> str | None:
    """Where the next page begins; None at the end."""
    if len(places) <= limit:
        return None
    at, name = places[limit - 1]
    return urlsafe_b64encode(orjson.dumps([at.isoformat(), name])).decode().rstrip("=")


def _place(cursor: str) -> tuple[datetime, str]:
    try:
        said = orjson.loads(urlsafe_b64decode(cursor.encode() + b"=" * (-len(cursor) % 4)))
        moment, name = datetime.fromisoformat(said[0]), str(said[1])
        at = moment.astimezone(UTC)
    except (ValueError, TypeError, LookupError, OverflowError):
        raise _refused() from None
    if moment.tzinfo is None or len(said) != _PARTS or "\0" in name:
        raise _refused()
    return at, name


def _refused() -> BadCursor:
    return BadCursor("this cursor was changed, or belongs to another list; begin without one")
