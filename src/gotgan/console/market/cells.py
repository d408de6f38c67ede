"""The year as a calendar: months of weeks of days, each day with its two sides."""

from __future__ import annotations

from calendar import Calendar
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final, Literal

from gotgan.console.market.states import is_weekend
from gotgan.domains.market.models import SIDES, Side

if TYPE_CHECKING:
    from gotgan.domains.market.models import SideLog
    from gotgan.domains.market.reports import DayStatus

__all__ = ["Half", "MarketCell", "MarketMonth", "SessionTally", "cell_of", "months_of", "tally"]

Kind = Literal["session", "closed", "ahead"]
_WEEKS: Final = Calendar()


@dataclass(frozen=True)
class Half:
    """One side of a day."""

    side: Side
    status: str
    """A status of the log, or ``never`` where a session that is over has none."""
    count: int | None
    retries: int

    def words(self, t: Callable[..., str]) -> str:
        """How it stands."""
        count = "" if self.count is None else f" {self.count:,}"
        retries = f", {t('market.year.retries', count=self.retries)}" if self.retries else ""
        return (
            f"{t(f'market.side.{self.side}')} {t(f'market.status.{self.status}')}{count}{retries}"
        )


@dataclass(frozen=True)
class MarketCell:
    """A day on the calendar."""

    day: date
    kind: Kind
    """A session, a day without trading, or a session that is still to come."""
    closed: str | None
    """Why there is no trading; None where there is, and on weekends, which need no reason."""
    halves: tuple[Half, ...]
    is_today: bool

    def words(self, t: Callable[..., str], reason: str) -> str:
        """All that the cell shows, for whoever points at it or hears it.

        ``reason`` is why it is closed, in the language of ``t``.
        """
        today = f" ({t('market.year.is_today')})" if self.is_today else ""
        closed = f": {t('market.status.closed')}, {reason}" if self.closed else ""
        sides = "; ".join(half.words(t) for half in self.halves)
        return f"{self.day}{today}{closed}{': ' if sides else ''}{sides}"


@dataclass(frozen=True)
class MarketMonth:
    """A month by its weeks, which begin on Monday; None is a day of another month."""

    number: int
    weeks: tuple[tuple[MarketCell | None, ...], ...]


@dataclass(frozen=True)
class SessionTally:
    """How many sessions there were so far, and how they stand."""

    sessions: int
    by_status: Mapping[str, int]


def months_of(year: int, days: Sequence[DayStatus], today: date) -> list[MarketMonth]:
    """The months of a year, with how each day stands."""
    cells = {each.day: cell_of(each, today) for each in days}
    return [
        MarketMonth(
            number,
            tuple(
                tuple(cells.get(day) if day.month == number else None for day in week)
                for week in _WEEKS.monthdatescalendar(year, number)
            ),
        )
        for number in range(1, 13)
    ]


def cell_of(status: DayStatus, today: date) -> MarketCell:
    """A day as it stands; what is in the log is shown even of a day without trading."""
    log = status.log
    halves: tuple[Half, ...] = ()
    if log is not None:
        halves = tuple(_half(side, log.side(side)) for side in SIDES)
    elif status.closed is None and status.day <= today:
        halves = tuple(Half(side, "never", None, 0) for side in SIDES)
    reason = None if is_weekend(status) else status.closed
    return MarketCell(status.day, _kind(status, today), reason, halves, status.day == today)


def tally(days: Sequence[DayStatus], today: date) -> SessionTally:
    """How the sessions up to today stand."""
    past = [each for each in days if each.closed is None and each.day <= today]
    words = ("never" if each.log is None else each.log.overall_status for each in past)
    return SessionTally(len(past), Counter(words))


def _half(side: Side, log: SideLog) -> Half:
    return Half(side, log.status, log.count, log.retry_count)


def _kind(status: DayStatus, today: date) -> Kind:
    if status.closed is not None:
        return "closed"
    return "ahead" if status.day > today and status.log is None else "session"
