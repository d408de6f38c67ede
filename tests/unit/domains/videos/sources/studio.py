"""A world with videos, and what asks it: the same for all tests of the client."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from gotgan.clock import FixedClock
from gotgan.domains.videos.models import Material
from gotgan.domains.videos.sources.quota import Quota
from gotgan.domains.videos.sources.youtube import OnPage, YouTube
from gotgan.fetch import FetchRules, Web
from gotgan.settings import Secret, Settings
from gotgan.sql import Database
from gotgan.world import RequestRecord, ServedWorld, World, world_server

__all__ = [
    "BUSY",
    "CHANNELS",
    "EMPTY",
    "KEY",
    "QUIET",
    "SMALL",
    "THREADS",
    "VIDEOS",
    "Collected",
    "Studio",
    "broadcast",
    "studio",
]

KEY = "key-of-mine"
BUSY, SMALL, QUIET, EMPTY = "gotganCook1", "gotganSmall", "gotganQuiet", "gotganEmpty"
VIDEOS, CHANNELS, THREADS = (
    f"/youtube/v3/{each}" for each in ("videos", "channels", "commentThreads")
)
EVENING = datetime(2025, 11, 6, 20, tzinfo=UTC)
"""At noon in California."""


@dataclass(frozen=True)
class Collected:
    """What was collected, and what it cost."""

    material: Material
    units: int


@dataclass
class Studio:
    """The world, our client, and what it keeps."""

    world: World
    youtube: YouTube
    quota: Quota
    database: Database
    clock: FixedClock
    pauses: list[float] = field(default_factory=list)
    """How long the client would have waited between two attempts."""

    def __post_init__(self) -> None:
        self._before = len(self.world.requests)

    def collect(self, video_id: str, *on_page: OnPage, use_absences: bool = True) -> Collected:
        """Have the client collect a video, and count the units."""
        calls = self.youtube.calls()
        material, _ = self.youtube.collect(video_id, calls, *on_page, use_absences=use_absences)
        return Collected(material, calls.units)

    def seen(self, path: str = "") -> list[RequestRecord]:
        """The requests that came since then."""
        since = self.world.requests[self._before :]
        return [seen for seen in since if path in {"", seen.path}]

    def asked(self, path: str = "") -> int:
        """How many they are."""
        return len(self.seen(path))


@contextmanager
def broadcast(**world: Any) -> Iterator[ServedWorld]:
    """A world on loopback, that wants nobody to wait; its clock is moved by hand."""
    there = World(clock=FixedClock(EVENING), **{"retry_after": 0, **world})
    with world_server(there) as served:
        yield served


@contextmanager
def studio(served: ServedWorld, *, seconds: float = 30.0, **changes: Any) -> Iterator[Studio]:
    """Somebody who has a key; faults that they plan are gone after them."""
    clock, pauses = FixedClock(EVENING), list[float]()
    usual: dict[str, Any] = {"youtube_key": Secret(KEY), "given_secret": Secret("0" * 32)}
    settings = Settings(resolve=served.resolve, delay=0.0, **usual | changes)
    rules = FetchRules(delay=0.0, resolve=settings.resolve)
    with Database.in_memory(clock) as database, Web(rules, clock=clock) as web:
        database.prepare()
        client = YouTube(web, settings, database, clock, seconds=seconds, pause=pauses.append)
        quota = Quota(database, settings, clock)
        try:
            yield Studio(served.world, client, quota, database, clock, pauses)
        finally:
            served.world.heal()
