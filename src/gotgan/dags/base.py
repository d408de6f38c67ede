"""What all DAGs share: the app, timetables, gates, and how errors end a task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, TypeAlias

from airflow.sdk import DAG, CronPartitionTimetable, CronTriggerTimetable, get_current_context
from airflow.sdk.exceptions import AirflowFailException

from gotgan.app import App
from gotgan.dags.payloads import run_date, to_json
from gotgan.domain import GateDecision, Job
from gotgan.domains.market import collector, indicator_run
from gotgan.domains.market.collector import as_gotgan_error
from gotgan.errors import DatabaseUnavailable, GotganError
from gotgan.events import emit
from gotgan.schedule import jobs
from gotgan.settings import Settings

_Work: TypeAlias = collector.CollectionWork | indicator_run.IndicatorWork
_START_DATE: Final = datetime(2025, 1, 1, tzinfo=UTC)
_DEFAULT_ARGS: Final = {"retries": 1, "retry_delay": timedelta(seconds=30)}
"""For lost workers and databases; other failures are recorded, and the gate decides."""


@contextmanager
def open_app() -> Iterator[App]:
    """The app of the worker's environment, for one task."""
    with App.open(Settings.from_env()) as app:
        app.database.prepare()
        yield app


def find_job(name: str) -> Job:
    """The job of a name."""
    return next(job for job in jobs() if job.name == name)


def cron_timetable(job: Job, settings: Settings) -> CronTriggerTimetable:
    """The schedule of a job."""
    return CronTriggerTimetable(job.cron, timezone=job.zone or settings.zone)


def daily_timetable(job: Job, settings: Settings) -> CronPartitionTimetable:
    """The schedule of a job about a day: all its runs of a day have the same key."""
    zone = job.zone or settings.zone
    return CronPartitionTimetable(job.cron, timezone=zone, key_format="%Y-%m-%d")


def make_dag(dag_id: str, words: str, schedule: Any, **more: Any) -> DAG:
    """A DAG with one run at a time and no catch-up."""
    return DAG(
        dag_id,
        description=words,
        schedule=schedule,
        start_date=_START_DATE,
        catchup=False,
        max_active_runs=1,
        default_args=_DEFAULT_ARGS,
        tags=["gotgan"],
        **more,
    )


@contextmanager
def record_failure(note: Callable[[GotganError], None]) -> Iterator[None]:
    """Record an error and fail without retries: the gate decides when to try again.

    An unavailable database cannot record anything; then Airflow retries the task.
    """
    try:
        yield
    except DatabaseUnavailable:
        raise
    except Exception as error:
        failure = as_gotgan_error(error)
        note(failure)
        raise _final_failure(failure) from error


@contextmanager
def retry_transient() -> Iterator[None]:
    """Let Airflow retry transient errors only; a block or a wrong password is none."""
    try:
        yield
    except GotganError as error:
        if error.retry:
            raise
        raise _final_failure(error) from error


def _final_failure(error: GotganError) -> AirflowFailException:
    return AirflowFailException(f"{error.message} [{error.code}]")


def is_gate_open(decision: GateDecision) -> bool:
    """Whether a gate lets a run through; logs its decision."""
    emit("airflow.gate", status=decision.status, reason=decision.reason, words=decision.words)
    return decision.status == "run"


def run_day(app: App) -> date:
    """The day that the run of this task is about."""
    return run_date(get_current_context(), app.settings.zone)


def begin_work(app: App, begin: Callable[[date], _Work | GateDecision]) -> dict[str, Any] | None:
    """The claimed work of this run as JSON; None if the gate is closed."""
    ready = app.market.is_ready()
    work = begin(run_day(app)) if ready.status == "run" else ready
    is_gate_open(work.decision if isinstance(work, _Work) else work)
    return to_json(work) if isinstance(work, _Work) else None
