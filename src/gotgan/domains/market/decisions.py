"""What a gate decides: to run, to skip, to wait or to give up, and why; and the same in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from gotgan.domains.market import messages
from gotgan.domains.market.models import Side
from gotgan.messages import Message, text

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from gotgan.domains.market.reports import DayStatus

_ANY_AGE: Final = frozenset({"in_progress", "not_enough_history"})
"""Reasons that are shown for a day of any age."""
Action = Literal["first_run", "retry", "take_over", "reopen"]


@dataclass(frozen=True)
class MarketDecision:
    """What is decided about a day, and why."""

    reason: str
    """One word, such as `already_success` or `retry`."""
    words: str
    """The same as a sentence."""
    until: datetime | None = None
    """When it may be decided otherwise."""
    sides: tuple[Side, ...] = ()
    """What is worked on."""
    status: Literal["run", "skipped", "waiting", "failed"] = "skipped"


@dataclass(frozen=True)
class RunNow(MarketDecision):
    """Work on it now."""

    reason: Action
    status: Literal["run"] = "run"


@dataclass(frozen=True)
class Skip(MarketDecision):
    """There is nothing to do."""

    reason: Literal[
        "before_collection_time",
        "before_calculation_time",
        "already_success",
        "market_closed",
        "no_provider",
        "prices_elsewhere",
    ]
    status: Literal["skipped"] = "skipped"


@dataclass(frozen=True)
class Wait(MarketDecision):
    """There is something to do, and it cannot be done now."""

    reason: Literal[
        "in_progress",
        "before_retry_time",
        "collection_not_success",
        "not_enough_history",
        "provider_blocked",
    ]
    status: Literal["waiting"] = "waiting"


@dataclass(frozen=True)
class GiveUp(MarketDecision):
    """No attempts are left; the next session opens it again."""

    reason: Literal["max_retry_exceeded"]
    status: Literal["failed"] = "failed"


Refusal: TypeAlias = Skip | Wait | GiveUp
Decision: TypeAlias = RunNow | Refusal


@dataclass(frozen=True)
class DecisionWording:
    """Words for decisions."""

    zone: ZoneInfo
    """The time zone of hours."""
    since: date
    """The first day that the schedule collects; older days need ``recover``."""

    def next(self, status: DayStatus) -> str:
        """What will happen next with a day, and why."""
        if status.closed is not None:
            return messages.NEXT_CLOSED(why=status.closed)
        decision = status.next_decision
        if decision.reason == "already_success":
            return self._last_volumes(status)
        if status.day < self.since and decision.reason not in _ANY_AGE:
            if status.collection.reason == "already_success":
                left = messages.INDICATORS_MISSING()
            elif status.log is None:
                left = messages.NOTHING_COLLECTED()
            else:
                word = messages.words([status.log.overall_status])
                left = messages.COLLECTION_STATUS(status=word)
            return messages.TOO_OLD(missing=left)
        return self.of(decision)

    def _last_volumes(self, status: DayStatus) -> Message:
        """Whether the figures of a stored day are final."""
        log = status.log
        if log is not None and log.is_elsewhere:
            return messages.DONE_ELSEWHERE()
        if log is not None and log.finalised_at is not None:
            return messages.DONE()
        if status.day < self.since:
            return messages.DONE_OLD()
        return messages.DONE_LATER()

    def of(self, decision: MarketDecision) -> str:
        """A decision in words, with what follows from it."""
        if isinstance(decision, RunNow):
            return messages.NEXT_TICK(decision=text(decision.words))
        if isinstance(decision, Wait) and decision.reason == "in_progress" and decision.until:
            local = decision.until.astimezone(self.zone)
            return messages.UNTIL_AT_MOST(decision=text(decision.words), at=local)
        return decision.words
