"""What a session brought: how it was collected, where indices went, what moved, what stands out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final, get_args

from gotgan.domains.market import reading
from gotgan.domains.market.models import Overall, Screen
from gotgan.domains.market.reports import DayStatus
from gotgan.domains.market.rows import DaySheet, ScreenRow
from gotgan.domains.market.wording import next_decision
from gotgan.sql import Database

__all__ = ["SCREENED", "CalendarDay", "MarketDay", "Screened", "read_screens"]

SCREENED: Final = 20
_SCREENS: Final[tuple[Screen, ...]] = get_args(Screen)
_SHEET: Final = ("indices", "breadth", "risers", "fallers", "factors")


@dataclass(frozen=True)
class Screened:
    """Shares that a screen found."""

    shown: ClassVar = {"count": "count", "items": "rows"}

    count: int
    rows: tuple[ScreenRow, ...]
    """The first 20."""


@dataclass(frozen=True)
class CalendarDay:
    """A day of the month."""

    day: date
    closed: str | None
    """Why there is no trading; null where there is."""
    overall_status: Overall | None
    """The status of both sides together; null where nothing was started."""


@dataclass(frozen=True)
class MarketDay:
    """A session: its date is that of the exchange, whatever the zone of the page."""

    shown: ClassVar = {
        "status": "status",
        **{name: f"sheet.{name}" for name in _SHEET},
        "screens": "screens",
        "month": "calendar",
    }

    status: DayStatus
    sheet: DaySheet
    """Indices with their previous close, breadth, the largest moves, splits."""
    screens: Mapping[Screen, Screened]
    month: tuple[DayStatus, ...]
    """The days of its month."""

    @property
    def calendar(self) -> tuple[CalendarDay, ...]:
        """The days of its month, in short."""
        return tuple(CalendarDay(each.day, each.closed, each.overall_status) for each in self.month)

    @property
    def next(self) -> str:
        """What will happen next with it, and why."""
        return self.status.next

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do: all is there, or there was no trading."""
        decision = next_decision(self.status)
        return self.status.closed is not None or decision.reason == "already_success"


def read_screens(database: Database, status: DayStatus, before: date) -> dict[Screen, Screened]:
    """All screens of a day; ``before`` is the session before it."""
    if status.indicators is None:  # nothing was calculated, so nothing can stand out
        return dict.fromkeys(_SCREENS, Screened(0, ()))
    found = reading.screens_with_counts(database, _SCREENS, status.day, before, limit=SCREENED)
    return {kind: Screened(*screened) for kind, screened in found.items()}
