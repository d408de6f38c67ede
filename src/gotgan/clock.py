"""Clocks, and the timestamps that Gotgan writes.

Code that needs the time takes a ``Clock``; a test passes a ``FixedClock`` and moves it.
"""

from __future__ import annotations

import time as system_time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from types import MappingProxyType
from typing import Final, Literal, Protocol
from zoneinfo import ZoneInfo

NEW_YORK: Final = "America/New_York"
SEOUL: Final = "Asia/Seoul"
Zone = Literal["utc", "ny", "kst"]
ZONES: Final[Mapping[Zone, str]] = MappingProxyType({"utc": "UTC", "ny": NEW_YORK, "kst": SEOUL})
"""The zones that days are counted in, by their short names."""


class Clock(Protocol):
    """Tells the time."""

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
        return system_time.monotonic()


class FixedClock:
    """A clock that only moves when a test moves it."""

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


class LeapingClock:
    """A clock that runs like another one, from another moment on, and can leap ahead.

    Between leaps it keeps the pace of real time, so that leases and deadlines hold; let it leap
    only while nothing runs.
    """

    def __init__(self, clock: Clock, at: datetime) -> None:
        self._clock = clock
        self._ahead = _aware(at).astimezone(UTC) - clock.now()

    def now(self) -> datetime:
        """The present moment, aware and in UTC."""
        return self._clock.now() + self._ahead

    def monotonic(self) -> float:
        """Seconds that only ever grow, for durations; without leaps."""
        return self._clock.monotonic()

    def leap_to(self, moment: datetime) -> None:
        """Leap to a moment; one in the past changes nothing."""
        self._ahead += max(_aware(moment) - self.now(), timedelta(0))


class EarlierClock:
    """The earlier of two clocks: what is over by this clock is over by both."""

    def __init__(self, clock: Clock, other: Clock) -> None:
        self._clock = clock
        self._other = other

    def now(self) -> datetime:
        """The earlier of the two moments, aware and in UTC."""
        return min(self._clock.now(), self._other.now())

    def monotonic(self) -> float:
        """Seconds that only ever grow, for durations."""
        return self._clock.monotonic()


@dataclass(frozen=True, slots=True)
class Span:
    """A time span."""

    first: datetime
    last: datetime
    """The first moment that is not in it any more."""

    def __contains__(self, moment: datetime) -> bool:
        return self.first <= moment < self.last


def day_span(day: date, zone: Zone) -> Span:
    """A day of a zone; one on which clocks change has 23 or 25 hours."""
    place = ZoneInfo(ZONES[zone])
    first, last = (
        datetime.combine(each, time.min, place).astimezone(UTC)
        for each in (day, day + timedelta(days=1))
    )
    return Span(first, last)


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


def utc_iso(moment: datetime) -> str:
    """The moment to the second, as UTC writes it: ``2025-11-06T09:30:00Z``."""
    whole = _aware(moment).astimezone(UTC).replace(microsecond=0, tzinfo=None)
    return f"{whole.isoformat()}Z"


def day_zone(*zones: str) -> Zone:
    """The first of these zones that days are counted in, else Seoul.

    A day that names no zone is one of ``day_zone(settings.zone)``, in every front.
    """
    words = {name: word for word, name in ZONES.items()}
    return next((words[zone] for zone in zones if zone in words), "kst")


def has_days(zone: str) -> bool:
    """Whether days are counted in a zone; else they are counted in Seoul's."""
    return zone in ZONES.values()


def parse_moment(text: str, zone: str) -> datetime:
    """The moment of an ISO text, in UTC; without an offset it is in the zone.

    A date is its midnight. A text that is neither raises ValueError or OverflowError.
    """
    moment = datetime.fromisoformat(text)
    aware = moment.replace(tzinfo=ZoneInfo(zone)) if moment.tzinfo is None else moment
    return aware.astimezone(UTC)


def utc_stamp(moment: datetime) -> Stamp:
    """The moment as UTC writes it."""
    return stamp_in(moment, UTC)


def new_york_stamp(moment: datetime) -> Stamp:
    """The moment as New York writes it."""
    return stamp_in(moment, ZoneInfo(NEW_YORK))


def seoul_stamp(moment: datetime) -> Stamp:
    """The moment as Seoul writes it."""
    return stamp_in(moment, ZoneInfo(SEOUL))


def stamp_in(moment: datetime, place: tzinfo) -> Stamp:
    """The moment as a zone writes it."""
    whole = _aware(moment).astimezone(place).replace(microsecond=0)
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
