"""The history of the schedule: ticks page by page, counts by day, and the jobs of one day.

A cursor is a time and a tick, so a page costs the same however many there are before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any, Final, TypeAlias

from sqlalchemy import BindParameter, Connection, Select, bindparam, case, func, or_, select, tuple_

from gotgan.clock import Span, Zone, day_span
from gotgan.day.page import JobDay, WorkTick
from gotgan.domain import GO, Job
from gotgan.errors import BadCursor
from gotgan.messages import HELP, Template
from gotgan.schedule import Tick, TickPage, TickStatus
from gotgan.scheduler.cron import next_at
from gotgan.scheduler.ticks import JobTicks, Ticks
from gotgan.sql import TICKS, Database

_WORST_FIRST: Final[tuple[TickStatus, ...]] = ("failed", "running", "done", "waiting", "skipped")
_COLUMNS: Final = [TICKS.c[field.name] for field in fields(Tick)]
_BAD_CURSOR: Final = Template(
    "schedule.bad_cursor", "The cursor was changed or belongs to another list. Start without one."
)
_CURSOR: Final = re.compile(r"([0-9]{1,16})-([0-9]{1,9})")
"""A time in microseconds and a row number; PostgreSQL refuses larger ones."""
_A_MICROSECOND: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TICKS_OF_DAY: Final = (
    select(TICKS.c.job, TICKS.c.status, func.count())
    .where(TICKS.c.at >= bindparam("first"), TICKS.c.at < bindparam("last"))
    .group_by(TICKS.c.job, TICKS.c.status)
)


JobCounts: TypeAlias = Mapping[str, Mapping[str, int]]
"""How often jobs were due, by name and status."""


@dataclass(frozen=True)
class TickDay:
    """How often a job was due on a UTC day, by status."""

    day: date
    counts: Mapping[str, int]

    @property
    def status(self) -> TickStatus | None:
        """The worst status of the day; None without a tick."""
        return next((status for status in _WORST_FIRST if self.counts.get(status)), None)


class TickHistory:
    """The ticks of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(
        self,
        job: str | None = None,
        *,
        status: TickStatus | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> TickPage:
        """Ticks, optionally of one job or status, newest first."""
        query = _page_query(limit + 1, cursor)
        if job is not None:
            query = query.where(TICKS.c.job == job)
        if status is not None:
            query = query.where(TICKS.c.status == status)
        with self._database.read() as connection:
            found = [Tick(*row) for row in connection.execute(query)]
        more = len(found) > limit
        return TickPage(tuple(found[:limit]), _cursor(found[limit - 1]) if more else None)

    def by_day(self, days: Iterable[date]) -> dict[date, JobCounts]:
        """How often each job was due on some UTC days.

        One query for each day: it reads one range of an index, and needs no sorting.
        """
        with self._database.read() as connection:
            return {day: _day(connection, day) for day in days}


def by_job(days: Mapping[date, JobCounts]) -> dict[str, list[TickDay]]:
    """The same days for each job, with those without a tick."""
    jobs = dict.fromkeys(job for counted in days.values() for job in counted)
    return {job: [TickDay(day, days[day].get(job, {})) for day in days] for job in jobs}


def _day(connection: Connection, day: date) -> JobCounts:
    counted: dict[str, dict[str, int]] = {}
    for job, status, count in connection.execute(_TICKS_OF_DAY, _span(day)):
        counted.setdefault(job, {})[status] = count
    return counted


def _span(day: date) -> dict[str, datetime]:
    first = datetime.combine(day, time(), UTC)
    return {"first": first, "last": first + timedelta(days=1)}


def _page_query(limit: int, cursor: str | None) -> Select[Any]:
    place = tuple_(TICKS.c.at, TICKS.c.id)
    query = select(*_COLUMNS).order_by(TICKS.c.at.desc(), TICKS.c.id.desc()).limit(limit)
    return query if cursor is None else query.where(place < _place(cursor))


def _cursor(tick: Tick) -> str:
    return f"{(tick.at - _EPOCH) // _A_MICROSECOND}-{tick.id}"


def _place(cursor: str) -> tuple[datetime, int]:
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise BadCursor(_BAD_CURSOR())
    return _EPOCH + int(found[1]) * _A_MICROSECOND, int(found[2])


_RUN_STATUSES: Final = ("running", "done", "failed")


def runs_by_day(
    database: Database, jobs: Sequence[str], days: Sequence[date], zone: Zone
) -> dict[date, Mapping[str, int]]:
    """How often some jobs ran on each of some consecutive days, by status."""
    counted: dict[date, Counter[str]] = {day: Counter() for day in days}
    with database.read() as connection:
        spans = [day_span(day, zone) for day in days]
        asked = {f"end_{place}": span.last for place, span in enumerate(spans)}
        query = _counts_query(tuple(jobs), len(spans))
        rows = connection.execute(query, {**asked, "first": spans[0].first})
        for number, status, count in rows:
            counted[days[number]][status] = count
    return dict(counted)


@cache
def _counts_query(jobs: tuple[str, ...], days: int) -> Select[Any]:
    """Ticks by the number of their day, in one pass; cached, as building it takes longer.

    Days of a zone are not those of the database, and some have 23 or 25 hours, so they are
    separated by their ends. The index finds ticks by job.
    """
    ends: list[BindParameter[Any]] = [bindparam(f"end_{place}") for place in range(days)]
    number = case(*((TICKS.c.at < end, place) for place, end in enumerate(ends)))
    runs = select(number.label("number"), TICKS.c.status).where(
        or_(*(TICKS.c.job == job for job in jobs)),
        TICKS.c.at >= bindparam("first"),
        TICKS.c.at < ends[-1],
        or_(*(TICKS.c.status == status for status in _RUN_STATUSES)),
    )
    found = runs.subquery().c
    return select(found.number, found.status, func.count()).group_by(found.number, found.status)


def job_days(
    jobs: Iterable[Job], ticks: Ticks, span: Span, now: datetime, zone: str
) -> tuple[JobDay, ...]:
    """The work of all jobs within a span; ``zone`` is that of the settings."""
    chosen = list(jobs)
    found = ticks.within([job.name for job in chosen], span)
    return tuple(_job_day(job, found[job.name], next_at(job, now, zone)) for job in chosen)


def _job_day(job: Job, found: JobTicks, coming: datetime) -> JobDay:
    ran = tuple(_work_tick(tick) for tick in found.latest if _was_run(tick))
    left = next((tick.words for tick in found.latest if not _was_run(tick)), None)
    return JobDay(
        job=job.name,
        words=HELP(text=job.words),
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
