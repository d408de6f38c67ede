"""The log of collections: the status of each side of each day.

Attempts are counted when they begin, so that a crash counts too. ``retry_count`` is for people: how
many retries a day has used up, or is about to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, func, or_, select, union, update

from gotgan.domains.market import indicator_logs, messages
from gotgan.domains.market.gate import MAX_ATTEMPTS, MAX_RETRIES, attempt_count
from gotgan.domains.market.keys import COLLECTION_LOG, INDICATOR_LOG
from gotgan.domains.market.models import (
    SIDE_FIELDS,
    SIDES,
    STATUSES,
    CollectionLog,
    Side,
    SideLog,
    overall_status,
)
from gotgan.errors import LostRace
from gotgan.sql import dry_run, insert_into

UNFINISHED: Final = frozenset({"pending", "retrying"})
"""The status of a side that is worked on, or whose process died."""
_SPAN_QUERY: Final = (
    select(COLLECTION_LOG)
    .where(COLLECTION_LOG.c.date.between(bindparam("first"), bindparam("last")))
    .order_by(COLLECTION_LOG.c.date)
)
"""Built once, because building it takes longer than running it."""
_PREFIX: Mapping[Side, str] = {"prices": "price", "indices": "indices"}


def get_log(connection: Connection, day: date) -> CollectionLog | None:
    """The log of a day; None where it was not opened."""
    query = select(COLLECTION_LOG).where(COLLECTION_LOG.c.date == day)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else log_from_row(row)


def get_logs(connection: Connection, first: date, last: date) -> dict[date, CollectionLog]:
    """The logs of a span, both ends included; in order."""
    rows = connection.execute(_SPAN_QUERY, {"first": first, "last": last}).mappings()
    return {row["date"]: log_from_row(row) for row in rows}


def failed_days(connection: Connection, first: date, last: date) -> set[date]:
    """The days of a span of which a side or the indicators failed and were not recovered."""
    log, indicators = COLLECTION_LOG.c, INDICATOR_LOG.c
    has_failed = or_(log.price_status == "failed", log.indices_status == "failed")
    collection = select(log.date).where(log.date.between(first, last), has_failed)
    calculation = select(indicators.date).where(
        indicators.date.between(first, last), indicators.status == "failed"
    )
    return set(connection.execute(union(collection, calculation)).scalars())


def price_counts(connection: Connection, first: date, last: date) -> list[tuple[date, int]]:
    """How many prices the verified days of a span have, in order."""
    log = COLLECTION_LOG.c
    query = select(log.date, log.price_count).where(log.date.between(first, last))
    query = query.where(log.price_status == "success", log.price_provider.is_not(None))
    return [(row[0], row[1]) for row in connection.execute(query.order_by(log.date)) if row[1]]


def first_and_last_day(connection: Connection) -> tuple[date | None, date | None]:
    """The first and the last day that were ever opened."""
    day = COLLECTION_LOG.c.date
    first, last = connection.execute(select(func.min(day), func.max(day))).one()
    return first, last


def open_day(connection: Connection, day: date, *, today: date, now: datetime) -> bool:
    """Write the pending row of a day; False where there is one already."""
    adding = insert_into(connection, COLLECTION_LOG).values(**_pending_row(day, today, now))
    adding = adding.on_conflict_do_nothing(index_elements=["date"])
    added = connection.execute(adding.returning(COLLECTION_LOG.c.id)).scalar_one_or_none()
    return added is not None


def _pending_row(day: date, today: date, now: datetime) -> dict[str, Any]:
    row = {"date": day, "collection_date": today, "started_at": now, "overall_status": "pending"}
    return row | {f"{prefix}_status": "pending" for prefix in _PREFIX.values()}


def begin(
    connection: Connection,
    day: date,
    sides: Sequence[Side],
    *,
    today: date,
    now: datetime,
    by_hand: bool,
) -> None:
    """Count an attempt of some sides, unless it is by hand; the last error stays until success."""
    for side in sides:
        known = _require_log(connection, day).side(side)
        attempts = known.attempts + (not by_hand)
        _update_side(
            connection,
            day,
            side,
            status="pending" if attempts <= 1 else "retrying",
            attempts=attempts,
            attempted_at=now,
            retry_count=min(max(known.retry_count, attempts - 1), MAX_RETRIES),
        )
    _update(connection, day, collection_date=today)


def give_back(connection: Connection, day: date, sides: Sequence[Side], *, by_hand: bool) -> None:
    """Uncount an attempt that was interrupted because the program ended."""
    for side in sides:
        known = _require_log(connection, day).side(side)
        if known.status in UNFINISHED:
            attempts = max(0, known.attempts - (not by_hand))
            status = "failed" if known.error_message else "pending"
            _update_side(connection, day, side, status=status, attempts=attempts)


def reopen(connection: Connection, day: date, sides: Sequence[Side]) -> None:
    """Reset the attempts of sides that were given up."""
    for side in sides:
        _update_side(connection, day, side, status="pending", attempts=0, retry_count=0)


def fail(
    connection: Connection, day: date, side: Side, reason: str, *, is_permanent: bool = False
) -> None:
    """Note that an attempt failed, and why; after a permanent error no attempts are left."""
    attempts = _require_log(connection, day).side(side).attempts
    _update_side(
        connection,
        day,
        side,
        status="failed",
        error_message=reason,
        retry_count=min(attempts, MAX_RETRIES),
        attempts=max(attempts, MAX_ATTEMPTS) if is_permanent else attempts,
    )


def succeed(
    connection: Connection, day: date, side: Side, *, count: int, provider: str, now: datetime
) -> None:
    """Note that a side is stored and verified."""
    done = {"status": "success", "count": count, "completed_at": now, "provider": provider}
    _update_side(connection, day, side, error_message=None, **done)


def mark_imported(
    connection: Connection,
    side: Side,
    counts: Mapping[date, int],
    *,
    provider: str,
    today: date,
    now: datetime,
) -> None:
    """Open days that have rows from files, and note how many; they are still to be collected."""
    if not counts:
        return
    adding = insert_into(connection, COLLECTION_LOG).on_conflict_do_nothing(index_elements=["date"])
    connection.execute(adding, [_pending_row(day, today, now) for day in counts])
    _update_side_of_days(connection, side, counts, provider=provider)


def mark_complete(
    connection: Connection, side: Side, counts: Mapping[date, int], *, provider: str, now: datetime
) -> None:
    """Note that the imported side of some days is complete."""
    done = {"status": "success", "completed_at": now, "error_message": None}
    _update_side_of_days(connection, side, counts, provider=provider, **done)


def _update_side_of_days(
    connection: Connection, side: Side, counts: Mapping[date, int], **changes: Any
) -> None:
    """Change a side of many days that is not a success yet, and their overall status."""
    if not counts:
        return
    known = get_logs(connection, min(counts), max(counts))
    rows = list[dict[str, Any]]()
    for day, count in counts.items():
        if day in known and known[day].side(side).status != "success":
            statuses = {each: known[day].side(each).status for each in SIDES}
            statuses[side] = changes.get("status", statuses[side])
            rows.append({"day": day, "side_count": count, "overall": overall_status(**statuses)})
    columns = _side_columns(side, count=bindparam("side_count"), **changes)
    query = update(COLLECTION_LOG).where(COLLECTION_LOG.c.date == bindparam("day"))
    if rows:
        connection.execute(query.values(**columns, overall_status=bindparam("overall")), rows)


def finalise(connection: Connection, day: date, now: datetime) -> None:
    """Mark a day as final."""
    _update(connection, day, finalised_at=now)


def delete_log(connection: Connection, day: date) -> None:
    """Delete the log of a day without trade."""
    connection.execute(delete(COLLECTION_LOG).where(COLLECTION_LOG.c.date == day))


def _require_log(connection: Connection, day: date) -> CollectionLog:
    log = get_log(connection, day)
    if log is None:
        raise LostRace(messages.TURNED_OUT_CLOSED(day=day))
    return log


def _update_side(connection: Connection, day: date, side: Side, **changes: Any) -> None:
    """Change one side and the overall status."""
    _update(connection, day, **_side_columns(side, **changes))
    log = _require_log(connection, day)
    _update(connection, day, overall_status=overall_status(log.prices.status, log.indices.status))


def _side_columns(side: Side, **values: Any) -> dict[str, Any]:
    return {f"{_PREFIX[side]}_{name}": value for name, value in values.items()}


def _update(connection: Connection, day: date, **changes: Any) -> None:
    connection.execute(update(COLLECTION_LOG).where(COLLECTION_LOG.c.date == day).values(**changes))


def log_from_row(row: Mapping[Any, Any]) -> CollectionLog:
    """The log of a day from its row."""
    return CollectionLog(
        day=row["date"],
        collection_date=row["collection_date"],
        prices=_side_from_row(row, _PREFIX["prices"]),
        indices=_side_from_row(row, _PREFIX["indices"]),
        started_at=row["started_at"],
        finalised_at=row["finalised_at"],
    )


def _side_from_row(row: Mapping[Any, Any], prefix: str) -> SideLog:
    """A side; where other programs left its status out, that of the day counts."""
    values = {name: row[f"{prefix}_{name}"] for name in SIDE_FIELDS}
    status = values["status"] or row["overall_status"]
    values["status"] = status if status in STATUSES else "pending"
    values["retry_count"] = values["retry_count"] or 0
    values["attempts"] = attempt_count(values["attempts"], values["retry_count"])
    return SideLog(**values)


LOG_TABLES: Final = (COLLECTION_LOG, INDICATOR_LOG)
"""The tables of the document."""


def try_logs(connection: Connection, now: datetime) -> None:
    """Check that tables of another program accept a log in every state; nothing is kept."""
    today = now.date()
    first, _ = first_and_last_day(connection)
    day = (first or today) - timedelta(days=1)
    with dry_run(connection, LOG_TABLES):
        open_day(connection, day, today=today, now=now)
        for _ in range(MAX_ATTEMPTS):
            begin(connection, day, SIDES, today=today, now=now, by_hand=False)
            for side in SIDES:
                fail(connection, day, side, "failed")
        for side in SIDES:
            succeed(connection, day, side, count=1, provider="krx", now=now)
        finalise(connection, day, now)
        for _ in range(MAX_ATTEMPTS):
            indicator_logs.begin(connection, day, today=today, now=now, is_reopened=False)
            indicator_logs.fail(connection, day, "failed")
        indicator_logs.wait(connection, day, "waiting")
        indicator_logs.succeed(connection, day, count=1, now=now)
