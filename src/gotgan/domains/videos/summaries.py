"""What a day brought in videos: what was analysed, what failed, and what that cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Any, ClassVar, Final
from zoneinfo import ZoneInfo

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    true,
)

from gotgan.clock import ZONES, Span, Zone, day_span
from gotgan.domains.videos.jobs import job_of
from gotgan.domains.videos.models import Status, VideoJob
from gotgan.domains.videos.tables import ANALYSIS_JOBS, CACHE_HITS, FAILED, VIDEO_SNAPSHOTS

__all__ = ["JOBS", "TitledJob", "VideosDay", "analyses_by_day", "failures_by_day", "videos_day"]

JOBS: Final = 50
"""How many jobs of a day are shown."""
_JOBS: Final = ANALYSIS_JOBS.c
_FIGURE: Final = "figure_"
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
        begun, ended = self.job.started_at, self.job.completed_at
        return None if begun is None or ended is None else (ended - begun).total_seconds()


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


def videos_day(connection: Connection, span: Span, day: date, now: datetime) -> VideosDay:
    """What was asked for within a span, and what came of it; titles as long as they are kept."""
    asked = {"first": span.first, "last": span.last, "now": now, "day": day}
    rows = connection.execute(_of_day(), asked).mappings().all()
    jobs = [row for row in rows if row["job_id"] is not None]
    return VideosDay(
        **{key.removeprefix(_FIGURE): rows[0][key] for key in rows[0] if key.startswith(_FIGURE)},
        jobs=tuple(TitledJob(job_of(row), row["title"]) for row in jobs),
        mended=frozenset(row["job_id"] for row in jobs if row["is_mended"]),
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
    asked = {"first": day_span(days[0], zone).first, "last": day_span(days[-1], zone).last}
    found = connection.execute(_unmended(), asked).scalars()
    counted = Counter(moment.astimezone(ZoneInfo(ZONES[zone])).date() for moment in found)
    return {day: counted[day] for day in days}


# Queries are made once, for to make them takes longer than to answer them; "first" and "last" are
# where the span begins and ends that is asked about.


def _within() -> ColumnElement[bool]:
    return and_(_JOBS.created_at >= bindparam("first"), _JOBS.created_at < bindparam("last"))


def _analysed_since() -> ColumnElement[bool]:
    """Whether a later job of the same video was completed."""
    later = ANALYSIS_JOBS.alias("later")
    return exists().where(
        later.c.video_id == _JOBS.video_id,
        later.c.created_at > _JOBS.created_at,
        later.c.status == "completed",
    )


@cache
def _unmended() -> Select[Any]:
    return select(_JOBS.created_at).where(FAILED, _within(), ~_analysed_since())


@cache
def _of_day() -> Select[Any]:
    """The figures of a day, beside each of its latest jobs; without one they stand alone."""
    figures = [each.label(f"{_FIGURE}{name}") for name, each in _figures().items()]
    spent, latest = select(*figures).where(_within()).subquery(), _latest().subquery()
    order = latest.c.created_at.desc(), latest.c.job_id.desc()
    return select(spent, latest).select_from(spent.outerjoin(latest, true())).order_by(*order)


def _figures() -> dict[str, ColumnElement[Any]]:
    hits = select(func.coalesce(func.sum(CACHE_HITS.c.hits), 0))
    return {
        "completed": _count_of("completed"),
        "failed": _count_of("failed"),
        "open": _count_of("queued", "processing"),
        "units": _sum(_JOBS.units),
        "input_tokens": _sum(_JOBS.input_tokens),
        "output_tokens": _sum(_JOBS.output_tokens),
        "cost_usd": func.coalesce(func.sum(_JOBS.cost_usd), 0.0),
        "unpriced": func.count() - func.count(_JOBS.cost_usd),
        "hits": hits.where(CACHE_HITS.c.day == bindparam("day")).scalar_subquery(),
    }


def _latest() -> Select[Any]:
    shots = VIDEO_SNAPSHOTS
    kept = and_(shots.c.snapshot_id == _JOBS.snapshot_id, shots.c.expires_at > bindparam("now"))
    is_mended = and_(_JOBS.status == "failed", _analysed_since()).label("is_mended")
    return (
        select(ANALYSIS_JOBS, shots.c.title, is_mended)
        .outerjoin(shots, kept)
        .where(_within())
        .order_by(_JOBS.created_at.desc(), _JOBS.job_id.desc())
        .limit(JOBS)
    )


def _count_of(*statuses: Status) -> ColumnElement[int]:
    return func.count().filter(or_(*(_JOBS.status == status for status in statuses)))


def _sum(column: ColumnElement[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(column), 0)
