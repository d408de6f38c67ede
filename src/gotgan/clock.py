"""The time, asked for in one place, and the stamps that Gotgan writes.

Code that needs the time takes a ``Clock``; a test hands in a ``FixedClock`` and moves it by hand.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol
from zoneinfo import ZoneInfo

__all__ = [
    "NEW_YORK",
    "SEOUL",
    "Clock",
    "FixedClock",
    "Stamp",
    "SystemClock",
    "new_york_stamp",
    "seoul_stamp",
    "utc_stamp",
]

NEW_YORK: Final = "America/New_York"
SEOUL: Final = "Asia/Seoul"


class Clock(Protocol):
    """Whatever can say what time it is."""

    def now(self) -> datetime:
        """The present moment, aware and in UTC."""

    def monotonic(self) -> float:
        """Seconds that only ever grow, for durations."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """The present moment, aware and in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that only ever grow, for durations."""
        return time.monotonic()


class FixedClock:
    """A clock that stands still until it is moved."""

    def __init__(self, at: datetime) -> None:
        self._start = self._now = _aware(at).astimezone(UTC)

    def now(self) -> datetime:
        """The moment that the clock was set to."""
        return self._now

    def monotonic(self) -> float:
        """The seconds that the clock was moved since it was made."""
        return (self._now - self._start).total_seconds()

    def advance(self, by: timedelta) -> None:
        """Move the clock forward."""
        if by < timedelta(0):
            raise ValueError("a clock only moves forward")
        self._now += by


@dataclass(frozen=True, slots=True)
class Stamp:
    """One moment in whole seconds, as a zone writes it."""

    iso: str
    """``2025-11-06T00:35:12Z``, or with the zone's offset where it is not UTC."""
    epoch_ms: int
    """Milliseconds since 1970; the same in every zone."""
    day: str
    """The date in that zone, ``2025-11-06``."""
    abbreviation: str
    """What the zone is called at that moment: ``UTC``, ``EST``, ``EDT``, ``KST``."""
    is_dst: bool
    """Whether daylight saving time holds at that moment."""


def utc_stamp(moment: datetime) -> Stamp:
    """The moment as UTC writes it."""
    return _stamp(_aware(moment).astimezone(UTC))


def new_york_stamp(moment: datetime) -> Stamp:
    """The moment as New York writes it."""
    return _stamp(_aware(moment).astimezone(ZoneInfo(NEW_YORK)))


def seoul_stamp(moment: datetime) -> Stamp:
    """The moment as Seoul writes it."""
    return _stamp(_aware(moment).astimezone(ZoneInfo(SEOUL)))


def _stamp(local: datetime) -> Stamp:
    whole = local.replace(microsecond=0)
    return Stamp(
        iso=whole.isoformat().replace("+00:00", "Z"),
        epoch_ms=int(whole.timestamp()) * 1000,
        day=whole.date().isoformat(),
        abbreviation=whole.tzname() or "",
        is_dst=bool(whole.dst()),
    )


def _aware(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no zone; give it one, such as datetime.UTC")
    return moment
