"""How days stand, in words: what has happened, what will happen next, and why."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime
from functools import cache
from typing import Any

from sqlalchemy import Select, bindparam, select, union

from gotgan.domains.market import indicator_logs, logs
from gotgan.domains.market.gate import DecisionRules, decide_collection, decide_indicators
from gotgan.domains.market.keys import INDICATORS_KEY, KEYS, day_key
from gotgan.domains.market.models import CollectionLog, IndicatorLog
from gotgan.domains.market.reports import DayStatus
from gotgan.domains.market.tables import COLLECTION_LOG, INDICATOR_LOG
from gotgan.domains.market.wording import DecisionWording
from gotgan.sql import Database, Lease

__all__ = ["month_of", "status_of"]


def month_of(year: int, month: int) -> tuple[date, date]:
    """The first and the last day of a month."""
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def status_of(
    database: Database,
    rules: DecisionRules,
    span: tuple[date, date],
    now: datetime,
    wording: DecisionWording,
) -> list[DayStatus]:
    """How all days of a span stand, closed ones too."""
    first, last = span
    leases = _Held(database)
    known, calculated = _logs(database, first, last)
    days = (date.fromordinal(number) for number in range(first.toordinal(), last.toordinal() + 1))
    return [
        DayStatus(
            day=day,
            closed=rules.calendar.why(day),
            log=known.get(day),
            indicators=calculated.get(day),
            collection=decide_collection(now, day, known.get(day), leases.of(day), rules),
            calculation=decide_indicators(
                now, day, known.get(day), calculated.get(day), leases.of_indicators(), rules
            ),
            wording=wording,
        )
        for day in days
    ]


@cache
def _logs_of_span() -> Select[Any]:
    """Both logs side by side; a day may be in only one of them."""
    both = COLLECTION_LOG, INDICATOR_LOG
    within = [log.c.date.between(bindparam("first"), bindparam("last")) for log in both]
    days = union(*(select(log.c.date).where(each) for log, each in zip(both, within, strict=True)))
    logged = days.subquery()
    source = logged.outerjoin(COLLECTION_LOG, COLLECTION_LOG.c.date == logged.c.date)
    source = source.outerjoin(INDICATOR_LOG, INDICATOR_LOG.c.date == logged.c.date)
    return select(*both).select_from(source)


def _logs(
    database: Database, first: date, last: date
) -> tuple[dict[date, CollectionLog], dict[date, IndicatorLog]]:
    with database.read() as connection:
        rows = connection.execute(_logs_of_span(), {"first": first, "last": last}).all()
    names, others = COLLECTION_LOG.c.keys(), INDICATOR_LOG.c.keys()
    collected = (dict(zip(names, row, strict=False)) for row in rows)
    calculated = (dict(zip(others, row[len(names) :], strict=True)) for row in rows)
    return (
        {row["date"]: logs.log_of(row) for row in collected if row["date"] is not None},
        {row["date"]: indicator_logs.log_of(row) for row in calculated if row["date"] is not None},
    )


class _Held:
    """Who works on what; asked only about days, of which few are worked on."""

    def __init__(self, database: Database) -> None:
        self._held = {lease.key: lease for lease in database.leases.all_held(KEYS)}

    def of(self, day: date) -> Lease | None:
        return self._held.get(day_key(day))

    def of_indicators(self) -> Lease | None:
        return self._held.get(INDICATORS_KEY)
