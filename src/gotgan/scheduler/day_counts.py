"""How the timetable did on each of some days, in numbers alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from sqlalchemy import Select, case, func, select

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
        for number, status, count in connection.execute(_counted(jobs, days, zone)):
            counted[days[number]][status] = count
    return dict(counted)


def _counted(jobs: Sequence[str], days: Sequence[date], zone: Zone) -> Select[Any]:
    """Every tick by the number of the day that it lies in, counted in one pass.

    Days of a zone are not those of the database, and some have 23 or 25 hours; so they are told
    apart by where they end. Ticks are found by their jobs, for so the index has them.
    """
    spans = [day_span(day, zone) for day in days]
    number = case(*((TICKS.c.at < span.last, place) for place, span in enumerate(spans)))
    runs = select(number.label("number"), TICKS.c.status).where(
        TICKS.c.job.in_(jobs),
        TICKS.c.at >= spans[0].first,
        TICKS.c.at < spans[-1].last,
        TICKS.c.status.in_(_RUN),
    )
    found = runs.subquery().c
    return select(found.number, found.status, func.count()).group_by(found.number, found.status)
