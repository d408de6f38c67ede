"""The units of YouTube's quota: counted before they are spent, by the day in California.

The ledger is shared by all processes. Whoever hears from YouTube that the units are used up writes
that down too, and nobody asks before they come back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import select

from gotgan.clock import Clock
from gotgan.domains.videos.reports import QuotaDay
from gotgan.domains.videos.tables import QUOTA_LEDGER
from gotgan.errors import KeyRefused, QuotaExhausted
from gotgan.settings import Settings
from gotgan.sql import Database, insert_into

__all__ = ["Quota", "key_of"]

_PACIFIC: Final = "America/Los_Angeles"
_DIGITS: Final = 32
_SHORTEST_LEASE: Final = timedelta(seconds=1)


class Quota:
    """The units of the key that the settings have; without one there are none."""

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock

    def spend(self, units: int = 1) -> None:
        """Count one request before it is sent; QuotaExhausted where it may not be."""
        key_hash = self._key_hash()
        if self._database.leases.held(_breaker(key_hash)) is not None:
            raise self._exhausted("YouTube said that the units of this key are used up")
        if not self._is_added(key_hash, units):
            limit = f"{self._settings.youtube_quota:,} units"
            raise self._exhausted(f"the {limit} that GOTGAN_YOUTUBE_QUOTA allows are used up")

    def block(self, why: str) -> None:
        """Let nobody ask before the units come back."""
        left = timedelta(seconds=self.resets_in())
        key = _breaker(self._key_hash())
        self._database.leases.take(key, max(left, _SHORTEST_LEASE), owner=why)

    def resets_in(self) -> float:
        """In how many seconds the units come back."""
        now = self._clock.now()
        return (_midnight_after(_day_of(now)) - now).total_seconds()

    def today(self) -> QuotaDay:
        """What was used today, and whether that is all."""
        return self.days(1)[0]

    def days(self, number: int) -> list[QuotaDay]:
        """The last days, today first; also those on which nothing was used."""
        key_hash, today = self._key_hash(), _day_of(self._clock.now())
        wanted = [today - timedelta(days=back) for back in range(number)]
        used = self._used(key_hash, since=min(wanted, default=today))
        is_open = self._database.leases.held(_breaker(key_hash)) is None
        return [
            self._day(day, used.get(day, (0, 0)), may_ask=is_open or day != today) for day in wanted
        ]

    def _is_added(self, key_hash: str, units: int) -> bool:
        """Add to the day in one statement, which does nothing where it would be too much."""
        limit = self._settings.youtube_quota
        if units > limit:
            return False
        day = _day_of(self._clock.now())
        with self._database.begin() as connection:
            row = {"key_hash": key_hash, "day": day, "units": units, "calls": 1}
            insert = insert_into(connection, QUOTA_LEDGER).values(row)
            sums = {
                "units": QUOTA_LEDGER.c.units + insert.excluded.units,
                "calls": QUOTA_LEDGER.c.calls + insert.excluded.calls,
            }
            adding = insert.on_conflict_do_update(
                index_elements=[QUOTA_LEDGER.c.key_hash, QUOTA_LEDGER.c.day],
                set_=sums,
                where=sums["units"] <= limit,
            )
            added = connection.execute(adding.returning(QUOTA_LEDGER.c.units))
            return added.scalar_one_or_none() is not None

    def _used(self, key_hash: str, since: date) -> Mapping[date, tuple[int, int]]:
        """Units and calls by the day."""
        ledger = QUOTA_LEDGER.c
        query = select(ledger.day, ledger.units, ledger.calls).where(
            ledger.key_hash == key_hash, ledger.day >= since
        )
        with self._database.read() as connection:
            return {row.day: (row.units, row.calls) for row in connection.execute(query)}

    def _day(self, day: date, used: tuple[int, int], *, may_ask: bool) -> QuotaDay:
        units, calls = used
        limit = self._settings.youtube_quota
        is_blocked = units >= limit or not may_ask
        return QuotaDay(day, units, calls, limit, _midnight_after(day), is_blocked)

    def _exhausted(self, why: str) -> QuotaExhausted:
        back_at = _midnight_after(_day_of(self._clock.now()))
        return QuotaExhausted(
            f"{why}; they come back at {back_at:%Y-%m-%d %H:%M} UTC, midnight in California: wait, "
            "or import a file",
            self.resets_in(),
        )

    def _key_hash(self) -> str:
        """Not keyed: a key cannot be guessed, and all who share the database know it alike."""
        said = f"youtube\0{key_of(self._settings)}".encode()
        return hashlib.sha256(said).hexdigest()[:_DIGITS]


def key_of(settings: Settings) -> str:
    """The key of YouTube's API; KeyRefused where there is none that could be one."""
    if settings.youtube_key is None:
        raise KeyRefused(
            "there is no key for YouTube; set YOUTUBE_API_KEY to one of the YouTube Data API v3, "
            "which is free to have, or import a file"
        )
    key = settings.youtube_key.reveal().strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise KeyRefused("YOUTUBE_API_KEY holds characters that no key has; copy it once more")
    return key


def _breaker(key_hash: str) -> str:
    return f"breaker:youtube:{key_hash}"


def _day_of(moment: datetime) -> date:
    return moment.astimezone(ZoneInfo(_PACIFIC)).date()


def _midnight_after(day: date) -> datetime:
    """In UTC, where a day of 23 or 25 hours is counted right."""
    midnight = datetime.combine(day + timedelta(days=1), time(), ZoneInfo(_PACIFIC))
    return midnight.astimezone(UTC)
