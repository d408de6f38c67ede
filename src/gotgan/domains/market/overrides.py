"""Days on which the calendar was wrong, as they were learned."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from sqlalchemy import Connection, delete, select

from gotgan.domains.market.calendar import Calendar, Override
from gotgan.domains.market.tables import CALENDAR_OVERRIDES
from gotgan.sql import Database, upsert

__all__ = ["calendar_in", "calendar_of", "doubted", "note_closed", "note_open"]

_ALL: Final = select(CALENDAR_OVERRIDES)


def calendar_of(database: Database) -> Calendar:
    """The calendar, with all that was learned."""
    with database.read() as connection:
        return calendar_in(connection)


def calendar_in(connection: Connection) -> Calendar:
    """The same, as a transaction sees it."""
    rows = connection.execute(_ALL).all()
    return Calendar({row.date: Override(row.is_open, row.reason) for row in rows})


def doubted(calendar: Calendar) -> Calendar:
    """A calendar that forgets the closures that were learned: who asks by hand wants to know."""
    kept = {day: each for day, each in calendar.overrides.items() if each.is_open}
    return Calendar(kept)


def note_closed(connection: Connection, day: date, reason: str, now: datetime) -> None:
    """Note that there was no trading on a day that the calendar takes for a session."""
    row = {"date": day, "is_open": False, "reason": reason, "noted_at": now}
    upsert(connection, CALENDAR_OVERRIDES, [row])


def note_open(connection: Connection, day: date) -> None:
    """Forget that a day was closed: it has prices."""
    table = CALENDAR_OVERRIDES
    connection.execute(delete(table).where(table.c.date == day, ~table.c.is_open))
