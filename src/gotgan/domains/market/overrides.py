"""Days on which the calendar was wrong, as they were learned."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import Connection, select

from gotgan.domains.market.calendar import Calendar, Override
from gotgan.domains.market.tables import CALENDAR_OVERRIDES
from gotgan.sql import Database, upsert

__all__ = ["calendar_of", "note_closed", "override"]


def calendar_of(database: Database) -> Calendar:
    """The calendar, with all that was learned."""
    with database.read() as connection:
        rows = connection.execute(select(CALENDAR_OVERRIDES)).all()
    return Calendar({row.date: Override(row.is_open, row.reason) for row in rows})


def note_closed(connection: Connection, day: date, reason: str, now: datetime) -> None:
    """Note that there was no trading on a day that the calendar takes for a session."""
    override(connection, day, is_open=False, reason=reason, now=now)


def override(
    connection: Connection, day: date, *, is_open: bool, reason: str, now: datetime
) -> None:
    """Note what a day is, whatever the calendar says."""
    row = {"date": day, "is_open": is_open, "reason": reason, "noted_at": now}
    upsert(connection, CALENDAR_OVERRIDES, [row])
