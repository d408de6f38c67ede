"""On which days shares are traded: the exchange's calendar, and what was learned since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from typing import Final

__all__ = ["Calendar", "Override"]

_DAY: Final = timedelta(days=1)
_SATURDAY: Final = 5
_LAST_SATURDAY: Final = date(1998, 12, 5)
"""Shares were traded on Saturdays until then: from 1998-12-07 on the exchange closed for them."""
_LONGEST: Final = 30
"""No exchange is closed for so many days in a row."""


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
        if day.weekday() >= _SATURDAY and not _was_traded(day):
            return "a weekend"
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
        for number in range((last - first).days + 1):
            if self.is_session(day := first + number * _DAY):
                yield day

    def _nearest(self, day: date, step: timedelta) -> date:
        for _ in range(_LONGEST):
            day += step
            if self.is_session(day):
                return day
        return day  # overrides that close a whole month are a mistake, and no reason to hang


def _was_traded(day: date) -> bool:
    """Whether a day of a weekend is a Saturday of the years in which these were sessions."""
    return day.weekday() == _SATURDAY and day <= _LAST_SATURDAY


@cache
def _holidays(year: int) -> Mapping[date, str]:
    """The holidays of one year, none before 2000; loading them takes a moment, so it waits."""
    import holidays  # noqa: PLC0415

    return dict(holidays.financial_holidays("XKRX", years=year, language="en_US"))
