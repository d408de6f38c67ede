"""Schedulers in several processes on one database: each tick is run by one of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from gotgan.clock import FixedClock
from tests.durability.schedulers import JOBS, MINUTE, MINUTES, NOON, opened
from tests.house.repository import ROOT
from tests.unit.scheduler.house import House, job

PROCESSES = 3


def test_of_three_schedulers_one_runs_each_tick(tmp_path: Path) -> None:
    database = opened(tmp_path)
    crowd = [_started(tmp_path, f"p{number}") for number in range(PROCESSES)]
    for process in crowd:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    said = [json.loads(process.communicate("go\n", timeout=60)[0]) for process in crowd]
    ran = Counter((name, at) for walked in said for name, at in walked)
    often = {("a.often", _minute(number)) for number in range(0, MINUTES, 2)}
    assert ran == Counter(often | {("b.hourly", _minute(0))})
    ticks = House(database, FixedClock(NOON), *JOBS).history()
    assert {(tick.job, tick.at.isoformat()) for tick in ticks} == set(ran)
    assert {tick.status for tick in ticks} == {"done"}
    database.close()


def test_a_scheduler_that_is_killed_holds_nothing_up(tmp_path: Path) -> None:
    with _killed(tmp_path):
        pass
    database, clock = opened(tmp_path), FixedClock(NOON + MINUTE)
    sweep = job("c.sweep", "0 * * * *", at_start=True)
    house = House(database, clock, *JOBS, sweep)
    house.look(is_start=True)
    assert house.begun == ["c.sweep"]  # what it began is not run again by a tick, but swept
    clock.advance(timedelta(hours=1))
    house.look()
    assert "b.hourly" in house.begun
    assert [status for _, status, _ in house.told("b.hourly")] == ["failed", "done"]
    house.close()
    database.close()


def _minute(number: int) -> str:
    return (NOON + number * MINUTE).isoformat()


def _started(folder: Path, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.durability.schedulers", str(folder), name]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


@contextmanager
def _killed(folder: Path) -> Iterator[None]:
    """A scheduler that is killed in the middle of a job."""
    with _started(folder, "stuck") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.kill()
        yield
