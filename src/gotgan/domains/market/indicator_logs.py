"""The log of indicators: how those of each day stand."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import Connection, bindparam, insert, select, update

from gotgan.domains.market.gate import MOST_RETRIES, attempts_of
from gotgan.domains.market.models import STATUSES, IndicatorLog
from gotgan.domains.market.tables import INDICATOR_LOG

__all__ = ["begin", "fail", "give_back", "log_of", "of_day", "of_span", "succeed", "wait"]

_OF_SPAN: Final = (
    select(INDICATOR_LOG)
    .where(INDICATOR_LOG.c.date.between(bindparam("first"), bindparam("last")))
    .order_by(INDICATOR_LOG.c.date)
)
"""Made once, for to make it takes longer than to answer it."""


def of_day(connection: Connection, day: date) -> IndicatorLog | None:
    """How the indicators of a day stand; None where nobody has begun with them."""
    query = select(INDICATOR_LOG).where(INDICATOR_LOG.c.date == day)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else log_of(row)


def of_span(connection: Connection, first: date, last: date) -> dict[date, IndicatorLog]:
    """How those of a span stand, both ends included; in order."""
    rows = connection.execute(_OF_SPAN, {"first": first, "last": last}).mappings()
    logs = map(log_of, rows)
    return {log.day: log for log in logs}


def begin(
    connection: Connection, day: date, *, today: date, now: datetime, is_reopened: bool
) -> None:
    """Count an attempt."""
    known = of_day(connection, day)
    if known is None:
        row = {"date": day, "indicator_date": today, "created_at": now, "status": "pending"}
        connection.execute(insert(INDICATOR_LOG).values(**row))
    before = 0 if known is None or is_reopened else known.attempts
    retries = 0 if known is None or is_reopened else max(known.retry_count, before)
    _set(
        connection,
        day,
        indicator_date=today,
        status="pending" if before == 0 else "retrying",
        attempts=before + 1,
        attempted_at=now,
        retry_count=min(retries, MOST_RETRIES),
    )


def fail(connection: Connection, day: date, reason: str) -> None:
    """Note that an attempt failed, and why."""
    known = of_day(connection, day)
    retries = min(known.attempts, MOST_RETRIES) if known is not None else 0
    _set(connection, day, status="failed", error_message=reason, retry_count=retries)


def give_back(connection: Connection, day: date) -> None:
    """Take an attempt back that nobody came to make."""
    known = of_day(connection, day)
    if known is not None:
        has_failed = known.error_message and not known.lacks_history
        status = "failed" if has_failed else "pending"
        _set(connection, day, status=status, attempts=max(0, known.attempts - 1))


def succeed(connection: Connection, day: date, *, count: int, now: datetime) -> None:
    """Note that the indicators of a day are there."""
    done = {"status": "success", "indicators_count": count, "completed_at": now}
    _set(connection, day, error_message=None, **done)


def wait(connection: Connection, day: date, reason: str) -> None:
    """Note that there is not enough history for any value; no attempt is spent on that.

    It stays pending: nothing failed, and only earlier prices can change it (``saving`` then takes
    this note back).
    """
    waiting = {"status": "pending", "indicators_count": 0, "attempts": 0, "retry_count": 0}
    _set(connection, day, error_message=reason, completed_at=None, **waiting)


def _set(connection: Connection, day: date, **changes: Any) -> None:
    connection.execute(update(INDICATOR_LOG).where(INDICATOR_LOG.c.date == day).values(**changes))


def log_of(row: Mapping[Any, Any]) -> IndicatorLog:
    """How the indicators of a day stand, as their row has it."""
    retries = row["retry_count"] or 0
    return IndicatorLog(
        day=row["date"],
        indicator_date=row["indicator_date"],
        status=row["status"] if row["status"] in STATUSES else "pending",
        indicators_count=row["indicators_count"],
        error_message=row["error_message"],
        retry_count=retries,
        attempts=attempts_of(row["attempts"], retries),
        attempted_at=row["attempted_at"],
        completed_at=row["completed_at"],
        created_at=row["created_at"],
    )
