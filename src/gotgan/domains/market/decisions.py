"""What a gate decides: to run, to skip, to wait or to give up, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from gotgan.domains.market.models import Side

__all__ = ["Action", "Decision", "GiveUp", "MarketDecision", "RunNow", "Skip", "Wait"]

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


Decision: TypeAlias = RunNow | Skip | Wait | GiveUp
