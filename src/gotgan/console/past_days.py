"""Counts of past days, cached: only the last days still change."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date, timedelta
from threading import Lock
from typing import Any, Final, TypeVar

RECENT_DAYS: Final = 30
_MAX_ENTRIES: Final = 64
T = TypeVar("T")


def last_days(today: date) -> list[date]:
    """The last thirty days, the oldest first."""
    return [today - timedelta(days=ago) for ago in reversed(range(RECENT_DAYS))]


class PastDays:
    """The counts of one server; on another date it counts again: something may be restored."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[Hashable, Mapping[date, Any]] = {}

    def of(
        self,
        name: Hashable,
        days: Sequence[date],
        today: date,
        count: Callable[[Sequence[date]], Mapping[date, T]],
        *,
        open_days: int = 1,
    ) -> dict[date, T]:
        """The counts of successive days up to today.

        The last days are always counted again: today, or more of them where things end on a later
        day than they start.
        """
        first_open = today - timedelta(days=open_days - 1)
        past = tuple(day for day in days if day < first_open)
        still_open = [day for day in days if first_open <= day <= today]
        found = dict(self._past((name, past, today), past, count)) if past else {}
        return found | dict(count(still_open)) if still_open else found

    def _past(
        self,
        key: Hashable,
        days: Sequence[date],
        count: Callable[[Sequence[date]], Mapping[date, T]],
    ) -> Mapping[date, T]:
        with self._lock:
            counts = self._counts.get(key)
        if counts is None:
            counts = count(days)
            with self._lock:
                self._counts[key] = counts
                while len(self._counts) > _MAX_ENTRIES:
                    del self._counts[next(iter(self._counts))]
        return counts
