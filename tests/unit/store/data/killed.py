"""A dump or a load in a process of its own, to be killed: it says a line after every step.

``python -m tests.unit.store.data.killed dump|load|overwrite DATABASE TABLE PATH``
"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from gotgan.store.data import load as loading
from gotgan.store.data.dump import dump
from gotgan.store.data.load_sources import source_at
from gotgan.store.data.progress import TransferProgress
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.house.repository import ROOT
from tests.unit.store.data.tables import Narrow

__all__ = ["run_and_kill"]

MOST_STEPS = 5


def run_and_kill(chance: random.Random, *words: object) -> None:
    """Let a child work for some steps and end it as a power cut would."""
    command = [sys.executable, "-m", "tests.unit.store.data.killed", *map(str, words)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        for _ in range(chance.randint(1, MOST_STEPS)):
            process.stdout.readline()
        time.sleep(chance.random() * 0.004)  # so that the kill falls anywhere within a step
        process.kill()


def _stepping() -> Callable[[TransferProgress], None]:
    """Say each step; wait after the last one, however late the kill comes."""
    steps = itertools.count(1)

    def say(_progress: TransferProgress) -> None:
        os.write(sys.stdout.fileno(), b"step\n")
        if next(steps) > MOST_STEPS:
            sys.stdin.read()

    return say


def main(task: str, database: str, table: str, place: str) -> None:
    """Do a task."""
    path = Path(place)
    with Engine(database, synchronous="normal") as engine:
        driver = RetryingDriver(Narrow(engine))
        if task == "dump":
            dump(driver, table, path, on_progress=_stepping())
            return
        driver.parallel = 1  # small windows, so that there are many
        progress = loading.progress_file(path, table)
        overwrite = task == "overwrite"
        loading.load(
            driver,
            table,
            source_at(path),
            overwrite=overwrite,
            progress=progress,
            on_progress=_stepping(),
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
