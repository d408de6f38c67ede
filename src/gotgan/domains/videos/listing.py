"""Lists of videos and of jobs, the latest first, page by page.

A cursor says behind which moment and id a page begins; so a page costs the same, however long the
list is.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypeVar

import orjson
from sqlalchemy import ColumnElement, Connection, RowMapping, Select, and_, or_, select

from gotgan.domains.videos.jobs import Job, job_of, known_code
from gotgan.domains.videos.models import Status
from gotgan.domains.videos.results import FOREIGN_TTL
from gotgan.domains.videos.tables import (
    ANALYSIS_JOBS,
    ANALYSIS_RESULTS,
    VIDEO_SNAPSHOTS,
    VIDEOS,
)
from gotgan.errors import BadCursor

__all__ = ["Line", "Slice", "jobs", "videos"]

T = TypeVar("T")
_PARTS: Final = 2


@dataclass(frozen=True)
class Slice(Generic[T]):
    """A page of a list, and where the next one begins; None at the end."""

    items: tuple[T, ...]
    cursor: str | None


@dataclass(frozen=True)
class Line:
    """A video in the list: the latest of each kind that there is of it."""

    video_id: str
    touched_at: datetime
    title: str | None
    """None where nothing is kept that was collected."""
    result_id: str | None
    analysis_version: str | None
    model_name: str | None
    comment_sample_count: int | None
    analysed_at: datetime | None
    expires_at: datetime | None
    job_id: str | None
    status: Status | None
    """How the latest job stands."""
    error_code: str | None


def videos(connection: Connection, limit: int, cursor: str | None) -> Slice[Line]:
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
    lines = [_line(row) for row in rows]
    return _slice(lines, limit, [(line.touched_at, line.video_id) for line in lines])


def _line(row: RowMapping) -> Line:
    """A video; what another program saved has no end of freshness, and may have other codes."""
    analysed_at, code = row["analysed_at"], row["error_code"]
    fresh = None if analysed_at is None else row["expires_at"] or analysed_at + FOREIGN_TTL
    return Line(**{**row, "expires_at": fresh, "error_code": known_code(code, row["status"])})


def jobs(
    connection: Connection,
    limit: int,
    cursor: str | None,
    *,
    status: Status | None = None,
    video_id: str | None = None,
) -> Slice[Job]:
    """Jobs; of a state or of a video, where that is given."""
    table = ANALYSIS_JOBS.c
    query = select(ANALYSIS_JOBS)
    query = query if status is None else query.where(table.status == status)
    query = query if video_id is None else query.where(table.video_id == video_id)
    paged = _page(query, (table.created_at, table.job_id), limit, cursor)
    found = [job_of(row) for row in connection.execute(paged).mappings()]
    return _slice(found, limit, [(job.created_at, job.job_id) for job in found])


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


def _slice(found: Sequence[T], limit: int, places: Sequence[tuple[datetime, str]]) -> Slice[T]:
    if len(found) <= limit:
        return Slice(tuple(found), None)
    at, name = places[limit - 1]
    text = urlsafe_b64encode(orjson.dumps([at.isoformat(), name]))
    return Slice(tuple(found[:limit]), text.decode().rstrip("="))


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
