"""From when on a day can be collected, and from when on its numbers stay as they are.

The exchange closes at 15:30, on a few days later. Closes are final within minutes of the last
trade; volumes were seen to change until the night. All of this is by its own clock.
"""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import SEOUL

__all__ = ["is_final", "traded_from"]

_TRADED: Final = time(16)
_SETTLED: Final = time(23)


def traded_from(day: date) -> datetime:
    """Before this moment what is there of a day is half a day, or nothing yet."""
    return datetime.combine(day, _TRADED, ZoneInfo(SEOUL))


def is_final(day: date, now: datetime) -> bool:
    """Whether nothing of a day is expected to change any more, by the clock of the exchange."""
    return now >= datetime.combine(day, _SETTLED, ZoneInfo(SEOUL))
