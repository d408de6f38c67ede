"""A worker in a process of its own; it says line by line what it has done.

``python -m tests.unit.lifecycle.worker TASK FILE NAME``
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gotgan.errors import LostRace
from gotgan.lifecycle import Claim
from gotgan.store import Store, increment
from tests.durability.processes import Child
from tests.house.repository import ROOT
from tests.unit.lifecycle.jobs import Job, opened

__all__ = ["worker"]


@contextmanager
def worker(task: str, path: Path, name: str) -> Iterator[Child]:
    """Run a worker for as long as the block runs."""
    command = [sys.executable, "-m", "tests.unit.lifecycle.worker", task, str(path), name]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Child(process)
        finally:
            process.kill()


def _say(line: str) -> None:
    os.write(sys.stdout.fileno(), f"{line}\n".encode())  # whole or not at all, at once


def _claims(store: Store, name: str) -> Iterator[Claim[Job]]:
    """What this worker wins of all that nobody has worked on."""
    for job in list(store.iterate(Job.run.never("q"), at_most=None)):
        try:
            yield Job.run.claim(store, job, owner=name)
        except LostRace:
            continue


def _work(store: Store, name: str) -> None:
    """Claim and finish everything that is there, and write each finish down in its own write."""
    for claim in _claims(store, name):
        _say(f"claimed {claim.item.id}")
        _say(f"worked {claim.item.id}")
        Job.run.finish(store, claim, runs=increment())
        _say(f"finished {claim.item.id}")
    _say("end")


def _hold(store: Store, name: str) -> None:
    """Claim one thing, and try to finish it when told to."""
    claim = next(_claims(store, name))
    _say(f"claimed {claim.item.id}")
    sys.stdin.readline()
    try:
        Job.run.finish(store, claim, runs=increment())
        _say("finished")
    except LostRace as lost:
        _say(f"lost to {lost.winner.state.value}")


def main(task: str, path: str, name: str) -> None:
    """Do a task when told to."""
    with opened(Path(path)) as store:
        _say("ready")
        sys.stdin.readline()
        {"work": _work, "hold": _hold}[task](store, name)


if __name__ == "__main__":
    main(*sys.argv[1:])
