"""Days that are over, counted once: what lies in them changes no more."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from datetime import date, timedelta
from threading import Lock
from typing import Any, Final, TypeVar

__all__ = ["Past"]

_MOST: Final = 64
T = TypeVar("T")


class Past:
    """What one server has counted; on another date it counts anew: something may be restored."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[Hashable, Mapping[date, Any]] = {}

    def of(
        self,
        name: Hashable,
        days: Sequence[date],
        today: date,
        count: Callable[[Sequence[date]], Mapping[date, T]],
        *,
        open_days: int = 1,
    ) -> dict[date, T]:
        """What each of some days in a row has, as far as they have come.

        The last days are counted anew: today, or more of them where things end on a later day than
        they begin.
        """
        opened = today - timedelta(days=open_days - 1)
        over = tuple(day for day in days if day < opened)
        now = [day for day in days if opened <= day <= today]
        found = dict(self._over((name, over, today), over, count)) if over else {}
        return found | dict(count(now)) if now else found

    def _over(
        self,
        key: Hashable,
        days: Sequence[date],
        count: Callable[[Sequence[date]], Mapping[date, T]],
    ) -> Mapping[date, T]:
        with self._lock:
            kept = self._kept.get(key)
        if kept is None:
            kept = count(days)
            self._keep(key, kept)
        return kept

    def _keep(self, key: Hashable, found: Mapping[date, Any]) -> None:
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > _MOST:
                del self._kept[next(iter(self._kept))]
