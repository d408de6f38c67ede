"""What will happen next, and why: decisions in whole sentences."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from gotgan.domains.market.decisions import MarketDecision, RunNow, Wait

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from gotgan.domains.market.reports import DayStatus

__all__ = ["DecisionWording", "next_decision"]


def next_decision(status: DayStatus) -> MarketDecision:
    """What stands between a day and its end: its collection, and after that its indicators."""
    collection = status.collection
    return status.calculation if collection.reason == "already_success" else collection


_ANY_AGE: Final = frozenset({"in_progress", "not_enough_history"})
"""What is said of a day however old it is."""


@dataclass(frozen=True)
class DecisionWording:
    """How decisions are told."""

    zone: ZoneInfo
    """Whose time is told."""
    since: date
    """The first day that the timetable looks after; what is older waits for somebody."""

    def next(self, status: DayStatus) -> str:
        """What will happen next with a day, and why."""
        if status.closed is not None:
            return f"closed: {status.closed}"
        decision = next_decision(status)
        if decision.reason == "already_success":
            return f"done{self._last_volumes(status)}"
        if status.day < self.since and decision.reason not in _ANY_AGE:
            return f"{_left(status)}; too old for the timetable: gotgan market recover"
        return self.of(decision)

    def _last_volumes(self, status: DayStatus) -> str:
        """Whether the numbers of a day that is there are those of the night."""
        if status.log is not None and status.log.is_elsewhere:
            return "; collected by another program"
        if status.log is not None and status.log.finalised_at is not None:
            return ""
        if status.day < self.since:
            return "; too old for its last volumes to be asked for"
        return "; the last volumes are asked for in the night"

    def of(self, decision: MarketDecision) -> str:
        """A decision in words, with what follows from it."""
        if isinstance(decision, RunNow):
            return f"{decision.words}: with the next tick"
        if isinstance(decision, Wait) and decision.reason == "in_progress" and decision.until:
            local = decision.until.astimezone(self.zone)
            return f"{decision.words}, until {local:%H:%M} {local.tzname()} at most"
        return decision.words


def _left(status: DayStatus) -> str:
    """What is left to do of a day."""
    if status.collection.reason == "already_success":
        return "indicators are missing"
    return "never collected" if status.log is None else f"collection {status.log.overall_status}"
