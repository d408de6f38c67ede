"""Days, months and spans of the exchange, as people write them."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Final

from gotgan.errors import UsageError

__all__ = [
    "FIRST",
    "LAST",
    "DaySpan",
    "expect_known",
    "read_day",
    "read_month",
]

FIRST: Final = date(1956, 1, 1)
"""The exchange opened in that year."""
LAST: Final = date(2099, 12, 31)
"""Holidays that follow the moon are not known for ever."""
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH: Final = re.compile(r"[0-9]{4}-[0-9]{2}")


def read_day(text: str) -> date:
    """A day such as 2025-10-20."""
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        raise UsageError(f"Not a date: {text!r}. Write it as 2025-10-20.")
    return expect_known(day)


def read_month(text: str) -> tuple[int, int]:
    """A month such as 2025-10, as its year and its number."""
    try:
        first = date.fromisoformat(f"{text}-01") if _MONTH.fullmatch(text) else None
    except ValueError:
        first = None
    if first is None:
        raise UsageError(f"Not a month: {text!r}. Write it as 2025-10.")
    expect_known(first)
    return first.year, first.month


@dataclass(frozen=True)
class DaySpan:
    """A range of days; both ends are included."""

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise UsageError(f"{self.first} is after {self.last}. Give the earlier day first.")

    @classmethod
    def of(cls, text: str) -> DaySpan:
        """Read 2025-10-01..2025-10-31 or 2025-09..2025-10; one day or one month is a range too."""
        first, dots, last = text.partition("..")
        if dots and not (first and last):
            raise UsageError(f"Not a range of days: {text!r}. Write it as 2025-10-01..2025-10-31.")
        return cls(_days_of(first)[0], _days_of(last if dots else first)[1])


def _days_of(text: str) -> tuple[date, date]:
    """The first and the last day of a month; a day is both."""
    if not _MONTH.fullmatch(text):
        return read_day(text), read_day(text)
    year, month = read_month(text)
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def expect_known(day: date) -> date:
    """A day itself, where the calendar of the exchange knows of it."""
    if not FIRST <= day <= LAST:
        raise UsageError(
            f"{day} is outside of the exchange's calendar; use a day from {FIRST} to {LAST}"
        )
    return day
