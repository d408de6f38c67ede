"""What a day brought in videos: what was analysed, what failed, and what that cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Connection, and_, exists, func, select

from gotgan.clock import ZONES, Span, Zone, day_span
from gotgan.domains.videos.jobs import Job, job_of
from gotgan.domains.videos.models import Status
from gotgan.domains.videos.tables import ANALYSIS_JOBS, CACHE_HITS, FAILED, VIDEO_SNAPSHOTS

__all__ = ["JOBS", "TitledJob", "VideosDay", "analyses_by_day", "failures_by_day", "videos_day"]

JOBS: Final = 50
"""How many jobs of a day are shown."""
_JOBS: Final = ANALYSIS_JOBS.c


@dataclass(frozen=True)
class TitledJob:
    """A job, and what its video is called."""

    job: Job
    title: str | None
    """None where nothing is kept any more that was collected."""

    @property
    def seconds(self) -> float | None:
        """How long it took from its first attempt to its end."""
        begun, ended = self.job.started_at, self.job.completed_at
        return None if begun is None or ended is None else (ended - begun).total_seconds()


@dataclass(frozen=True)
class VideosDay:
    """The videos of a day: the jobs that were asked for on it, however long they took."""

    completed: int
    failed: int
    open: int
    """How many wait or are under way still."""
    jobs: tuple[TitledJob, ...]
    """The latest of them, fifty at most, in every state."""
    units: int
    """Of YouTube's quota."""
    input_tokens: int
    output_tokens: int
    cost_usd: float
    unpriced: int
    """How many of them were asked of a model whose price nobody knows."""
    hits: int
    """How often a result was given again on the UTC day of that date."""
    mended: frozenset[str] = frozenset()
    """The jobs that failed and whose videos were analysed since, on that day or on a later one."""


def videos_day(connection: Connection, span: Span, day: date, now: datetime) -> VideosDay:
    """What was asked for within a span, and what came of it; titles as long as they are kept."""
    within = and_(_JOBS.created_at >= span.first, _JOBS.created_at < span.last)
    return VideosDay(
        **_spent(connection, within),
        jobs=_latest(connection, within, now),
        hits=_hits(connection, day),
        mended=_mended(connection, within),
    )


def analyses_by_day(connection: Connection, days: Sequence[date], zone: Zone) -> dict[date, int]:
    """How many of the jobs that were asked for on each of some days in a row were completed."""
    first, last = day_span(days[0], zone).first, day_span(days[-1], zone).last
    within = _JOBS.created_at >= first, _JOBS.created_at < last, _JOBS.status == "completed"
    found = connection.execute(select(_JOBS.created_at).where(*within)).scalars()
    counted = Counter(moment.astimezone(ZoneInfo(ZONES[zone])).date() for moment in found)
    return {day: counted[day] for day in days}


def failures_by_day(connection: Connection, days: Sequence[date], zone: Zone) -> dict[date, int]:
    """How many jobs of each of some days in a row failed, whose videos were not analysed since."""
    first, last = day_span(days[0], zone).first, day_span(days[-1], zone).last
    within = FAILED, _JOBS.created_at >= first, _JOBS.created_at < last, ~_analysed_since()
    found = connection.execute(select(_JOBS.created_at).where(*within)).scalars()
    counted = Counter(moment.astimezone(ZoneInfo(ZONES[zone])).date() for moment in found)
    return {day: counted[day] for day in days}


def _analysed_since() -> ColumnElement[bool]:
    """Whether a later job of the same video was completed."""
    later = ANALYSIS_JOBS.alias("later")
    return exists().where(
        later.c.video_id == _JOBS.video_id,
        later.c.created_at > _JOBS.created_at,
        later.c.status == "completed",
    )


def _mended(connection: Connection, within: ColumnElement[bool]) -> frozenset[str]:
    query = select(_JOBS.job_id).where(FAILED, within, _analysed_since())
    return frozenset(connection.execute(query).scalars())


def _spent(connection: Connection, within: ColumnElement[bool]) -> dict[str, Any]:
    query = select(
        _count_of("completed").label("completed"),
        _count_of("failed").label("failed"),
        _count_of("queued", "processing").label("open"),
        _sum(_JOBS.units).label("units"),
        _sum(_JOBS.input_tokens).label("input_tokens"),
        _sum(_JOBS.output_tokens).label("output_tokens"),
        func.coalesce(func.sum(_JOBS.cost_usd), 0.0).label("cost_usd"),
        (func.count() - func.count(_JOBS.cost_usd)).label("unpriced"),
    )
    return dict(connection.execute(query.where(within)).mappings().one())


def _latest(
    connection: Connection, within: ColumnElement[bool], now: datetime
) -> tuple[TitledJob, ...]:
    shots = VIDEO_SNAPSHOTS
    kept = and_(shots.c.snapshot_id == _JOBS.snapshot_id, shots.c.expires_at > now)
    query = (
        select(ANALYSIS_JOBS, shots.c.title)
        .outerjoin(shots, kept)
        .where(within)
        .order_by(_JOBS.created_at.desc(), _JOBS.job_id.desc())
        .limit(JOBS)
    )
    return tuple(
        TitledJob(job_of(row), row["title"]) for row in connection.execute(query).mappings()
    )


def _hits(connection: Connection, day: date) -> int:
    query = select(func.coalesce(func.sum(CACHE_HITS.c.hits), 0)).where(CACHE_HITS.c.day == day)
    return int(connection.execute(query).scalar_one())


def _count_of(*statuses: Status) -> ColumnElement[int]:
    return func.count().filter(_JOBS.status.in_(statuses))


def _sum(column: ColumnElement[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(column), 0)
