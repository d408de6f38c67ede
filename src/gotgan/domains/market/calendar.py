"""Trading days of the Korean exchange: weekends, holidays, and exceptions learned from its answers.

The exchange closes at 15:30, on a few days later. Closes are final within minutes of the last
trade; volumes were seen to change until the night. These hours are in Seoul time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, delete, select

from gotgan.clock import SEOUL
from gotgan.domains.market import messages
from gotgan.domains.market.keys import CALENDAR_OVERRIDES
from gotgan.messages import Message
from gotgan.sql import Database, upsert

_DAY: Final = timedelta(days=1)
_SATURDAY: Final = 5
_LAST_TRADING_SATURDAY: Final = date(1998, 12, 5)
_MAX_CLOSED_DAYS: Final = 30
"""No exchange is closed for so many days in a row."""
_AVAILABLE_FROM: Final = time(16)
_FINAL_FROM: Final = time(23)
_OVERRIDES_QUERY: Final = select(CALENDAR_OVERRIDES)


@dataclass(frozen=True)
class Override:
    """A day on which the calendar was wrong."""

    is_open: bool
    reason: str


@dataclass(frozen=True)
class Calendar:
    """The trading days of the Korean exchange."""

    overrides: Mapping[date, Override] = field(default_factory=dict)

    def is_session(self, day: date) -> bool:
        """Whether shares are traded on a day."""
        return self.why(day) is None

    def why(self, day: date) -> str | None:
        """Why there is no trading on a day; None where there is."""
        override = self.overrides.get(day)
        if override is not None:
            return None if override.is_open else override.reason
        is_trading_saturday = day.weekday() == _SATURDAY and day <= _LAST_TRADING_SATURDAY
        if day.weekday() >= _SATURDAY and not is_trading_saturday:
            return messages.WEEKEND()
        return _holidays(day.year).get(day)

    def next_session(self, day: date) -> date:
        """The first trading day after a day."""
        return self._nearest(day, _DAY)

    def previous_session(self, day: date) -> date:
        """The last trading day before a day."""
        return self._nearest(day, -_DAY)

    def last_session(self, day: date) -> date:
        """A day itself where shares are traded on it, else the last trading day before."""
        return day if self.is_session(day) else self.previous_session(day)

    def sessions(self, first: date, last: date) -> Iterator[date]:
        """All trading days of a span, both ends included."""
        days = (first + number * _DAY for number in range((last - first).days + 1))
        return filter(self.is_session, days)

    def without_closures(self) -> Calendar:
        """The calendar without learned closures: a request by hand checks them again."""
        return Calendar({day: each for day, each in self.overrides.items() if each.is_open})

    def _nearest(self, day: date, step: timedelta) -> date:
        for _ in range(_MAX_CLOSED_DAYS):
            day += step
            if self.is_session(day):
                return day
        return day  # overrides that close a whole month are a mistake, and no reason to hang


@cache
def _holidays(year: int) -> Mapping[date, Message]:
    """The holidays of one year, none before 2000; loaded on first use because it takes a moment."""
    import holidays  # noqa: PLC0415

    english, korean = (
        holidays.financial_holidays("XKRX", years=year, language=language)
        for language in ("en_US", "ko")
    )
    return {
        day: messages.HOLIDAY(english=name, korean=korean[day]) for day, name in english.items()
    }


def load_calendar(database: Database) -> Calendar:
    """The calendar with all learned exceptions."""
    with database.read() as connection:
        return read_calendar(connection)


def read_calendar(connection: Connection) -> Calendar:
    """The same, within a transaction."""
    rows = connection.execute(_OVERRIDES_QUERY).all()
    return Calendar({row.date: Override(row.is_open, row.reason) for row in rows})


def add_closure(connection: Connection, day: date, reason: str, now: datetime) -> None:
    """Note that there was no trading on a day that the calendar takes for a session."""
    row = {"date": day, "is_open": False, "reason": reason, "noted_at": now}
    upsert(connection, CALENDAR_OVERRIDES, [row])


def remove_closure(connection: Connection, day: date) -> None:
    """Forget that a day was closed: it has prices."""
    table = CALENDAR_OVERRIDES
    connection.execute(delete(table).where(table.c.date == day, ~table.c.is_open))


def available_from(day: date) -> datetime:
    """When the figures of a day are published; before, there is half a day or nothing."""
    return datetime.combine(day, _AVAILABLE_FROM, ZoneInfo(SEOUL))


def is_final(day: date, now: datetime) -> bool:
    """Whether the figures of a day are not expected to change any more."""
    return now >= datetime.combine(day, _FINAL_FROM, ZoneInfo(SEOUL))
