"""What analyses cost by day in UTC, and what reusing them saved.

Reuses are counted in memory and written now and then: it is better to lose a count when a process
dies than to write for each of them.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, RowMapping, case, func, select

from gotgan.domains.videos.models import Status
from gotgan.domains.videos.reports import DayCost
from gotgan.domains.videos.tables import ANALYSIS_JOBS, ANALYSIS_RESULTS, CACHE_HITS
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.sql import Database, insert_into

_RESULTS: Final = ANALYSIS_RESULTS.c
_JOBS: Final = ANALYSIS_JOBS.c


def read_costs(connection: Connection, days: Sequence[date]) -> dict[date, DayCost]:
    """The costs of successive days, oldest first, also of days without any."""
    costs = {day: DayCost(day) for day in days}
    for row in (*_cost_rows(connection, days), *_reuse_rows(connection, days)):
        day = date.fromisoformat(str(row["day"]))
        costs[day] = replace(costs[day], **{**row, "day": day})
    return costs


def job_figures() -> dict[str, ColumnElement[Any]]:
    """Sums over jobs, however they ended."""
    return {
        "failed": count_jobs("failed"),
        "units": _sum(_JOBS.units),
        "input_tokens": _sum(_JOBS.input_tokens),
        "output_tokens": _sum(_JOBS.output_tokens),
        "cost_usd": func.coalesce(func.sum(_JOBS.cost_usd), 0.0),
        "unpriced": func.count() - func.count(_JOBS.cost_usd),
    }


def count_jobs(*statuses: Status) -> ColumnElement[int]:
    """The number of jobs with one of the statuses."""
    return func.count().filter(_JOBS.status.in_(statuses))


def _cost_rows(connection: Connection, days: Sequence[date]) -> Iterable[RowMapping]:
    ends = {day: datetime.combine(day + timedelta(days=1), time(), UTC) for day in days}
    since = datetime.combine(days[0], time(), UTC)
    within = _JOBS.created_at >= since, _JOBS.created_at < ends[days[-1]]
    day = case(*((_JOBS.created_at < end, str(day)) for day, end in ends.items()))
    figures = {"day": day, "analyses": count_jobs("completed"), **job_figures()}
    query = select(*(figure.label(name) for name, figure in figures.items()))
    return connection.execute(query.where(*within).group_by("day")).mappings()


def _reuse_rows(connection: Connection, days: Sequence[date]) -> Iterable[RowMapping]:
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
    return connection.execute(query.group_by(hits.day)).mappings()


def _sum(column: ColumnElement[int]) -> ColumnElement[int]:
    return func.coalesce(func.sum(column), 0)


_FLUSH_INTERVAL_S: Final = 5.0
"""How long counts stay in memory at most, as long as there are new ones."""


class HitCounter:
    """Counts the reuses of results in one process; safe for all of its threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._counts: Counter[tuple[date, str]] = Counter()
        self._since: float | None = None

    def count(self, result_id: str, now: datetime, monotonic: float) -> None:
        """Count a reuse."""
        with self._lock:
            self._counts[now.date(), result_id] += 1
            self._since = monotonic if self._since is None else self._since
            is_due = monotonic - self._since > _FLUSH_INTERVAL_S
        if is_due:
            self.write()

    def write(self) -> None:
        """Store the counts."""
        with self._lock:
            counts, self._counts, self._since = self._counts, Counter(), None
        if not counts:
            return
        try:
            with self._database.begin() as connection:
                for each in sorted(counts.items()):
                    _add_hits(connection, *each)
        except GotganError as error:  # a count must not fail a request
            emit("videos.hits.unwritten", level="warning", reason=error.message)
            with self._lock:
                self._counts += counts


def _add_hits(connection: Connection, key: tuple[date, str], hits: int) -> None:
    row = {"day": key[0], "analysis_result_id": key[1], "hits": hits}
    insert = insert_into(connection, CACHE_HITS).values(row)
    sums = {"hits": CACHE_HITS.c.hits + insert.excluded.hits}
    keys = [CACHE_HITS.c.day, CACHE_HITS.c.analysis_result_id]
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=sums))
