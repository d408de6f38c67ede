"""A day of videos: analyses, failures and costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

import sqlalchemy as sa

from gotgan.clock import ZONES, Span, Zone, day_span
from gotgan.domains.videos.costs import count_jobs, job_figures
from gotgan.domains.videos.jobs import job_from_row
from gotgan.domains.videos.models import OPEN_STATUSES, VideoJob
from gotgan.domains.videos.tables import ANALYSIS_JOBS, CACHE_HITS, FAILED, VIDEO_SNAPSHOTS

MAX_JOBS_SHOWN: Final = 50
"""How many jobs of a day are shown."""
_COLUMNS: Final = ANALYSIS_JOBS.c
_FIGURE_PREFIX: Final = "figure_"
"""Before the name of what is counted: jobs have columns of the same names."""


@dataclass(frozen=True)
class TitledJob:
    """A job, and the title of its video."""

    shown: ClassVar = {
        **{key: f"job.{name}" for key, name in VideoJob.shown.items()},
        "title": "title",
        "seconds": "seconds",
    }

    job: VideoJob
    title: str | None
    """Null if what was collected of the video has expired."""

    @property
    def seconds(self) -> float | None:
        """How long it took from its first attempt to its end."""
        started, ended = self.job.started_at, self.job.completed_at
        return None if started is None or ended is None else (ended - started).total_seconds()


@dataclass(frozen=True)
class VideosDay:
    """The videos of a day: the jobs that were created on it."""

    shown: ClassVar = (
        "completed",
        "failed",
        "open",
        "jobs",
        "units",
        "input_tokens",
        "output_tokens",
        "cost_usd",
        "unpriced",
        "hits",
    )

    completed: int
    failed: int
    open: int
    """Jobs that are queued or running."""
    jobs: tuple[TitledJob, ...]
    """The latest jobs, at most 50."""
    units: int
    """Units of the YouTube quota."""
    input_tokens: int
    output_tokens: int
    cost_usd: float
    unpriced: int
    """Jobs of a model without a known price."""
    hits: int
    """How often a stored result was reused, on the UTC day of that date."""
    mended: frozenset[str] = frozenset()
    """Those of ``jobs`` that failed and whose videos were analysed since, on any day."""


def videos_day(connection: sa.Connection, span: Span, day: date, now: datetime) -> VideosDay:
    """The jobs that were created within a span; titles while they are stored."""
    values = {"first": span.first, "last": span.last, "now": now, "day": day}
    rows = connection.execute(_day_query(), values).mappings().all()
    jobs = [row for row in rows if row["job_id"] is not None]
    figures = {key: value for key, value in rows[0].items() if key.startswith(_FIGURE_PREFIX)}
    return VideosDay(
        **{key.removeprefix(_FIGURE_PREFIX): value for key, value in figures.items()},
        jobs=tuple(TitledJob(job_from_row(row), row["title"]) for row in jobs),
        mended=frozenset(row["job_id"] for row in jobs if row["is_mended"]),
    )


def analyses_by_day(connection: sa.Connection, days: Sequence[date], zone: Zone) -> dict[date, int]:
    """How many of the jobs that were created on each of successive days were completed."""
    return _count_by_day(connection, _analyses_query(), days, zone)


def failures_by_day(connection: sa.Connection, days: Sequence[date], zone: Zone) -> dict[date, int]:
    """How many jobs of each of successive days failed, whose videos were not analysed since."""
    return _count_by_day(connection, _failures_query(), days, zone)


def _count_by_day(
    connection: sa.Connection, query: sa.Select[Any], days: Sequence[date], zone: Zone
) -> dict[date, int]:
    span = {"first": day_span(days[0], zone).first, "last": day_span(days[-1], zone).last}
    moments = connection.execute(query, span).scalars()
    counts = Counter(moment.astimezone(ZoneInfo(ZONES[zone])).date() for moment in moments)
    return {day: counts[day] for day in days}


# Queries are cached, since building one takes longer than running it; "first" and "last" are the
# ends of the span.


def _within_span() -> sa.ColumnElement[bool]:
    return sa.and_(
        _COLUMNS.created_at >= sa.bindparam("first"), _COLUMNS.created_at < sa.bindparam("last")
    )


def _analysed_since() -> sa.ColumnElement[bool]:
    """Whether a later job of the same video was completed."""
    later = ANALYSIS_JOBS.alias("later")
    return sa.exists().where(
        later.c.video_id == _COLUMNS.video_id,
        later.c.created_at > _COLUMNS.created_at,
        later.c.status == "completed",
    )


@cache
def _analyses_query() -> sa.Select[Any]:
    return sa.select(_COLUMNS.created_at).where(_within_span(), _COLUMNS.status == "completed")


@cache
def _failures_query() -> sa.Select[Any]:
    return sa.select(_COLUMNS.created_at).where(FAILED, _within_span(), ~_analysed_since())


@cache
def _day_query() -> sa.Select[Any]:
    """The figures of a day, joined to each of its latest jobs; a day without jobs has one row."""
    hits = sa.select(sa.func.coalesce(sa.func.sum(CACHE_HITS.c.hits), 0))
    figures: dict[str, sa.ColumnElement[Any]] = {
        "completed": count_jobs("completed"),
        "open": count_jobs(*OPEN_STATUSES),
        "hits": hits.where(CACHE_HITS.c.day == sa.bindparam("day")).scalar_subquery(),
        **job_figures(),
    }
    labelled = [figure.label(f"{_FIGURE_PREFIX}{name}") for name, figure in figures.items()]
    sums, latest = sa.select(*labelled).where(_within_span()).subquery(), _latest_jobs().subquery()
    order = latest.c.created_at.desc(), latest.c.job_id.desc()
    return sa.select(sums, latest).select_from(sums.outerjoin(latest, sa.true())).order_by(*order)


def _latest_jobs() -> sa.Select[Any]:
    shots = VIDEO_SNAPSHOTS.c
    kept = sa.and_(
        shots.snapshot_id == _COLUMNS.snapshot_id, shots.expires_at > sa.bindparam("now")
    )
    is_mended = sa.and_(_COLUMNS.status == "failed", _analysed_since()).label("is_mended")
    return (
        sa.select(ANALYSIS_JOBS, shots.title, is_mended)
        .outerjoin(VIDEO_SNAPSHOTS, kept)
        .where(_within_span())
        .order_by(_COLUMNS.created_at.desc(), _COLUMNS.job_id.desc())
        .limit(MAX_JOBS_SHOWN)
    )
