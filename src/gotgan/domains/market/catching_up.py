"""The daily work, derived from what is written down: whatever is missing of the last sessions.

Each tick of the timetable asks anew, so it does not matter how many were missed.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.caught_up import CaughtUp
from gotgan.domains.market.collecting import MarketCollector
from gotgan.domains.market.decisions import RunNow
from gotgan.domains.market.indicating import Indicating
from gotgan.domains.market.reports import IndicatorReport, OnStep, silently
from gotgan.domains.market.walking import Walked, calculate_each, collect_each

__all__ = ["SESSIONS", "catch_up", "last_sessions"]

SESSIONS: Final = 10
"""How many sessions are looked back at; what is older is a matter of ``recover``."""


def last_sessions(calendar: Calendar, today: date, count: int = SESSIONS) -> list[date]:
    """The last sessions up to today, the oldest first."""
    days, day = list[date](), calendar.last_session(today)
    while len(days) < count:
        days.append(day)
        day = calendar.previous_session(day)
    return days[::-1]


def catch_up(
    collecting: MarketCollector, indicating: Indicating, today: date, *, on_step: OnStep = silently
) -> CaughtUp:
    """Collect what is due of the last sessions, make final what was early, and calculate."""
    collected = _collect(collecting, today, on_step)
    final = _finalise(collecting, today) if collected.stopped is None else Walked()
    calculated = _calculate(indicating, _sessions(collecting, today))
    return CaughtUp(collected.days, final.days, calculated, collected.stopped or final.stopped)


def _collect(collecting: MarketCollector, today: date, on_step: OnStep) -> Walked:
    """The latest day first: it is the most wanted."""
    due = [day for day in reversed(_sessions(collecting, today)) if collecting.is_due(day)]
    return collect_each(due, lambda day: collecting.collect(day, on_step=on_step))


def _finalise(collecting: MarketCollector, today: date) -> Walked:
    early = collecting.unfinalised(_sessions(collecting, today))
    return collect_each(early, collecting.finalise)


def _calculate(indicating: Indicating, days: list[date]) -> list[IndicatorReport]:
    """The oldest day first: each rests on the last."""
    due = [day for day in days if isinstance(indicating.decide(day), RunNow)]
    return calculate_each(due, indicating.run)


def _sessions(collecting: MarketCollector, today: date) -> list[date]:
    """Asked for anew by each step: the one before it may have found that a day was closed."""
    return last_sessions(collecting.rules().calendar, today)
