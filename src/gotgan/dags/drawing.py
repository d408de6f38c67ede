"""What all DAGs have in common."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from airflow.sdk import DAG, CronPartitionTimetable, CronTriggerTimetable

from gotgan.app import App
from gotgan.schedule import Job, jobs
from gotgan.settings import Settings

__all__ = ["at_times", "by_day", "drawn", "job_named", "opened"]

_START: Final = datetime(2025, 1, 1, tzinfo=UTC)
_RETRY: Final = {"retries": 1, "retry_delay": timedelta(seconds=30)}
"""For workers and databases that went away; what failed by itself is noted, and asks the gate."""


@contextmanager
def opened() -> Iterator[App]:
    """Gotgan as the environment of the worker has it, for as long as one task takes."""
    with App.open(Settings.from_env()) as app:
        app.database.prepare()
        yield app


def job_named(name: str) -> Job:
    """A line of the timetable."""
    return next(job for job in jobs() if job.name == name)


def at_times(job: Job, settings: Settings) -> CronTriggerTimetable:
    """When a job comes round."""
    return CronTriggerTimetable(job.cron, timezone=job.zone or settings.zone)


def by_day(job: Job, settings: Settings) -> CronPartitionTimetable:
    """When a job comes round that is about a day: all its runs of a day have the same key."""
    zone = job.zone or settings.zone
    return CronPartitionTimetable(job.cron, timezone=zone, key_format="%Y-%m-%d")


def drawn(dag_id: str, words: str, schedule: Any, **more: Any) -> DAG:
    """A DAG; one run at a time, and none for the time before it was switched on."""
    return DAG(
        dag_id,
        description=words,
        schedule=schedule,
        start_date=_START,
        catchup=False,
        max_active_runs=1,
        default_args=_RETRY,
        tags=["gotgan"],
        **more,
    )
