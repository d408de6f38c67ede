"""The market as it is shown: rows and logs under the names of their columns, decisions in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from gotgan.clock import utc_iso
from gotgan.domains.market.models import (
    INDICATORS,
    SIDES,
    CollectionLog,
    IndicatorLog,
    Side,
)

if TYPE_CHECKING:
    from gotgan.domains.market.decisions import Decision
    from gotgan.domains.market.gaps import Gaps
    from gotgan.domains.market.status import DayStatus
    from gotgan.domains.market.wording import Wording

__all__ = [
    "INDICATORS",
    "LOG_FIELDS",
    "day_record",
    "decision_record",
    "gaps_record",
    "indicator_log_record",
    "log_record",
]

_COLUMN: Final[Mapping[Side, str]] = {"prices": "price", "indices": "indices"}
_OF_A_SIDE: Final = (
    "status",
    "count",
    "error_message",
    "completed_at",
    "retry_count",
    "attempts",
    "attempted_at",
    "provider",
)
LOG_FIELDS: Final = (
    "date",
    "collection_date",
    *(f"{_COLUMN[side]}_{name}" for side in SIDES for name in _OF_A_SIDE),
    "overall_status",
    "started_at",
    "finalised_at",
)
"""What a row of ``collection_log`` has, in its order."""


def day_record(status: DayStatus, wording: Wording) -> dict[str, Any]:
    """How a day stands, and what will happen next."""
    log, indicators = status.log, status.indicators
    return {
        "date": str(status.day),
        "closed": status.closed,
        "overall_status": None if log is None else log.overall_status,
        "next": wording.next(status),
        "log": None if log is None else log_record(log),
        "indicator_log": None if indicators is None else indicator_log_record(indicators),
        "collection": decision_record(status.collection),
        "calculation": decision_record(status.calculation),
    }


def log_record(log: CollectionLog) -> dict[str, Any]:
    """A row of ``collection_log``."""
    sides = {
        f"{_COLUMN[side]}_{name}": _plain(getattr(log.side(side), name))
        for side in SIDES
        for name in _OF_A_SIDE
    }
    return {
        "date": str(log.day),
        "collection_date": str(log.collection_date),
        **sides,
        "overall_status": log.overall_status,
        "started_at": _plain(log.started_at),
        "finalised_at": _plain(log.finalised_at),
    }


def indicator_log_record(log: IndicatorLog) -> dict[str, Any]:
    """A row of ``indicator_log``."""
    return {
        "date": str(log.day),
        "indicator_date": str(log.indicator_date),
        "status": log.status,
        "indicators_count": log.indicators_count,
        "error_message": log.error_message,
        "retry_count": log.retry_count,
        "attempts": log.attempts,
        "attempted_at": _plain(log.attempted_at),
        "completed_at": _plain(log.completed_at),
        "created_at": _plain(log.created_at),
    }


def decision_record(decision: Decision) -> dict[str, Any]:
    """What was decided, in one word and in many."""
    return {
        "status": decision.status,
        "reason": decision.reason,
        "words": decision.words,
        "until": _plain(getattr(decision, "until", None)),
        "sides": list(getattr(decision, "sides", ())),
    }


def gaps_record(gaps: Gaps) -> dict[str, Any]:
    """What is missing of a span."""
    return {
        "first": str(gaps.first),
        "last": str(gaps.last),
        "sessions": gaps.sessions,
        "is_whole": gaps.is_whole,
        "missing": [
            {
                "date": str(each.day),
                "sides": list(each.sides),
                "words": each.words,
                "count": each.count,
                "beside": each.beside,
            }
            for each in gaps.missing
        ],
        "thin": [
            {"date": str(each.day), "count": each.count, "beside": each.beside}
            for each in gaps.thin
        ],
        "holes": [
            {"ticker": each.ticker, "dates": [str(day) for day in each.days]} for each in gaps.holes
        ],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return utc_iso(value)
    return str(value) if isinstance(value, date) else value
