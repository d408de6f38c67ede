"""Ticks, as they are kept: a row for each time a job came round, and what came of it.

The row is the claim as well. Of all schedulers on one database, whoever writes the row of a job and
its minute runs the job; the others find it written. A scheduler that starts reads there what was
missed, and one that dies leaves nothing behind that somebody has to clear away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import Connection, Select, bindparam, delete, func, select, union_all, update

from gotgan.clock import Span
from gotgan.domain import GateDecision
from gotgan.schedule import Tick
from gotgan.scheduler.due import Due
from gotgan.sql import TICKS, Database, insert_into

__all__ = ["KEPT", "JobTicks", "Ticks"]

KEPT: Final = timedelta(days=30)
"""How long a tick is remembered."""
_RUN: Final = ("running", "done", "failed")
_TOLD: Final = 100
_UNENDED: Final = "whoever ran it did not come to an end"


@dataclass(frozen=True)
class JobTicks:
    """The ticks of one job within a span."""

    counts: Mapping[str, int]
    """How many there are, by their status."""
    latest: tuple[Tick, ...]
    """The latest hundred at which it was run, newest first; or where it never was, the last one."""
    later: Tick | None = None
    """The first one after the span that went well, where the last one within it failed."""


_COLUMNS: Final = [TICKS.c[field.name] for field in fields(Tick)]


class Ticks:
    """The ticks of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def claim(self, due: Due, answer: GateDecision, now: datetime) -> Tick | None:
        """Write a tick down; None where somebody else did.

        Unless the job is in progress, whoever ran it before has died where that did not end.
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
            found = _written(connection, row)
            if found is not None and answer.reason != "in_progress":
                _give_up(connection, due)
        return None if found is None else Tick(id=found, **row)

    def end(self, tick: Tick, **changes: Any) -> None:
        """Write down how it ended: ``status``, ``finished_at``, and whatever else changed."""
        statement = update(TICKS).where(TICKS.c.id == tick.id).values(**changes)
        with self._database.begin() as connection:
            connection.execute(statement)

    def last(self, jobs: Iterable[str], now: datetime) -> dict[str, Tick]:
        """The last tick of each job up to now; what a clock that was wrong left ahead is not seen.

        One look into the index for each: a job that comes round every minute has many.
        """
        with self._database.read() as connection:
            asked = ({"job": job, "now": now} for job in jobs)
            rows = [connection.execute(_LATEST, each).one_or_none() for each in asked]
        return {row.job: Tick(*row) for row in rows if row is not None}

    def is_running(self, job: str, at: datetime) -> bool:
        """Whether what a job was to do at some minute is under way, in whichever process."""
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
        """How often each job came round within a span, and the latest ticks that tell most."""
        names = tuple(jobs)
        with self._database.read() as connection:
            counted = _counted(connection, names, span)
            latest = _latest_within(connection, names, span)
            return {
                job: JobTicks(counted[job], latest[job], _mended(connection, latest[job], span))
                for job in names
            }

    def prune(self, now: datetime) -> int:
        """Forget ticks that are older than thirty days; say how many there were."""
        with self._database.begin() as connection:
            return connection.execute(delete(TICKS).where(TICKS.c.at < now - KEPT)).rowcount


def _written(connection: Connection, row: dict[str, Any]) -> int | None:
    insert = insert_into(connection, TICKS).values(row)
    claiming = insert.on_conflict_do_nothing(index_elements=["job", "at"])
    return connection.execute(claiming.returning(TICKS.c.id)).scalar_one_or_none()


def _give_up(connection: Connection, due: Due) -> None:
    """Call failed what is said to run and does not; if it does all the same, its end says so."""
    is_left = TICKS.c.job == due.job.name, TICKS.c.status == "running", TICKS.c.at < due.at
    left = {"status": "failed", "error": _UNENDED}
    connection.execute(update(TICKS).where(*is_left).values(left))


def _counted(connection: Connection, jobs: Sequence[str], span: Span) -> dict[str, dict[str, int]]:
    """How many ticks each job has within a span, by their status."""
    query = (
        select(TICKS.c.job, TICKS.c.status, func.count())
        .where(TICKS.c.job.in_(jobs), TICKS.c.at >= span.first, TICKS.c.at < span.last)
        .group_by(TICKS.c.job, TICKS.c.status)
        .order_by(TICKS.c.job, TICKS.c.status)
    )
    counted: dict[str, dict[str, int]] = {job: {} for job in jobs}
    for job, status, count in connection.execute(query):
        counted[job][status] = count
    return counted


def _latest_within(
    connection: Connection, jobs: tuple[str, ...], span: Span
) -> dict[str, tuple[Tick, ...]]:
    """The latest ticks of each job at which it was run, or where it never was, the last one."""
    rows = connection.execute(_within(jobs), {"first": span.first, "last": span.last})
    ticks = sorted((Tick(*row) for row in rows), key=lambda tick: tick.at, reverse=True)
    found: dict[str, tuple[Tick, ...]] = {}
    for job in jobs:
        of_job = tuple(tick for tick in ticks if tick.job == job)
        found[job] = tuple(tick for tick in of_job if tick.status in _RUN) or of_job
    return found


def _mended(connection: Connection, latest: Sequence[Tick], span: Span) -> Tick | None:
    """When a job went well that had failed when the span ended."""
    if not latest or latest[0].status != "failed":
        return None
    asked = {"job": latest[0].job, "last": span.last}
    row = connection.execute(_DONE_AFTER, asked).one_or_none()
    return None if row is None else Tick(*row)


# Queries are made once: to make them takes longer than to answer them.


@cache
def _within(jobs: tuple[str, ...]) -> Select[Any]:
    """What is told of each job, in one query: a look into the index for each, and another."""
    newest = select(*_COLUMNS).order_by(TICKS.c.at.desc())
    within = newest.where(TICKS.c.at >= bindparam("first"), TICKS.c.at < bindparam("last"))
    ran = within.where(TICKS.c.status.in_(_RUN)).limit(_TOLD)
    left = within.where(TICKS.c.status.not_in(_RUN)).limit(1)
    looks = [query.where(TICKS.c.job == job).subquery() for job in jobs for query in (ran, left)]
    return select(union_all(*map(select, looks)).subquery())


_OF_JOB: Final = select(*_COLUMNS).where(TICKS.c.job == bindparam("job"))
_LATEST: Final = _OF_JOB.where(TICKS.c.at <= bindparam("now")).order_by(TICKS.c.at.desc()).limit(1)
_DONE_AFTER: Final = (
    _OF_JOB.where(TICKS.c.at >= bindparam("last"), TICKS.c.status == "done")
    .order_by(TICKS.c.at)
    .limit(1)
)
