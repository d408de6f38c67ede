"""A whole day: fetched from the world over HTTP, saved, verified, and its indicators calculated.

``python -m bench.market.day [--rounds N]``

The exchange is the simulated one, in a process of its own, so that its work is not counted as ours.
The day before is there already, as on every day but the first. The best round of each step counts,
by the wall clock and by the work of our own process.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Final, TypeVar
from zoneinfo import ZoneInfo

from bench.store.boards import table
from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.market.collector import CollectionWork
from gotgan.domains.market.days import DaySpan
from gotgan.domains.market.indicator_run import IndicatorWork
from gotgan.domains.market.models import SIDES
from gotgan.settings import Secret, Settings
from gotgan.store import Store

__all__ = ["main"]

_MONDAY: Final = datetime(2025, 10, 20, 18, tzinfo=ZoneInfo("Asia/Seoul"))
_DAY: Final = timedelta(days=1)
_MOST_SECONDS: Final = 3.0
_PORT: Final = 8399
T = TypeVar("T")


class Watch:
    """How long each step took, at its best."""

    def __init__(self) -> None:
        self.wall: dict[str, float] = {}
        self.worked: dict[str, float] = {}

    def take(self, step: str, work: Callable[[], T]) -> T:
        """Do a step, and note what it took."""
        began, worked = time.perf_counter(), time.process_time()
        result = work()
        took = (time.perf_counter() - began, time.process_time() - worked)
        for best, seconds in zip((self.wall, self.worked), took, strict=True):
            best[step] = min(best.get(step, seconds), seconds)
        return result


@contextmanager
def _world() -> Iterator[str]:
    command = [sys.executable, "-m", "gotgan", "world", "--port", str(_PORT)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None  # noqa: S101 - it was asked for
        process.stdout.readline()
        yield f"127.0.0.1:{_PORT}"
        process.terminate()


@contextmanager
def _app(place: str, folder: Path, clock: FixedClock) -> Iterator[App]:
    settings = Settings(
        data=folder,
        given_secret=Secret("a secret that guards a benchmark only"),
        resolve={"*": place},
        delay=0,
        krx_id="bench",
        krx_password=Secret("bench"),
    )
    with App(settings, Store.in_memory(clock=clock)) as app:
        yield app


def _collect(app: App, watch: Watch, day: date) -> None:
    steps = app.market.collector
    work = steps.begin(day)
    assert isinstance(work, CollectionWork)  # noqa: S101 - the day is due
    for side in SIDES:
        watch.take(f"fetch {side}", lambda side=side: steps.fetch(work, side))  # type: ignore[misc]
        watch.take(f"save {side}", lambda side=side: steps.save(work, side))  # type: ignore[misc]
        watch.take(f"verify {side}", lambda side=side: steps.verify(work, side))  # type: ignore[misc]
    steps.end(work)


def _calculate(app: App, watch: Watch, day: date) -> int:
    steps = app.market.indicator_run
    work = steps.begin(day)
    assert isinstance(work, IndicatorWork)  # noqa: S101 - the day is due
    calculated = watch.take("calculate indicators", lambda: steps.calculate(work))
    watch.take("save indicators", lambda: steps.save(work, calculated))
    count = watch.take("verify indicators", lambda: steps.verify(work, calculated))
    steps.end(work)
    return count


def _days(app: App, clock: FixedClock, rounds: int) -> tuple[Watch, int]:
    """Work through some days after two weeks of history; how many indicators the last one had."""
    first = app.market.today()
    app.market.recover(DaySpan(first - 14 * _DAY, first))
    watch, count = Watch(), 0
    for _ in range(rounds):
        clock.advance(_DAY)
        _collect(app, watch, app.market.today())
        count = _calculate(app, watch, app.market.today())
    return watch, count


def main() -> None:
    """Measure some days, and print the best of each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    rounds = parser.parse_args().rounds
    clock = FixedClock(_MONDAY)
    with (
        tempfile.TemporaryDirectory() as folder,
        _world() as place,
        _app(place, Path(folder), clock) as app,
    ):
        watch, count = _days(app, clock, rounds)
    rows = [
        [step, f"{1000 * watch.wall[step]:,.0f}", f"{1000 * watch.worked[step]:,.0f}"]
        for step in watch.wall
    ]
    total = sum(watch.wall.values())
    rows.append(["in all", f"{1000 * total:,.0f}", f"{1000 * sum(watch.worked.values()):,.0f}"])
    print(f"A day of all shares, {count:,} of them with indicators\n")
    print(table(["step", "ms", "ms of our work"], rows))
    verdict = "reached" if total < _MOST_SECONDS else "MISSED"
    print(f"\nrequired: under {_MOST_SECONDS:.0f} s in all: {verdict}")


if __name__ == "__main__":
    main()
