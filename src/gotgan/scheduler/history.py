"""What came of the timetable: ticks page by page, and thirty days of each job at a glance.

A cursor says behind which moment and tick a page begins, so a page costs the same however many
there are before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Select, bindparam, func, select, tuple_

from gotgan.errors import BadCursor
from gotgan.schedule import Tick, TickPage, TickStatus
from gotgan.sql import TICKS, Database

__all__ = ["Counted", "DayOfTicks", "TickHistory", "by_job"]

_WORST_FIRST: Final[tuple[TickStatus, ...]] = ("failed", "running", "done", "waiting", "skipped")
_COLUMNS: Final = [TICKS.c[field.name] for field in fields(Tick)]
_CURSOR: Final = re.compile(r"([0-9]{1,16})-([0-9]{1,9})")
"""What moments and the numbers of rows can be; PostgreSQL refuses larger ones."""
_A_MICROSECOND: Final = timedelta(microseconds=1)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DAY_OF_TICKS: Final = (
    select(TICKS.c.job, TICKS.c.status, func.count())
    .where(TICKS.c.at >= bindparam("first"), TICKS.c.at < bindparam("last"))
    .group_by(TICKS.c.job, TICKS.c.status)
)


Counted: TypeAlias = Mapping[str, Mapping[str, int]]
"""How often jobs came round, by their name and by what came of it."""


@dataclass(frozen=True)
class DayOfTicks:
    """How often a job came round on a day of UTC, by what came of it."""

    day: date
    counts: Mapping[str, int]

    @property
    def status(self) -> TickStatus | None:
        """What is to be said of the day first: a failure before all else; None without a tick."""
        return next((status for status in _WORST_FIRST if self.counts.get(status)), None)


class TickHistory:
    """What is written down in one database."""

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
        """The ticks of one job or of all, with one status or with any, the newest first."""
        query = _ordered(limit + 1, cursor)
        if job is not None:
            query = query.where(TICKS.c.job == job)
        if status is not None:
            query = query.where(TICKS.c.status == status)
        with self._database.read() as connection:
            found = [Tick(*row) for row in connection.execute(query)]
        more = len(found) > limit
        return TickPage(tuple(found[:limit]), _cursor(found[limit - 1]) if more else None)

    def by_day(self, days: Iterable[date]) -> dict[date, Counted]:
        """How often each job came round on some days of UTC.

        Day after day: each is one stretch of an index, and all at once would be sorted first.
        """
        with self._database.read() as connection:
            return {day: _day(connection, day) for day in days}


def by_job(days: Mapping[date, Counted]) -> dict[str, list[DayOfTicks]]:
    """The same days for each job that ticked on any of them, those without a tick too."""
    jobs = dict.fromkeys(job for counted in days.values() for job in counted)
    return {job: [DayOfTicks(day, days[day].get(job, {})) for day in days] for job in jobs}


def _day(connection: Connection, day: date) -> Counted:
    counted: dict[str, dict[str, int]] = {}
    for job, status, count in connection.execute(_DAY_OF_TICKS, _span(day)):
        counted.setdefault(job, {})[status] = count
    return counted


def _span(day: date) -> dict[str, datetime]:
    first = datetime.combine(day, time(), UTC)
    return {"first": first, "last": first + timedelta(days=1)}


def _ordered(limit: int, cursor: str | None) -> Select[Any]:
    place = tuple_(TICKS.c.at, TICKS.c.id)
    query = select(*_COLUMNS).order_by(TICKS.c.at.desc(), TICKS.c.id.desc()).limit(limit)
    return query if cursor is None else query.where(place < _place(cursor))


def _cursor(tick: Tick) -> str:
    return f"{(tick.at - _EPOCH) // _A_MICROSECOND}-{tick.id}"


def _place(cursor: str) -> tuple[datetime, int]:
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise BadCursor("this cursor was changed, or belongs to another list; begin without one")
    return _EPOCH + int(found[1]) * _A_MICROSECOND, int(found[2])
