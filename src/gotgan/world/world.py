"""The world: its clock, its seed, its faults, and what it was asked."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from fnmatch import fnmatchcase
from typing import Final

from gotgan.clock import Clock, SystemClock
from gotgan.errors import UsageError
from gotgan.world.excuses import EXCUSES
from gotgan.world.faults import OF_THE_EXCHANGE, Fault, Faults, Planned
from gotgan.world.hosts import HOSTS, answered, has_host
from gotgan.world.market import KRX
from gotgan.world.scene import SHARES, Asked, Markup, Page, Scene

__all__ = ["DayClock", "Seen", "World"]

_REMEMBERED: Final = 10_000
"""How many requests are kept."""
_YEARS: Final = range(1971, 9999)


class DayClock:
    """A clock that goes on as another does, from the same time of another day."""

    def __init__(self, day: date, clock: Clock) -> None:
        if day.year not in _YEARS:
            raise UsageError(f"the world has no day {day}; use one after 1970")
        midnight = datetime.combine(clock.now().date(), time(), UTC)
        self._clock = clock
        self._ahead = datetime.combine(day, time(), UTC) - midnight

    def now(self) -> datetime:
        """The present moment of that day, aware and in UTC."""
        return self._clock.now() + self._ahead

    def monotonic(self) -> float:
        """Seconds that only ever grow, for durations."""
        return self._clock.monotonic()


@dataclass(frozen=True)
class Seen:
    """A request that came, and what was done to it."""

    at: datetime
    method: str
    host: str
    path: str
    query: str
    headers: Mapping[str, str]
    """With names in lower case."""
    fault: Fault | None


class World:
    """A small web: its pages follow from the seed and the moment, and from nothing else."""

    def __init__(  # noqa: PLR0913 - everything that can be chosen about a world
        self,
        *,
        seed: int = 7,
        clock: Clock | None = None,
        markup: Markup = "2026",
        cards: int = 55,
        padding: int = 200_000,
        retry_after: int = 2,
        shop_bytes: int = 12_000,
        shares: Mapping[str, int] | None = None,
    ) -> None:
        """``shares`` says how many a market has, where it is not the usual number."""
        self.clock: Clock = clock or SystemClock()
        self.faults = Faults()
        self._lock = threading.Lock()
        self._seen: deque[Seen] = deque(maxlen=_REMEMBERED)
        self._still = Scene(
            seed=seed,
            now=self.clock.now(),
            markup=markup,
            cards=cards,
            padding=padding,
            retry_after=retry_after,
            shop_bytes=shop_bytes,
            shares={**SHARES, **(shares or {})},
        )

    @property
    def scene(self) -> Scene:
        """What pages are made of at this moment."""
        return replace(self._still, now=self.clock.now())

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names that it answers under."""
        return tuple(HOSTS)

    @property
    def requests(self) -> tuple[Seen, ...]:
        """What it was asked, in that order."""
        with self._lock:
            return tuple(self._seen)

    def fail(self, host: str, path: str, fault: Fault, *, times: int = 0) -> None:
        """Misbehave at an address, so many times, or until ``heal`` is called.

        Both may hold ``*``; robots.txt fails only where the path is exactly ``/robots.txt``.
        """
        if not has_host(host):
            raise UsageError(f"the world has no host {host}; it has {', '.join(HOSTS)}")
        if fault in OF_THE_EXCHANGE and not fnmatchcase(KRX, host):
            raise UsageError(f"the fault {fault.value} is the exchange's; plan it at {KRX}")
        self.faults.plan(Planned(host, path, fault, times))

    def heal(self) -> None:
        """Forget all faults."""
        self.faults.clear()

    def answer(self, asked: Asked) -> tuple[Page, Fault | None]:
        """The page for a request; a fault that is no whole answer is left to whoever sends it."""
        fault, scene = self.faults.taken(asked), self.scene
        self.note(asked, fault)
        page = answered(scene, asked)
        if fault is not None and fault in EXCUSES:
            return EXCUSES[fault](scene, asked, page), None
        return page, fault

    def note(self, asked: Asked, fault: Fault | None = None) -> None:
        """Remember a request."""
        seen = Seen(
            at=self.clock.now(),
            method=asked.method,
            host=asked.host,
            path=asked.path,
            query=asked.query,
            headers=asked.headers,
            fault=fault,
        )
        with self._lock:
            self._seen.append(seen)
