"""The daily work, derived from what is written down: whatever is missing of the last sessions.

Each tick of the timetable asks anew, so it does not matter how many were missed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Final

from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.collecting import Collecting
from gotgan.domains.market.decisions import Run
from gotgan.domains.market.indicating import Indicating
from gotgan.domains.market.reports import CollectReport, IndicatorReport, OnStep, silently

__all__ = ["SESSIONS", "CaughtUp", "catch_up", "catch_up_indicators", "last_sessions"]

SESSIONS: Final = 10
"""How many sessions are looked back at; what is older is a matter of ``recover``."""


@dataclass
class CaughtUp:
    """What was missing, and what became of it."""

    days: list[CollectReport] = field(default_factory=list)
    final: list[CollectReport] = field(default_factory=list)
    """Days that were there, and whose last numbers were asked for."""
    indicators: list[IndicatorReport] = field(default_factory=list)


def last_sessions(calendar: Calendar, today: date, count: int = SESSIONS) -> list[date]:
    """The last sessions up to today, the oldest first."""
    days, day = list[date](), calendar.last_session(today)
    while len(days) < count:
        days.append(day)
        day = calendar.previous_session(day)
    return days[::-1]


def catch_up(
    collecting: Collecting, days: list[date], *, on_step: OnStep = silently
) -> list[CollectReport]:
    """Collect those days that the gate lets through, the latest first: it is the most wanted."""
    due = [day for day in reversed(days) if isinstance(collecting.decide(day), Run)]
    return [collecting.collect(day, on_step=on_step) for day in due]


def catch_up_indicators(indicating: Indicating, days: list[date]) -> list[IndicatorReport]:
    """Calculate those days that the gate lets through, the oldest first: each rests on the last."""
    due = [day for day in days if isinstance(indicating.decide(day), Run)]
    return [indicating.run(day) for day in due]
