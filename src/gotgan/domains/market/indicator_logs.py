"""The log of indicators: the status of those of each day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import Connection, bindparam, insert, select, update

from gotgan.domains.market.gate import MAX_RETRIES, attempt_count
from gotgan.domains.market.keys import INDICATOR_LOG
from gotgan.domains.market.models import STATUSES, IndicatorLog

_SPAN_QUERY: Final = (
    select(INDICATOR_LOG)
    .where(INDICATOR_LOG.c.date.between(bindparam("first"), bindparam("last")))
    .order_by(INDICATOR_LOG.c.date)
)
"""Built once, because building it takes longer than running it."""


def get_log(connection: Connection, day: date) -> IndicatorLog | None:
    """The log of a day; None where its calculation was never started."""
    query = select(INDICATOR_LOG).where(INDICATOR_LOG.c.date == day)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else log_from_row(row)


def get_logs(connection: Connection, first: date, last: date) -> dict[date, IndicatorLog]:
    """The logs of a span, both ends included; in order."""
    rows = connection.execute(_SPAN_QUERY, {"first": first, "last": last}).mappings()
    return {row["date"]: log_from_row(row) for row in rows}


def begin(
    connection: Connection, day: date, *, today: date, now: datetime, is_reopened: bool
) -> None:
    """Count an attempt."""
    known = get_log(connection, day)
    if known is None:
        row = {"date": day, "indicator_date": today, "created_at": now, "status": "pending"}
        connection.execute(insert(INDICATOR_LOG).values(**row))
    before = 0 if known is None or is_reopened else known.attempts
    retries = 0 if known is None or is_reopened else max(known.retry_count, before)
    _update(
        connection,
        day,
        indicator_date=today,
        status="pending" if before == 0 else "retrying",
        attempts=before + 1,
        attempted_at=now,
        retry_count=min(retries, MAX_RETRIES),
    )


def fail(connection: Connection, day: date, reason: str) -> None:
    """Note that an attempt failed, and why."""
    known = get_log(connection, day)
    retries = min(known.attempts, MAX_RETRIES) if known is not None else 0
    _update(connection, day, status="failed", error_message=reason, retry_count=retries)


def give_back(connection: Connection, day: date) -> None:
    """Uncount an attempt that was interrupted."""
    known = get_log(connection, day)
    if known is not None:
        has_failed = known.error_message and not known.lacks_history
        status = "failed" if has_failed else "pending"
        _update(connection, day, status=status, attempts=max(0, known.attempts - 1))


def succeed(connection: Connection, day: date, *, count: int, now: datetime) -> None:
    """Note that the indicators of a day are stored and verified."""
    done = {"status": "success", "indicators_count": count, "completed_at": now}
    _update(connection, day, error_message=None, **done)


def wait(connection: Connection, day: date, reason: str) -> None:
    """Note that there is not enough history for any value; that is not an attempt.

    It stays pending: nothing failed, and only earlier prices can change it (``writer`` then resets
    the row).
    """
    waiting = {"status": "pending", "indicators_count": 0, "attempts": 0, "retry_count": 0}
    _update(connection, day, error_message=reason, completed_at=None, **waiting)


def _update(connection: Connection, day: date, **changes: Any) -> None:
    connection.execute(update(INDICATOR_LOG).where(INDICATOR_LOG.c.date == day).values(**changes))


def log_from_row(row: Mapping[Any, Any]) -> IndicatorLog:
    """The log of a day from its row."""
    values = {field: row[column] for column, field in IndicatorLog.shown.items()}
    values["status"] = row["status"] if row["status"] in STATUSES else "pending"
    values["retry_count"] = row["retry_count"] or 0
    values["attempts"] = attempt_count(row["attempts"], values["retry_count"])
    return IndicatorLog(**values)
