"""Keys, and how much each of them may still ask for today."""

from __future__ import annotations

import threading
from collections import Counter
from datetime import date, datetime
from typing import Final
from urllib.parse import parse_qs
from zoneinfo import ZoneInfo

from gotgan.world.scene import SceneRequest

__all__ = ["WRONG", "KeyUsage", "key_of"]

WRONG: Final = "wrong"
"""The one key that is not taken."""
_CALIFORNIA: Final = "America/Los_Angeles"
"""Where the day of the quota begins and ends."""


def key_of(asked: SceneRequest) -> str | None:
    """The key that a request carries: in a header, or in its address."""
    in_address = parse_qs(asked.query).get("key", [""])[0]
    return asked.headers.get("x-goog-api-key") or in_address or None


class KeyUsage:
    """Counts what each key asked for on each day."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._units: Counter[tuple[str, date]] = Counter()

    def spent(self, key: str, now: datetime) -> int:
        """How many units a key has used today."""
        return self._units[key, _day(now)]

    def spend(self, key: str, now: datetime) -> int:
        """Count one unit more; how many there were before."""
        with self._lock:
            before = self._units[key, _day(now)]
            self._units[key, _day(now)] += 1
        return before


def _day(now: datetime) -> date:
    return now.astimezone(ZoneInfo(_CALIFORNIA)).date()
