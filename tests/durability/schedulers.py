"""A scheduler in a process of its own, on a database that others have too.

``python -m tests.durability.schedulers FOLDER NAME``: it goes through an hour minute by minute,
as fast as it can, and says what it ran as a line of JSON. With the name ``stuck`` it begins one
job that never ends, says so, and waits to be killed.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gotgan.clock import FixedClock
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.unit.scheduler.house import House, job

__all__ = ["JOBS", "MINUTE", "MINUTES", "NOON", "main", "opened"]

NOON = datetime(2025, 10, 20, 3, tzinfo=UTC)  # 12:00 in Seoul
MINUTE = timedelta(minutes=1)
MINUTES = 60
JOBS = (job("a.often", "*/2 * * * *"), job("b.hourly", "0 * * * *"))


def opened(folder: Path) -> Database:
    """The database of a folder."""
    database = Database.open(Settings(data=folder, synchronous="normal"))
    database.prepare()
    return database


def main(folder: str, name: str) -> None:
    """Wait for the word, then do what the name says."""
    database, clock = opened(Path(folder)), FixedClock(NOON)
    house = House(database, clock, *JOBS)
    if name == "stuck":
        house.works["b.hourly"] = _never_ending
        house.scheduler.tick()
    else:
        _say("ready")
        sys.stdin.readline()
        _say(json.dumps(_walked(house, clock)))
    house.close()
    database.close()


def _walked(house: House, clock: FixedClock) -> list[tuple[str, str]]:
    ran: list[tuple[str, str]] = []
    for _ in range(MINUTES):
        for each in JOBS:
            house.works[each.verb] = _noting(ran, each.name, clock.now())
        house.look()
        clock.advance(MINUTE)
    return ran


def _noting(ran: list[tuple[str, str]], name: str, at: datetime) -> Callable[[], None]:
    return lambda: ran.append((name, at.isoformat()))


def _never_ending() -> None:
    _say("begun")
    time.sleep(3_600)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
