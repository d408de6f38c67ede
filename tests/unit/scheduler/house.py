"""A house with jobs of its own, whose scheduler is looked at by hand."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from gotgan.clock import Clock, FixedClock
from gotgan.domain import GO, GateDecision, Job
from gotgan.runs import Run, Runs
from gotgan.schedule import Tick
from gotgan.scheduler import Scheduler, Ticks
from gotgan.sql import Database

__all__ = ["SOON", "ZONE", "Held", "House", "housed", "job"]

ZONE = "Asia/Seoul"
SOON = 10
"""Seconds that nothing here ever takes."""


def job(name: str, cron: str, **given: Any) -> Job:
    """A line of a timetable whose verb and gate are called as the job is."""
    return Job(name, cron, gate=name, words=f"Does {name}.", **given)


class House:
    """What the scheduler asks: verbs that count their calls, and gates that let all through."""

    def __init__(self, database: Database, clock: Clock, *jobs: Job) -> None:
        self.runs = Runs(clock)
        self.ticks = Ticks(database)
        self.works: dict[str, Callable[[], Any]] = {}
        self.gates: dict[str, Callable[[], GateDecision]] = {}
        self.begun: list[str] = []
        self.scheduler = Scheduler(self, self.ticks, clock=clock, zone=ZONE, jobs=jobs)

    def start(self, verb: str) -> Run:
        """Let a verb run."""
        self.begun.append(verb)
        work = self.works.get(verb, lambda: None)
        return self.runs.start(verb, lambda _: work())

    def ask(self, gate: str) -> GateDecision:
        """What a gate says."""
        return self.gates.get(gate, lambda: GO)()

    def look(self, **given: bool) -> None:
        """Look at the timetable once, and let what was started end."""
        self.scheduler.tick(**given)
        self.runs.join()

    def told(self, name: str) -> list[tuple[datetime, str, str | None]]:
        """The ticks of a job, the oldest first: when, how it ended, and the reason."""
        return [(tick.at, tick.status, tick.reason) for tick in self.history(name)]

    def history(self, name: str | None = None) -> list[Tick]:
        """The ticks of a job or of all, the oldest first."""
        return self.ticks.history(name, limit=10_000)[::-1]

    def close(self) -> None:
        """End what is under way."""
        self.scheduler.stop()
        self.runs.stop()
        self.runs.join()


@contextmanager
def housed(at: datetime, *jobs: Job) -> Iterator[tuple[House, FixedClock]]:
    """A house at a moment, and its clock."""
    clock = FixedClock(at)
    database = Database.in_memory(clock)
    database.prepare()
    house = House(database, clock, *jobs)
    try:
        yield house, clock
    finally:
        house.close()
        database.close()


class Held:
    """Work that lasts until it is let go."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.has_ended = threading.Event()
        self._go = threading.Event()

    def __call__(self) -> None:
        self.begun.set()
        assert self._go.wait(SOON)
        self.has_ended.set()

    def let_go(self) -> None:
        """Let it come to its end."""
        self._go.set()
