"""Days, months and spans of the exchange, as people write them."""

from __future__ import annotations

import re
from calendar import monthrange
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Final

from gotgan.domains.market import messages
from gotgan.errors import UsageError

FIRST_DAY: Final = date(1956, 1, 1)
"""The exchange opened in that year."""
LAST_DAY: Final = date(2099, 12, 31)
"""Holidays that follow the moon are known until then."""
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH: Final = re.compile(r"[0-9]{4}-[0-9]{2}")


def parse_day(text: str) -> date:
    """A day such as 2025-10-20."""
    if _DAY.fullmatch(text):
        with suppress(ValueError):
            return expect_in_calendar(date.fromisoformat(text))
    raise UsageError(messages.NOT_A_DATE(text=repr(text)))


def parse_month(text: str) -> tuple[date, date]:
    """The first and the last day of a month such as 2025-10."""
    if _MONTH.fullmatch(text):
        with suppress(ValueError):
            first = expect_in_calendar(date.fromisoformat(f"{text}-01"))
            return first, first.replace(day=monthrange(first.year, first.month)[1])
    raise UsageError(messages.NOT_A_MONTH(text=repr(text)))


@dataclass(frozen=True)
class DaySpan:
    """A range of days; both ends are included."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise UsageError(messages.REVERSED_RANGE(first=self.first, last=self.last))

    @classmethod
    def of(cls, text: str) -> DaySpan:
        """Read 2025-10-01..2025-10-31 or 2025-09..2025-10; one day or one month is a range too."""
        first, dots, last = text.partition("..")
        if dots and not (first and last):
            raise UsageError(messages.NOT_A_RANGE(text=repr(text)))
        return cls(_parse_end(first)[0], _parse_end(last if dots else first)[1])


def _parse_end(text: str) -> tuple[date, date]:
    """The first and the last day of a month; a day is both."""
    return parse_month(text) if _MONTH.fullmatch(text) else (parse_day(text), parse_day(text))


def expect_in_calendar(day: date) -> date:
    """The day itself, where it is within the calendar of the exchange."""
    if not FIRST_DAY <= day <= LAST_DAY:
        raise UsageError(messages.OUTSIDE_CALENDAR(day=day, first=FIRST_DAY, last=LAST_DAY))
    return day
