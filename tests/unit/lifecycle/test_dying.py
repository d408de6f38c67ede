"""kill -9 of real workers on one file: what they left is found, and done once by the record."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from gotgan.clock import FixedClock, SystemClock
from gotgan.lifecycle import State
from gotgan.store import Store, increment
from tests.unit.lifecycle.jobs import JOBS, Job, opened
from tests.unit.lifecycle.worker import worker

JOB_COUNT = 40
IDS = [f"{number:02}" for number in range(JOB_COUNT)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with jobs that nobody has worked on."""
    path = tmp_path / "store.db"
    with opened(path) as store:
        store.create(JOBS)
        store.put_new_all([Job(id=name, queue="q") for name in IDS])
    return path


@contextmanager
def _three_hours_later(path: Path) -> Iterator[Store]:
    with opened(path, FixedClock(SystemClock().now() + timedelta(hours=3))) as store:
        yield store


def _said(lines: list[str], word: str) -> set[str]:
    return {line.split()[1] for line in lines if line.startswith(f"{word} ")}


def _take_over_and_finish(store: Store) -> list[str]:
    taken = Job.run.stuck(store, "q")
    for job in taken:
        claim = Job.run.claim(store, job, owner="rescuer")
        Job.run.finish(store, claim, runs=increment())
    return [job.id for job in taken]


def _jobs(store: Store) -> list[Job]:
    return list(store.get_all([Job.key(id=name) for name in IDS], consistent=True))


@pytest.mark.parametrize("seed", range(5))
def test_a_worker_that_dies_anywhere_leaves_at_most_one_item_and_that_one_is_stuck(
    path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    with worker("work", path, "victim") as victim:
        assert victim.hear() == "ready"
        victim.tell()
        said = [victim.hear() for _ in range(chance.randrange(1, 60))]
        time.sleep(chance.random() * 0.004)  # so that the kill falls anywhere within a write
        said += victim.kill()
    with opened(path) as store:
        assert Job.run.stuck(store, "q") == []  # its lease holds: it may only be slow
    with _three_hours_later(path) as store:
        before = {job.id: Job.run.position(job).state for job in _jobs(store)}
        done = {name for name, state in before.items() if state is State.DONE}
        begun = {name for name, state in before.items() if state is State.PROGRESS}
        assert _said(said, "finished") <= done
        assert _said(said, "claimed") <= done | begun
        assert len(done - _said(said, "finished")) <= 1
        assert len(begun) <= 1
        assert set(_take_over_and_finish(store)) == begun
        after = {job.id: job.runs for job in _jobs(store)}
        assert after == {name: int(name in done | begun) for name in IDS}


def test_a_worker_that_dies_between_claim_and_finish_is_replaced(path: Path) -> None:
    with worker("hold", path, "victim") as victim:
        assert victim.hear() == "ready"
        victim.tell()
        name = victim.hear().removeprefix("claimed ")
        victim.kill()
    with _three_hours_later(path) as store:
        [stuck] = Job.run.stuck(store, "q")
        left = Job.run.position(stuck)
        assert stuck.id == name
        assert (left.owner or "").startswith("victim/")
        assert _take_over_and_finish(store) == [name]
        job = store.get(stuck.key)
        assert job is not None
        assert (job.runs, Job.run.position(job).fence) == (1, 2)
        assert Job.run.stuck(store, "q") == []


def test_a_worker_that_was_only_asleep_cannot_finish_what_was_taken_over(path: Path) -> None:
    with worker("hold", path, "sleeper") as sleeper:
        assert sleeper.hear() == "ready"
        sleeper.tell()
        name = sleeper.hear().removeprefix("claimed ")
        with _three_hours_later(path) as store:
            assert _take_over_and_finish(store) == [name]
        sleeper.tell("wake up")
        assert sleeper.hear() == "lost to DONE"
    with opened(path) as store:
        job = store.get(Job.key(id=name))
        assert job is not None
        assert job.runs == 1


def test_a_worker_that_is_only_slow_finishes_while_nobody_took_over(path: Path) -> None:
    with worker("hold", path, "slow") as slow:
        assert slow.hear() == "ready"
        slow.tell()
        slow.hear()
        with _three_hours_later(path) as store:
            assert len(Job.run.stuck(store, "q")) == 1
        slow.tell("go on")
        assert slow.hear() == "finished"


def test_when_all_but_one_worker_die_everything_is_done_once(path: Path) -> None:
    chance = random.Random(7)
    with (
        worker("work", path, "victim 1") as one,
        worker("work", path, "victim 2") as two,
        worker("work", path, "survivor") as survivor,
    ):
        for each in (one, two, survivor):
            assert each.hear() == "ready"
        for each in (one, two, survivor):
            each.tell()
        for victim in (one, two):
            for _ in range(chance.randrange(1, 6)):
                if victim.hear() == "end":  # the others were faster, and it found nothing to do
                    break
            victim.kill()
        while survivor.hear() != "end":
            pass
    with _three_hours_later(path) as store:
        assert len(_take_over_and_finish(store)) <= 2
        assert [(job.runs, Job.run.position(job).state) for job in _jobs(store)] == [
            (1, State.DONE)
        ] * JOB_COUNT
