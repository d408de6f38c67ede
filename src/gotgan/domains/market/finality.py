"""From when on the numbers of a day stay as they are.

Closes are final within minutes of the last trade; volumes were seen to change until the night.
"""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import SEOUL

__all__ = ["is_final"]

_SETTLED: Final = time(23)


def is_final(day: date, now: datetime) -> bool:
    """Whether nothing of a day is expected to change any more, by the clock of the exchange."""
    return now >= datetime.combine(day, _SETTLED, ZoneInfo(SEOUL))
