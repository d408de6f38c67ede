"""The month around a day, as a calendar that works without a script."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from gotgan.console.day.marks import DayMark
from gotgan.day.calendar import FIRST

__all__ = ["CalendarCell", "CalendarMonth", "days_of_month", "month_of"]

_WEEKS: Final = Calendar()
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class CalendarCell:
    """A day on the calendar; one that is still to come has no mark."""

    day: date
    mark: DayMark | None
    is_chosen: bool
    is_today: bool


@dataclass(frozen=True)
class CalendarMonth:
    """A month by its weeks, which begin on Monday; None is a day of another month."""

    year: int
    number: int
    weeks: tuple[tuple[CalendarCell | None, ...], ...]
    before: date | None
    """The last day of the month before; None at the beginning of the calendar."""
    after: date | None
    """The first day of the month after; None where that has not come."""


def days_of_month(day: date) -> list[date]:
    """All days of the month that a day lies in."""
    return [each for each in _WEEKS.itermonthdates(day.year, day.month) if each.month == day.month]


def month_of(chosen: date, today: date, marks: Mapping[date, DayMark]) -> CalendarMonth:
    """The month of a day, with how each of its days went."""
    days = days_of_month(chosen)
    cells = {
        each: CalendarCell(each, marks.get(each), each == chosen, each == today) for each in days
    }
    after = days[-1] + _DAY
    return CalendarMonth(
        chosen.year,
        chosen.month,
        tuple(
            tuple(cells.get(each) for each in week)
            for week in _WEEKS.monthdatescalendar(chosen.year, chosen.month)
        ),
        before=days[0] - _DAY if days[0] > FIRST else None,
        after=after if after <= today else None,
    )
