"""Days, logs and leases to ask the gates about."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from gotgan.clock import SEOUL
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.gate import DecisionRules
from gotgan.domains.market.models import CollectionLog, IndicatorLog, Side, SideLog, Status
from gotgan.sql import Lease

__all__ = [
    "MONDAY",
    "RULES",
    "at",
    "calculated",
    "collected",
    "in_hand",
    "indices_alone",
    "side",
    "with_side",
]

MONDAY = date(2025, 10, 20)
RULES = DecisionRules(ZoneInfo(SEOUL), Calendar())


def at(text: str, rules: DecisionRules = RULES) -> datetime:
    """A moment as the zone's clocks show it: ``17:00`` of that Monday, or ``2025-10-21 17:00``."""
    whole = text if " " in text else f"{MONDAY} {text}"
    return datetime.fromisoformat(whole).replace(tzinfo=rules.zone).astimezone(UTC)


def side(status: Status = "pending", attempts: int = 0, when: str | None = None) -> SideLog:
    """One side, as often tried, and last at a moment."""
    moment = None if when is None else at(when)
    return SideLog(status, attempts=attempts, attempted_at=moment, provider="krx")


def collected(
    prices: SideLog, indices: SideLog | None = None, *, day: date = MONDAY
) -> CollectionLog:
    """A day's log; the sides stand alike unless told otherwise."""
    return CollectionLog(day, day, prices, indices or prices, at("16:00"))


def with_side(log: CollectionLog, name: Side, stands: SideLog) -> CollectionLog:
    """The log with one side standing otherwise."""
    return replace(log, prices=stands) if name == "prices" else replace(log, indices=stands)


def indices_alone(status: Status, attempts: int, when: str | None = None) -> CollectionLog:
    """A day whose prices are there."""
    return collected(side("success", 1, "17:00"), side(status, attempts, when))


def calculated(status: Status, attempts: int, when: str | None = None) -> IndicatorLog:
    """The log of a day's indicators."""
    moment = None if when is None else at(when)
    blank = IndicatorLog(MONDAY, MONDAY, status, None, None, 0, 0, None, None, at("18:00"))
    return replace(blank, attempts=attempts, attempted_at=moment)


def in_hand(until: str = "17:15") -> Lease:
    """Somebody's lease."""
    return Lease(f"market:{MONDAY}", "somebody", at(until), 1)
