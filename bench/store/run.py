"""One run: everybody who can be had is opened, measured and put away again."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import boto3

from bench.store.contestants import CONTESTANTS, Contestant
from bench.store.growth import measure_growth
from bench.store.measure import Pace, best_rates
from bench.store.report import Results
from bench.store.servers import serving
from bench.store.typed.contest import measure_typed
from bench.store.workload import TASKS
from bench.store.writers import measure_writers
from tests.programs import Unavailable

__all__ = ["PARTS", "Plan", "run"]

PARTS = ("growth", "writers", "startup", "typed")
_STARTED = ("http", "dynoxide", "dynalite")
_STARTS = 4
_FOLDER = Path(__file__).resolve().parents[2] / ".cache" / "bench"


@dataclass(frozen=True)
class Plan:
    """How much is measured; ``seconds`` bound all rounds, ``growth_seconds`` the large table."""

    only: frozenset[str]
    rounds: int
    slice_seconds: float
    seconds: float
    growth_items: int
    growth_seconds: float
    typed_items: int

    def wants(self, name: str) -> bool:
        """Whether a contestant or a part is measured."""
        return not self.only or name in self.only

    def pace(self, seconds: float) -> Pace:
        """The pace of a part that may take so long from now on."""
        return Pace(self.rounds, self.slice_seconds, time.monotonic() + seconds)


def run(plan: Plan) -> Results:
    """Measure everything that the plan wants."""
    labels = {entry.name: entry.label for entry in CONTESTANTS.values()}
    tasks = {task.name: task.label for task in TASKS.values()}
    results = Results(_machine(), _pace(plan), labels, tasks)
    with _scratch() as folder:
        _measure_rates(plan, folder, results)
        if plan.wants("growth"):
            pace = plan.pace(plan.growth_seconds)
            results.growth = measure_growth(_made(folder / "growth"), plan.growth_items, pace)
        if plan.wants("writers"):
            results.writers = measure_writers(_made(folder / "writers"), plan.pace(plan.seconds))
        if plan.wants("startup"):
            _measure_startup(plan, folder, results)
        if plan.wants("typed"):
            _say("measuring the typed store")
            pace = plan.pace(plan.seconds)
            results.typed = measure_typed(_made(folder / "typed"), plan.typed_items, pace)
    return results


def _measure_rates(plan: Plan, folder: Path, results: Results) -> None:
    opened: dict[str, Contestant] = {}
    with ExitStack() as stack:
        for name, entry in CONTESTANTS.items():
            if plan.wants(name):
                _say(f"opening {entry.label}")
                try:
                    opened[name] = stack.enter_context(entry.opened(_made(folder / name)))
                except Unavailable as reason:
                    results.skipped[name] = str(reason)
        if opened:
            _say("measuring everybody in turn")
            results.rates = best_rates(opened, TASKS, plan.pace(plan.seconds))


def _measure_startup(plan: Plan, folder: Path, results: Results) -> None:
    for attempt in range(min(plan.rounds, _STARTS)):
        for name in _STARTED:
            try:
                with serving(name, _made(folder / f"{name}-{attempt}")) as server:
                    known = results.startup.get(name, server.startup)
                    results.startup[name] = min(known, server.startup)
            except Unavailable as reason:
                results.skipped[name] = str(reason)


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder inside the checkout, since a system's folder for such things may be memory."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=_FOLDER))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


def _machine() -> str:
    return (
        f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()},"
        f" SQLite {sqlite3.sqlite_version}, boto3 {boto3.__version__}."
    )


def _pace(plan: Plan) -> str:
    return (
        f"Best of {plan.rounds} rounds of {plan.slice_seconds:g} s each, all contestants in turn;"
        " peers over HTTP through boto3."
    )
