"""How days, sides and decisions stand, as one of the console's states."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gotgan.domains.market.reports import DayStatus

__all__ = ["KINDS", "REASON_KINDS", "has_failed", "is_weekend"]

_WEEKEND: Final = "a weekend"
"""As the calendar has it."""
KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "success": "good",
        "partial": "warning",
        "failed": "bad",
        "retrying": "running",
        "pending": "none",
        "never": "none",
        "closed": "none",
        "skipped": "none",
        "waiting": "running",
    }
)
"""The console's state of each: good, running, warning, bad or none."""
REASON_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "first_run": "running",
        "retry": "running",
        "take_over": "running",
        "reopen": "running",
        "before_collection_time": "none",
        "before_calculation_time": "none",
        "already_success": "good",
        "market_closed": "none",
        "in_progress": "running",
        "before_retry_time": "warning",
        "collection_not_success": "none",
        "not_enough_history": "warning",
        "max_retry_exceeded": "bad",
        "provider_blocked": "warning",
        "no_provider": "warning",
        "prices_elsewhere": "none",
    }
)
"""And of each reason that a gate has."""


def is_weekend(status: DayStatus) -> bool:
    """Whether a day is closed for no other reason than the end of the week."""
    return status.closed == _WEEKEND


def has_failed(status: DayStatus) -> bool:
    """Whether something of a day was tried and failed, and was not mended since."""
    log, indicators = status.log, status.indicators
    sides = [] if log is None else [log.prices.status, log.indices.status]
    return "failed" in [*sides, *([] if indicators is None else [indicators.status])]
