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
from gotgan.world.faults import (
    OF_MAIL,
    OF_MODELS,
    OF_THE_EXCHANGE,
    OF_YOUTUBE,
    FaultKind,
    Faults,
    Planned,
)
from gotgan.world.hosts import HOSTS, answered, has_host
from gotgan.world.letters import MAIL, Letter
from gotgan.world.market import KRX
from gotgan.world.scene import SHARES, Markup, Scene, SceneRequest, SceneResponse
from gotgan.world.videos import GEMINI, OPENAI, YOUTUBE
from gotgan.world.videos.keys import KeyUsage, key_of

__all__ = ["RequestRecord", "ShiftedClock", "World"]

_REMEMBERED: Final = 10_000
"""How many requests are kept."""
_LETTERS: Final = 200
"""How many mails are."""
_YEARS: Final = range(1971, 9999)


_OWNERS: Final = (
    (OF_THE_EXCHANGE, "the exchange's", (KRX,)),
    (OF_YOUTUBE, "YouTube's", (YOUTUBE,)),
    (OF_MODELS, "the models'", (GEMINI, OPENAI)),
    (OF_MAIL, "the mail server's", (MAIL,)),
)
"""Whose faults mean nothing elsewhere, and where they are at home."""


class ShiftedClock:
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
class RequestRecord:
    """A request that came, and what was done to it."""

    at: datetime
    method: str
    host: str
    path: str
    query: str
    headers: Mapping[str, str]
    """With names in lower case."""
    fault: FaultKind | None


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
        quota: int = 10_000,
    ) -> None:
        """``shares`` says how many a market has, where it is not the usual number."""
        self.clock: Clock = clock or SystemClock()
        self.faults = Faults()
        self.meter = KeyUsage()
        self._lock = threading.Lock()
        self._seen: deque[RequestRecord] = deque(maxlen=_REMEMBERED)
        self._letters: deque[Letter] = deque(maxlen=_LETTERS)
        self._still = Scene(
            seed=seed,
            now=self.clock.now(),
            markup=markup,
            cards=cards,
            padding=padding,
            retry_after=retry_after,
            shop_bytes=shop_bytes,
            shares={**SHARES, **(shares or {})},
            quota=quota,
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
    def requests(self) -> tuple[RequestRecord, ...]:
        """What it was asked, in that order."""
        with self._lock:
            return tuple(self._seen)

    @property
    def letters(self) -> tuple[Letter, ...]:
        """The last mails that were handed in, in that order."""
        with self._lock:
            return tuple(self._letters)

    def fail(self, host: str, path: str, fault: FaultKind, *, times: int = 0) -> None:
        """Misbehave at an address, so many times, or until ``heal`` is called.

        Both may hold ``*``; robots.txt fails only where the path is exactly ``/robots.txt``.
        """
        if not has_host(host):
            raise UsageError(f"the world has no host {host}; it has {', '.join(HOSTS)}")
        _expect_at_home(fault, host)
        self.faults.plan(Planned(host, path, fault, times))

    def heal(self) -> None:
        """Forget all faults."""
        self.faults.clear()

    def answer(self, asked: SceneRequest) -> tuple[SceneResponse, FaultKind | None]:
        """The page for a request; a fault that is no whole answer is left to whoever sends it."""
        fault, scene = self.faults.taken(asked), self._metered(asked)
        self.note(asked, fault)
        page = answered(scene, asked)
        if fault is not None and fault in EXCUSES:
            return EXCUSES[fault](scene, asked, page), None
        return page, fault

    def _metered(self, asked: SceneRequest) -> Scene:
        """The scene of a request: what YouTube is asked for with a key counts."""
        scene, key = self.scene, key_of(asked)
        if asked.host != YOUTUBE or key is None:
            return scene
        return replace(scene, spent=self.meter.spend(key, scene.now))

    def note(self, asked: SceneRequest, fault: FaultKind | None = None) -> None:
        """Remember a request."""
        seen = RequestRecord(
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

    def keep(self, letter: Letter) -> None:
        """Have a mail, which goes no further."""
        with self._lock:
            self._letters.append(letter)


def _expect_at_home(fault: FaultKind, host: str) -> None:
    """Refuse a fault that means nothing at any host of that name."""
    owners = [(whose, places) for faults, whose, places in _OWNERS if fault in faults]
    homes = [place for _, places in owners for place in places]
    if homes and not any(fnmatchcase(place, host) for place in homes):
        whose = " and ".join(whose for whose, _ in owners)
        raise UsageError(f"the fault {fault.value} is {whose}; plan it at {' or '.join(homes)}")
