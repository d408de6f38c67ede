"""Ticks, as they are kept: a row for each time a job came round, and what came of it.

The row is the claim as well. Of all schedulers on one database, whoever writes the row of a job and
its minute runs the job; the others find it written. A scheduler that starts reads there what was
missed, and one that dies leaves nothing behind that somebody has to clear away.
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


def _job_ticks(counts: Mapping[str, int], found: Iterable[Tick], span: Span) -> JobTicks:
    """What a job did within a span; where it failed last, also when it succeeded after that."""
    newest = sorted(found, key=lambda tick: tick.at, reverse=True)
    within = tuple(tick for tick in newest if tick.at < span.last)
    latest = tuple(tick for tick in within if tick.status in _RUN) or within
    has_failed = bool(latest) and latest[0].status == "failed"
    later = next((tick for tick in newest if tick.at >= span.last), None) if has_failed else None
    return JobTicks(dict(sorted(counts.items())), latest, later)


# Queries are made once: to make them takes longer than to answer them.


@cache
def _within(jobs: tuple[str, ...]) -> Select[Any]:
    """All about some jobs within a span, in one query: some looks into the index for each.

    These are its latest runs, the last tick at which it was not run, and its first success after
    the span. How many ticks there are of each status are rows without a time, whose ID is the
    number.
    """
    bounds = TICKS.c.at >= bindparam("first"), TICKS.c.at < bindparam("last")
    within = select(*_COLUMNS).where(*bounds).order_by(TICKS.c.at.desc())
    was_run = or_(*(TICKS.c.status == status for status in _RUN))  # a list is expanded each time
    looks = (
        within.where(was_run).limit(_TOLD),
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
