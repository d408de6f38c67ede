"""Stored ticks: a row for each time a job was due, and its result.

The row is the claim as well. Of all schedulers on one database, the one that inserts the row of a
job and its minute runs the job. A scheduler that starts reads there what it missed, and one that
dies leaves nothing to clean up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    cast,
    delete,
    func,
    null,
    or_,
    select,
    union_all,
    update,
)

from gotgan.clock import Span
from gotgan.domain import GateDecision
from gotgan.messages import Template
from gotgan.schedule import Tick
from gotgan.scheduler.cron import DueJob
from gotgan.sql import TICKS, Database, insert_into

RETENTION: Final = timedelta(days=30)
_RUN_STATUSES: Final = ("running", "done", "failed")
_MAX_LATEST: Final = 100
_UNENDED: Final = Template("schedule.died", "The previous run did not finish.")()


@dataclass(frozen=True)
class JobTicks:
    """The ticks of one job within a span."""

    counts: Mapping[str, int]
    """How many there are, by status."""
    latest: tuple[Tick, ...]
    """The latest hundred runs, newest first; without any, the last tick."""
    later: Tick | None = None
    """The first success after the span, if the last run within it failed."""


_COLUMNS: Final = [TICKS.c[field.name] for field in fields(Tick)]


class Ticks:
    """The ticks of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, due: DueJob, answer: GateDecision, now: datetime) -> Tick | None:
        """Insert a tick; None if another scheduler did.

        Unless the job is in progress, an earlier run that has not ended has died.
        """
        is_run = answer.status == "run"
        row: dict[str, Any] = {
            "job": due.job.name,
            "at": due.at,
            "status": "running" if is_run else answer.status,
            "reason": answer.reason,
            "words": answer.words,
            "finished_at": None if is_run else now,
            "error": answer.words if answer.status == "failed" else None,
            "started_at": now if is_run else None,
        }
        with self._database.begin() as connection:
            found = _insert(connection, row)
            if found is not None and answer.reason != "in_progress":
                _give_up(connection, due)
        return None if found is None else Tick(id=found, **row)

    def end(self, tick: Tick, **changes: Any) -> None:
        """Store the result: ``status``, ``finished_at`` and other columns."""
        statement = update(TICKS).where(TICKS.c.id == tick.id).values(**changes)
        with self._database.begin() as connection:
            connection.execute(statement)

    def last(self, jobs: Iterable[str], now: datetime) -> dict[str, Tick]:
        """The last tick of each job up to now; later ones, of a wrong clock, are ignored.

        One index lookup for each: a job that runs every minute has many ticks.
        """
        with self._database.read() as connection:
            asked = ({"job": job, "now": now} for job in jobs)
            rows = [connection.execute(_LATEST, each).one_or_none() for each in asked]
        return {row.job: Tick(*row) for row in rows if row is not None}

    def is_running(self, job: str, at: datetime) -> bool:
        """Whether the tick of a job at some minute is running, in any process."""
        query = select(TICKS.c.status).where(TICKS.c.job == job, TICKS.c.at == at)
        with self._database.read() as connection:
            return connection.execute(query).scalar_one_or_none() == "running"

    def history(self, job: str | None = None, *, limit: int = 50) -> list[Tick]:
        """The latest ticks of one job or of all, newest first."""
        query = select(*_COLUMNS).order_by(TICKS.c.at.desc(), TICKS.c.id.desc()).limit(limit)
        chosen = query if job is None else query.where(TICKS.c.job == job)
        with self._database.read() as connection:
            return [Tick(*row) for row in connection.execute(chosen)]

    def within(self, jobs: Iterable[str], span: Span) -> dict[str, JobTicks]:
        """How often each job was due within a span, and its latest ticks."""
        names = tuple(jobs)
        counts: dict[str, dict[str, int]] = {job: {} for job in names}
        found: dict[str, list[Tick]] = {job: [] for job in names}
        with self._database.read() as connection:
            asked = {"first": span.first, "last": span.last}
            for row in connection.execute(_within(names), asked):
                if row.at is None:
                    counts[row.job][row.status] = row.id
                else:
                    found[row.job].append(Tick(*row))
        return {job: _job_ticks(counts[job], found[job], span) for job in names}

    def prune(self, now: datetime) -> int:
        """Delete ticks that are older than thirty days; return how many."""
        with self._database.begin() as connection:
            return connection.execute(delete(TICKS).where(TICKS.c.at < now - RETENTION)).rowcount


def _insert(connection: Connection, row: dict[str, Any]) -> int | None:
    insert = insert_into(connection, TICKS).values(row)
    claiming = insert.on_conflict_do_nothing(index_elements=["job", "at"])
    return connection.execute(claiming.returning(TICKS.c.id)).scalar_one_or_none()


def _give_up(connection: Connection, due: DueJob) -> None:
    """Mark runs as failed that have not ended; if one does run, its end corrects that."""
    is_left = TICKS.c.job == due.job.name, TICKS.c.status == "running", TICKS.c.at < due.at
    left = {"status": "failed", "error": _UNENDED}
    connection.execute(update(TICKS).where(*is_left).values(left))


def _job_ticks(counts: Mapping[str, int], found: Iterable[Tick], span: Span) -> JobTicks:
    """The ticks of a job within a span; after a failure, also its next success."""
    newest = sorted(found, key=lambda tick: tick.at, reverse=True)
    within = tuple(tick for tick in newest if tick.at < span.last)
    latest = tuple(tick for tick in within if tick.status in _RUN_STATUSES) or within
    has_failed = bool(latest) and latest[0].status == "failed"
    later = next((tick for tick in newest if tick.at >= span.last), None) if has_failed else None
    return JobTicks(dict(sorted(counts.items())), latest, later)


@cache
def _within(jobs: tuple[str, ...]) -> Select[Any]:
    """Some jobs within a span, in one query; cached, because building it takes longer than running.

    For each job: its latest runs, the last tick without a run, its first success after the span.
    The number of ticks by status are rows without a time, whose ID is the number.
    """
    bounds = TICKS.c.at >= bindparam("first"), TICKS.c.at < bindparam("last")
    within = select(*_COLUMNS).where(*bounds).order_by(TICKS.c.at.desc())
    was_run = or_(
        *(TICKS.c.status == status for status in _RUN_STATUSES)
    )  # a list is expanded each time
    looks = (
        within.where(was_run).limit(_MAX_LATEST),
        within.where(~was_run).limit(1),
        _DONE_AFTER,
    )
    of_jobs = [look.where(TICKS.c.job == job).subquery() for job in jobs for look in looks]
    numbers = {"id": func.count(), "job": TICKS.c.job, "status": TICKS.c.status}
    columns = [
        numbers.get(each.name, cast(null(), each.type)).label(each.name) for each in _COLUMNS
    ]
    is_asked = or_(*(TICKS.c.job == job for job in jobs))
    counted = select(*columns).where(is_asked, *bounds)
    counts = counted.group_by(TICKS.c.job, TICKS.c.status).subquery()
    return select(union_all(*map(select, [*of_jobs, counts])).subquery())


_LATEST: Final = (
    select(*_COLUMNS)
    .where(TICKS.c.job == bindparam("job"), TICKS.c.at <= bindparam("now"))
    .order_by(TICKS.c.at.desc())
    .limit(1)
)
_DONE_AFTER: Final = (
    select(*_COLUMNS)
    .where(TICKS.c.at >= bindparam("last"), TICKS.c.status == "done")
    .order_by(TICKS.c.at)
    .limit(1)
)
