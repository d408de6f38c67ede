"""The units of YouTube's quota: counted before they are spent, by the day in California.

All processes share the ledger. If YouTube says that the units are used up, that is stored too, and
no process sends a request before they come back.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import select

from gotgan.clock import Clock
from gotgan.domains.videos import messages
from gotgan.domains.videos.reports import QuotaDay
from gotgan.domains.videos.tables import QUOTA_LEDGER
from gotgan.errors import KeyRefused, QuotaExhausted
from gotgan.settings import Settings
from gotgan.sql import Database, insert_into

_PACIFIC: Final = "America/Los_Angeles"
_HASH_DIGITS: Final = 32
_MIN_LEASE: Final = timedelta(seconds=1)


class Quota:
    """The units of the key in the settings."""

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock

    def spend(self, units: int = 1) -> None:
        """Count one request before it is sent; QuotaExhausted if it may not be."""
        key_hash = self._key_hash()
        if self._database.leases.held(_breaker_key(key_hash)) is not None:
            raise QuotaExhausted(messages.QUOTA_USED_UNTIL(at=self._resets_at()), self.resets_in())
        if not self._is_added(key_hash, units):
            units, at = self._settings.youtube_quota, self._resets_at()
            raise QuotaExhausted(messages.QUOTA_LIMIT(units=units, at=at), self.resets_in())

    def block(self, why: str) -> None:
        """Stop all requests until the units come back."""
        left = timedelta(seconds=self.resets_in())
        key = _breaker_key(self._key_hash())
        self._database.leases.take(key, max(left, _MIN_LEASE), owner=why)

    def resets_in(self) -> float:
        """In how many seconds the units come back."""
        return (self._resets_at() - self._clock.now()).total_seconds()

    def today(self) -> QuotaDay:
        """What was used today."""
        key_hash, day = self._key_hash(), _pacific_day(self._clock.now())
        limit, ledger = self._settings.youtube_quota, QUOTA_LEDGER.c
        query = select(ledger.units, ledger.calls).where(
            ledger.key_hash == key_hash, ledger.day == day
        )
        with self._database.read() as connection:
            units, calls = connection.execute(query).one_or_none() or (0, 0)
        is_open = self._database.leases.held(_breaker_key(key_hash)) is None
        is_blocked = units >= limit or not is_open
        return QuotaDay(day, units, calls, limit, _midnight_after(day), is_blocked)

    def _is_added(self, key_hash: str, units: int) -> bool:
        """Add to the day in one statement, which does nothing if that exceeds the limit."""
        limit = self._settings.youtube_quota
        if units > limit:
            return False
        day = _pacific_day(self._clock.now())
        with self._database.begin() as connection:
            row = {"key_hash": key_hash, "day": day, "units": units, "calls": 1}
            insert = insert_into(connection, QUOTA_LEDGER).values(row)
            sums = {
                "units": QUOTA_LEDGER.c.units + insert.excluded.units,
                "calls": QUOTA_LEDGER.c.calls + insert.excluded.calls,
            }
            upsert = insert.on_conflict_do_update(
                index_elements=[QUOTA_LEDGER.c.key_hash, QUOTA_LEDGER.c.day],
                set_=sums,
                where=sums["units"] <= limit,
            )
            added = connection.execute(upsert.returning(QUOTA_LEDGER.c.units))
            return added.scalar_one_or_none() is not None

    def _resets_at(self) -> datetime:
        return _midnight_after(_pacific_day(self._clock.now()))

    def _key_hash(self) -> str:
        """A hash without a secret: keys cannot be guessed, and all processes compute the same."""
        content = f"youtube\0{youtube_key(self._settings)}".encode()
        return hashlib.sha256(content).hexdigest()[:_HASH_DIGITS]


def youtube_key(settings: Settings) -> str:
    """The key of YouTube's API; KeyRefused if there is none."""
    if settings.youtube_key is None:
        raise KeyRefused(messages.NO_KEY())
    key = settings.youtube_key.reveal().strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise KeyRefused(messages.BAD_KEY(variable="YOUTUBE_API_KEY"))
    return key


def _breaker_key(key_hash: str) -> str:
    return f"breaker:youtube:{key_hash}"


def _pacific_day(moment: datetime) -> date:
    return moment.astimezone(ZoneInfo(_PACIFIC)).date()


def _midnight_after(day: date) -> datetime:
    """The end of a day in California, which may have 23 or 25 hours."""
    midnight = datetime.combine(day + timedelta(days=1), time(), ZoneInfo(_PACIFIC))
    return midnight.astimezone(UTC)
