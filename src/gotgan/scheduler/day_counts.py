"""How the timetable did on each of some days, in numbers alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, Final

from sqlalchemy import BindParameter, Select, bindparam, case, func, or_, select

from gotgan.clock import Zone, day_span
from gotgan.sql import TICKS, Database

__all__ = ["runs_by_day"]

_RUN: Final = ("running", "done", "failed")


def runs_by_day(
    database: Database, jobs: Sequence[str], days: Sequence[date], zone: Zone
) -> dict[date, Mapping[str, int]]:
    """How often some jobs were run on each of some days in a row, by what came of it."""
    counted: dict[date, Counter[str]] = {day: Counter() for day in days}
    with database.read() as connection:
        spans = [day_span(day, zone) for day in days]
        asked = {f"end_{place}": span.last for place, span in enumerate(spans)}
        query = _counted(tuple(jobs), len(spans))
        rows = connection.execute(query, {**asked, "first": spans[0].first})
        for number, status, count in rows:
            counted[days[number]][status] = count
    return dict(counted)


@cache
def _counted(jobs: tuple[str, ...], days: int) -> Select[Any]:
    """Every tick by the number of the day that it lies in, counted in one pass.

    Days of a zone are not those of the database, and some have 23 or 25 hours; so they are told
    apart by where they end. Ticks are found by their jobs, for so the index has them. It is made
    once, for to make it takes longer than to answer it.
    """
    ends: list[BindParameter[Any]] = [bindparam(f"end_{place}") for place in range(days)]
    number = case(*((TICKS.c.at < end, place) for place, end in enumerate(ends)))
    runs = select(number.label("number"), TICKS.c.status).where(
        or_(*(TICKS.c.job == job for job in jobs)),
        TICKS.c.at >= bindparam("first"),
        TICKS.c.at < ends[-1],
        or_(*(TICKS.c.status == status for status in _RUN)),
    )
    found = runs.subquery().c
    return select(found.number, found.status, func.count()).group_by(found.number, found.status)
