"""The timetable at work on one day: how often each job was run, how long, and what that took."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from gotgan.clock import Span
from gotgan.day.page import JobDay, WorkTick
from gotgan.domain import GO, Job
from gotgan.schedule import Tick
from gotgan.scheduler.due import next_at
from gotgan.scheduler.ticks import JobTicks, Ticks

__all__ = ["work_of"]


def work_of(
    jobs: Iterable[Job], ticks: Ticks, span: Span, now: datetime, zone: str
) -> tuple[JobDay, ...]:
    """What all jobs did within a span; ``zone`` is that of the settings."""
    chosen = list(jobs)
    found = ticks.within([job.name for job in chosen], span)
    return tuple(_job_day(job, found[job.name], next_at(job, now, zone)) for job in chosen)


def _job_day(job: Job, found: JobTicks, coming: datetime) -> JobDay:
    ran = tuple(_work_tick(tick) for tick in found.latest if _was_run(tick))
    left = next((tick.words for tick in found.latest if not _was_run(tick)), None)
    return JobDay(
        job=job.name,
        words=job.words,
        counts=found.counts,
        why=left,
        seconds=sum(tick.seconds or 0.0 for tick in ran),
        reads=sum(tick.reads or 0.0 for tick in ran),
        writes=sum(tick.writes or 0.0 for tick in ran),
        ticks=ran,
        later=None if found.later is None else _work_tick(found.later),
        next_at=coming,
    )


def _was_run(tick: Tick) -> bool:
    return tick.status in {"running", "done", "failed"}


def _work_tick(tick: Tick) -> WorkTick:
    return WorkTick(
        at=tick.at,
        status=tick.status,
        words=None if tick.words == GO.words else tick.words,
        error=tick.error,
        started_at=tick.started_at,
        finished_at=tick.finished_at,
        reads=tick.reads,
        writes=tick.writes,
    )
