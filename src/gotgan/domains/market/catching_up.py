"""The daily work, derived from what is written down: whatever is missing of the last sessions.

Each tick of the timetable asks anew, so it does not matter how many were missed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Final, Literal

from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.collecting import Collecting
from gotgan.domains.market.decisions import Run
from gotgan.domains.market.indicating import Indicating
from gotgan.domains.market.reports import CollectReport, IndicatorReport, OnStep, silently
from gotgan.domains.market.walking import Walked, calculate_each, collect_each

__all__ = ["SESSIONS", "CaughtUp", "catch_up", "last_sessions"]

SESSIONS: Final = 10
"""How many sessions are looked back at; what is older is a matter of ``recover``."""


@dataclass
class CaughtUp:
    """What was missing, and what became of it."""

    days: list[CollectReport] = field(default_factory=list)
    final: list[CollectReport] = field(default_factory=list)
    """Days that were there, and whose last numbers were asked for."""
    indicators: list[IndicatorReport] = field(default_factory=list)
    stopped: str | None = None
    """Why not all were asked for."""

    @property
    def outcome(self) -> Literal["success", "failed"]:
        """Whether all that could be done was."""
        return "failed" if self._failed else "success"

    @property
    def words(self) -> str:
        """What came of it, and what failed."""
        done = {
            "collected": _count(self.days),
            "made final": _count(self.final),
            "indicators calculated": _count(self.indicators),
            "failed": len(self._failed),
        }
        told = ", ".join(f"{word}: {count}" for word, count in done.items() if count)
        reasons = [f"{each.day}: {each.words}" for each in self._failed[:1]]
        stopped = [f"it ended early: {self.stopped}"] if self.stopped else []
        return "; ".join([told or "nothing was missing", *(stopped or reasons)])

    @property
    def _failed(self) -> list[CollectReport | IndicatorReport]:
        collected = [each for each in (*self.days, *self.final) if _has_failed(each)]
        return [*collected, *(each for each in self.indicators if each.outcome == "failed")]


def last_sessions(calendar: Calendar, today: date, count: int = SESSIONS) -> list[date]:
    """The last sessions up to today, the oldest first."""
    days, day = list[date](), calendar.last_session(today)
    while len(days) < count:
        days.append(day)
        day = calendar.previous_session(day)
    return days[::-1]


def catch_up(
    collecting: Collecting, indicating: Indicating, today: date, *, on_step: OnStep = silently
) -> CaughtUp:
    """Collect what is due of the last sessions, make final what was early, and calculate."""
    collected = _collect(collecting, today, on_step)
    final = _finalise(collecting, today) if collected.stopped is None else Walked()
    calculated = _calculate(indicating, _sessions(collecting, today))
    return CaughtUp(collected.days, final.days, calculated, collected.stopped or final.stopped)


def _collect(collecting: Collecting, today: date, on_step: OnStep) -> Walked:
    """The latest day first: it is the most wanted."""
    due = [day for day in reversed(_sessions(collecting, today)) if collecting.is_due(day)]
    return collect_each(due, lambda day: collecting.collect(day, on_step=on_step))


def _finalise(collecting: Collecting, today: date) -> Walked:
    early = collecting.unfinalised(_sessions(collecting, today))
    return collect_each(early, collecting.finalise)


def _calculate(indicating: Indicating, days: list[date]) -> list[IndicatorReport]:
    """The oldest day first: each rests on the last."""
    due = [day for day in days if isinstance(indicating.decide(day), Run)]
    return calculate_each(due, indicating.run)


def _sessions(collecting: Collecting, today: date) -> list[date]:
    """Asked for anew by each step: the one before it may have found that a day was closed."""
    return last_sessions(collecting.rules().calendar, today)


def _count(reports: list[CollectReport] | list[IndicatorReport]) -> int:
    return sum(each.outcome == "success" for each in reports if not _has_failed(each))


def _has_failed(report: CollectReport | IndicatorReport) -> bool:
    """A day that was there stays a success when its last numbers are not to be had."""
    sides = report.sides if isinstance(report, CollectReport) else ()
    return report.outcome in {"failed", "partial"} or any(side.error for side in sides)
