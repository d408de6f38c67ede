"""What analyses cost, day by day in UTC, and what it saved to give some of them again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, case, func, select

from gotgan.domains.videos.models import Status
from gotgan.domains.videos.reports import DayCost
from gotgan.domains.videos.tables import ANALYSIS_JOBS, ANALYSIS_RESULTS, CACHE_HITS

__all__ = ["read_costs"]

_RESULTS: Final = ANALYSIS_RESULTS.c
_JOBS: Final = ANALYSIS_JOBS.c
_A_DAY: Final = timedelta(days=1)


def read_costs(connection: Connection, days: Sequence[date]) -> dict[date, DayCost]:
    """What each of some days in a row cost, the oldest first; nothing, where nothing happened."""
    kept = {day: DayCost(day) for day in days}
    for rows in (_spent(connection, days), _given_again(connection, days)):
        for row in rows:
            figures = dict(row._mapping)  # noqa: SLF001 - it is the documented way to a mapping
            day = date.fromisoformat(str(figures.pop("day")))
            kept[day] = replace(kept[day], **figures)
    return kept


def _spent(connection: Connection, days: Sequence[date]) -> Iterable[Row[Any]]:
    """What jobs have cost, whatever came of them."""
    ends = {day: datetime.combine(day + _A_DAY, time(), UTC) for day in days}
    since = datetime.combine(days[0], time(), UTC)
    within = _JOBS.created_at >= since, _JOBS.created_at < ends[days[-1]]
    day = case(*((_JOBS.created_at < end, str(day)) for day, end in ends.items()))
    query = select(
        day.label("day"),
        _count_of("completed").label("analyses"),
        _count_of("failed").label("failed"),
        _sum(_JOBS.units).label("units"),
        _sum(_JOBS.input_tokens).label("input_tokens"),
        _sum(_JOBS.output_tokens).label("output_tokens"),
        func.coalesce(func.sum(_JOBS.cost_usd), 0.0).label("cost_usd"),
        (func.count() - func.count(_JOBS.cost_usd)).label("unpriced"),
    )
    return connection.execute(query.where(*within).group_by("day"))


def _count_of(status: Status) -> ColumnElement[int]:
    return func.count(case((_JOBS.status == status, 1)))


def _given_again(connection: Connection, days: Sequence[date]) -> Iterable[Row[Any]]:
    hits = CACHE_HITS.c
    query = (
        select(
            hits.day,
            _sum(hits.hits).label("hits"),
            _sum(hits.hits * _RESULTS.units).label("saved_units"),
            func.coalesce(func.sum(hits.hits * _RESULTS.cost_usd), 0.0).label("saved_usd"),
        )
        .join(ANALYSIS_RESULTS, _RESULTS.id == hits.analysis_result_id)
        .where(hits.day.between(days[0], days[-1]))
    )
    return connection.execute(query.group_by(hits.day))


def _sum(column: ColumnElement[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(column), 0)
