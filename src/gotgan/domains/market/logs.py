"""The log of collections: how each side of each day stands, and how it came to that.

Attempts are counted when they begin, so that a crash counts too. What people read is
``retry_count``: how many retries a day has used up, or is about to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import Connection, bindparam, delete, func, or_, select, union, update

from gotgan.domains.market.gate import MOST_ATTEMPTS, MOST_RETRIES, attempts_of
from gotgan.domains.market.models import SIDES, STATUSES, CollectionLog, Side, SideLog, overall
from gotgan.domains.market.tables import COLLECTION_LOG, INDICATOR_LOG
from gotgan.errors import LostRace
from gotgan.sql import insert_into

__all__ = [
    "UNFINISHED",
    "begin",
    "drop",
    "fail",
    "failed_days",
    "finalise",
    "first_day",
    "found_whole",
    "give_back",
    "imported",
    "last_day",
    "log_of",
    "of_day",
    "of_span",
    "open_day",
    "price_counts",
    "reopen",
    "succeed",
]

UNFINISHED: Final = frozenset({"pending", "retrying"})
"""How a side stands that somebody works on, or died over."""
_OF_SPAN: Final = (
    select(COLLECTION_LOG)
    .where(COLLECTION_LOG.c.date.between(bindparam("first"), bindparam("last")))
    .order_by(COLLECTION_LOG.c.date)
)
"""Made once, for to make it takes longer than to answer it."""
_PREFIX: Mapping[Side, str] = {"prices": "price", "indices": "indices"}


def of_day(connection: Connection, day: date) -> CollectionLog | None:
    """How a day stands; None where nobody has opened it."""
    query = select(COLLECTION_LOG).where(COLLECTION_LOG.c.date == day)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else log_of(row)


def of_span(connection: Connection, first: date, last: date) -> dict[date, CollectionLog]:
    """How the days of a span stand, both ends included; in order."""
    rows = connection.execute(_OF_SPAN, {"first": first, "last": last}).mappings()
    logs = map(log_of, rows)
    return {log.day: log for log in logs}


def failed_days(connection: Connection, first: date, last: date) -> set[date]:
    """The days of a span of which something was tried and failed, and was not mended since."""
    log, calculated = COLLECTION_LOG.c, INDICATOR_LOG.c
    collection = select(log.date).where(
        log.date.between(first, last),
        or_(log.price_status == "failed", log.indices_status == "failed"),
    )
    calculation = select(calculated.date).where(
        calculated.date.between(first, last), calculated.status == "failed"
    )
    return set(connection.execute(union(collection, calculation)).scalars())


def price_counts(connection: Connection, first: date, last: date) -> list[tuple[date, int]]:
    """How many prices the verified days of a span have, in order."""
    log = COLLECTION_LOG.c
    query = select(log.date, log.price_count).where(log.date.between(first, last))
    query = query.where(log.price_status == "success", log.price_provider.is_not(None))
    return [(row[0], row[1]) for row in connection.execute(query.order_by(log.date)) if row[1]]


def last_day(connection: Connection) -> date | None:
    """The last day that was ever opened."""
    return connection.execute(select(func.max(COLLECTION_LOG.c.date))).scalar()


def first_day(connection: Connection) -> date | None:
    """The first day that was ever opened."""
    return connection.execute(select(func.min(COLLECTION_LOG.c.date))).scalar()


def open_day(connection: Connection, day: date, *, today: date, now: datetime) -> bool:
    """Write the pending row of a day; False where it is there already."""
    row = {"date": day, "collection_date": today, "started_at": now, "overall_status": "pending"}
    sides = {f"{prefix}_status": "pending" for prefix in _PREFIX.values()}
    adding = insert_into(connection, COLLECTION_LOG).values(**row, **sides)
    adding = adding.on_conflict_do_nothing(index_elements=["date"])
    added = connection.execute(adding.returning(COLLECTION_LOG.c.id)).scalar_one_or_none()
    return added is not None


def begin(
    connection: Connection,
    day: date,
    sides: Sequence[Side],
    *,
    today: date,
    now: datetime,
    by_hand: bool,
) -> None:
    """Count an attempt of some sides; what they failed for stays readable until they succeed.

    What somebody asks for by hand is none of the attempts that the timetable has.
    """
    for side in sides:
        known = _known(connection, day).side(side)
        attempts = known.attempts + (not by_hand)
        _note(
            connection,
            day,
            side,
            status="pending" if attempts <= 1 else "retrying",
            attempts=attempts,
            attempted_at=now,
            retry_count=min(max(known.retry_count, attempts - 1), MOST_RETRIES),
        )
    _set(connection, day, collection_date=today)


def give_back(connection: Connection, day: date, sides: Sequence[Side], *, by_hand: bool) -> None:
    """Take an attempt back that nobody came to make: the program was ended."""
    for side in sides:
        known = _known(connection, day).side(side)
        if known.status in UNFINISHED:
            attempts = max(0, known.attempts - (not by_hand))
            status = "failed" if known.error_message else "pending"
            _note(connection, day, side, status=status, attempts=attempts)


def reopen(connection: Connection, day: date, sides: Sequence[Side]) -> None:
    """Give sides that were given up a fresh budget of attempts."""
    for side in sides:
        _note(connection, day, side, status="pending", attempts=0, retry_count=0)


def fail(
    connection: Connection, day: date, side: Side, reason: str, *, is_hopeless: bool = False
) -> None:
    """Note that an attempt failed, and why; what is hopeless waits for the next session."""
    attempts = _known(connection, day).side(side).attempts
    failed = {"status": "failed", "error_message": reason}
    retries = min(attempts, MOST_RETRIES)
    used = max(attempts, MOST_ATTEMPTS) if is_hopeless else attempts
    _note(connection, day, side, **failed, retry_count=retries, attempts=used)


def succeed(
    connection: Connection, day: date, side: Side, *, count: int, provider: str, now: datetime
) -> None:
    """Note that a side is there, whole and as it was fetched."""
    done = {"status": "success", "count": count, "completed_at": now, "provider": provider}
    _note(connection, day, side, error_message=None, **done)


def imported(
    connection: Connection,
    side: Side,
    counts: Mapping[date, int],
    *,
    provider: str,
    today: date,
    now: datetime,
) -> None:
    """Open days that have rows from files, and note how many; they stay to be collected."""
    if not counts:
        return
    row = {"collection_date": today, "started_at": now, "overall_status": "pending"}
    row |= {f"{prefix}_status": "pending" for prefix in _PREFIX.values()}
    adding = insert_into(connection, COLLECTION_LOG).on_conflict_do_nothing(index_elements=["date"])
    connection.execute(adding, [{"date": day, **row} for day in counts])
    _note_days(connection, side, counts, provider=provider)


def found_whole(
    connection: Connection, side: Side, counts: Mapping[date, int], *, provider: str, now: datetime
) -> None:
    """Note that the imported side of some days is whole."""
    done = {"status": "success", "completed_at": now, "error_message": None}
    _note_days(connection, side, counts, provider=provider, **done)


def _note_days(
    connection: Connection, side: Side, counts: Mapping[date, int], **changes: Any
) -> None:
    """Change a side of many days that is not a success yet, and what follows from it for each."""
    if not counts:
        return
    known = of_span(connection, min(counts), max(counts))
    rows = [
        {"day": day, "side_count": count, "overall": _overall_with(known[day], side, changes)}
        for day, count in counts.items()
        if day in known and known[day].side(side).status != "success"
    ]
    changed = {f"{_PREFIX[side]}_{name}": value for name, value in changes.items()}
    changed[f"{_PREFIX[side]}_count"] = bindparam("side_count")
    query = update(COLLECTION_LOG).where(COLLECTION_LOG.c.date == bindparam("day"))
    if rows:
        query = query.values(**changed, overall_status=bindparam("overall"))
        connection.execute(query, rows)


def _overall_with(log: CollectionLog, side: Side, changes: Mapping[str, Any]) -> str:
    status = changes.get("status", log.side(side).status)
    return overall(**{each: log.side(each).status for each in SIDES} | {side: status})


def finalise(connection: Connection, day: date, now: datetime) -> None:
    """Note that nothing of a day is expected to change any more."""
    _set(connection, day, finalised_at=now)


def drop(connection: Connection, day: date) -> None:
    """Take back the row of a day that turned out to be none of trading."""
    connection.execute(delete(COLLECTION_LOG).where(COLLECTION_LOG.c.date == day))


def _known(connection: Connection, day: date) -> CollectionLog:
    log = of_day(connection, day)
    if log is None:
        raise LostRace(f"{day} turned out to be none of trading meanwhile; leave it")
    return log


def _note(connection: Connection, day: date, side: Side, **changes: Any) -> None:
    """Change one side, and what follows from it for the whole day."""
    _set(connection, day, **{f"{_PREFIX[side]}_{name}": value for name, value in changes.items()})
    log = _known(connection, day)
    _set(connection, day, overall_status=overall(log.prices.status, log.indices.status))


def _set(connection: Connection, day: date, **changes: Any) -> None:
    connection.execute(update(COLLECTION_LOG).where(COLLECTION_LOG.c.date == day).values(**changes))


def log_of(row: Mapping[Any, Any]) -> CollectionLog:
    """How a day stands, as its row has it."""
    sides = {side: _side_of(row, _PREFIX[side]) for side in SIDES}
    return CollectionLog(
        day=row["date"],
        collection_date=row["collection_date"],
        prices=sides["prices"],
        indices=sides["indices"],
        started_at=row["started_at"],
        finalised_at=row["finalised_at"],
    )


def _side_of(row: Mapping[Any, Any], prefix: str) -> SideLog:
    """A side; where other programs left its status out, that of the day counts."""
    status = row[f"{prefix}_status"] or row["overall_status"]
    retries = row[f"{prefix}_retry_count"] or 0
    return SideLog(
        status=status if status in STATUSES else "pending",
        count=row[f"{prefix}_count"],
        error_message=row[f"{prefix}_error_message"],
        completed_at=row[f"{prefix}_completed_at"],
        retry_count=retries,
        attempts=attempts_of(row[f"{prefix}_attempts"], retries),
        attempted_at=row[f"{prefix}_attempted_at"],
        provider=row[f"{prefix}_provider"],
    )
