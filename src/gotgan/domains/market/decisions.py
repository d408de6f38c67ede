"""What a gate decides: to run, to skip, to wait or to give up, and why in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from gotgan.domains.market.models import Side

__all__ = ["Action", "Decision", "GiveUp", "Run", "Skip", "Wait"]

Action = Literal["first_run", "retry", "take_over", "reopen"]


@dataclass(frozen=True)
class Run:
    """Work on it now."""

    action: Action
    words: str
    sides: tuple[Side, ...] = ()
    status: Literal["run"] = "run"

    @property
    def reason(self) -> str:
        """The one word for it."""
        return self.action


@dataclass(frozen=True)
class Skip:
    """There is nothing to do."""

    reason: Literal[
        "before_collection_time",
        "before_calculation_time",
        "already_success",
        "market_closed",
        "no_provider",
        "prices_elsewhere",
    ]
    words: str
    until: datetime | None = None
    status: Literal["skipped"] = "skipped"


@dataclass(frozen=True)
class Wait:
    """There is something to do, and it cannot be done now."""

    reason: Literal[
        "in_progress",
        "before_retry_time",
        "collection_not_success",
        "not_enough_history",
        "provider_blocked",
    ]
    words: str
    until: datetime | None = None
    status: Literal["waiting"] = "waiting"


@dataclass(frozen=True)
class GiveUp:
    """It was tried often enough; the next session opens it again."""

    reason: Literal["max_retry_exceeded"]
    words: str
    status: Literal["failed"] = "failed"


Decision: TypeAlias = Run | Skip | Wait | GiveUp
