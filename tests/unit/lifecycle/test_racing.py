"""Many workers at once: threads, processes, and any order of moves that chance comes up with."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier

import pytest

from gotgan.errors import LostRace
from gotgan.lifecycle import Claim, State
from gotgan.store import increment
from tests.unit.lifecycle.jobs import JOBS, SECOND, Bench, Job, bench, opened
from tests.unit.lifecycle.worker import worker

THREADS = 8
JOB_COUNT = 20


def _at_once(work: Callable[[int], list[str]]) -> Counter[str]:
    """Let threads begin together; how often each job was named by any of them."""
    barrier = Barrier(THREADS)

    def begin(number: int) -> list[str]:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return Counter(name for names in pool.map(begin, range(THREADS)) for name in names)


def test_of_many_threads_one_wins_each_item_and_the_work_is_done_once(at: Bench) -> None:
    jobs = [at.job(f"{number:02}") for number in range(JOB_COUNT)]

    def work(number: int) -> list[str]:
        won = []
        for job in jobs:
            try:
                claim = Job.run.claim(at.store, job, owner=f"w{number}")
            except LostRace:
                continue
            Job.run.finish(at.store, claim, runs=increment())
            won.append(job.id)
        return won

    assert _at_once(work) == Counter(job.id for job in jobs)
    assert {at.read(job.id).runs for job in jobs} == {1}
    assert {at.position(job.id).fence for job in jobs} == {1}


def test_of_many_threads_one_takes_over_what_is_stuck(at: Bench) -> None:
    for number in range(JOB_COUNT):
        Job.run.claim(at.store, at.job(f"{number:02}"), lease=SECOND, owner="dead")
    at.clock.advance(SECOND)

    def take_over(number: int) -> list[str]:
        won = []
        for job in Job.run.stuck(at.store, "q"):
            try:
                Job.run.claim(at.store, job, owner=f"w{number}")
                won.append(job.id)
            except LostRace:
                continue
        return won

    assert set(_at_once(take_over).values()) == {1}
    assert {at.position(f"{number:02}").fence for number in range(JOB_COUNT)} == {2}


def test_crawlers_and_scrapers_of_the_same_items_never_get_in_each_others_way(at: Bench) -> None:
    """Two lifecycles of one item, moved at once, each finish with a change of fields."""
    jobs = [at.job(f"{number:02}") for number in range(JOB_COUNT)]

    def cycle(number: int) -> list[str]:
        lifecycle = (Job.run, Job.check)[number % 2]
        won = []
        for job in jobs:
            try:
                claim = lifecycle.claim(at.store, job)
            except LostRace:
                continue
            claim = lifecycle.renew(at.store, claim)
            lifecycle.finish(at.store, claim, runs=increment())
            won.append(f"{lifecycle.declared.name} {job.id}")
        return won

    won = _at_once(cycle)
    assert len(won) == 2 * JOB_COUNT
    assert set(won.values()) == {1}
    assert {at.read(job.id).runs for job in jobs} == {2}


def test_of_many_processes_one_wins_each_item_and_the_work_is_done_once(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with opened(path) as store, ExitStack() as stack:
        store.create(JOBS)
        jobs = [Job(id=f"{number:03}", queue="q") for number in range(150)]
        store.put_new_all(jobs)
        workers = [stack.enter_context(worker("work", path, f"w{n}")) for n in range(3)]
        for each in workers:
            assert each.hear() == "ready"
        for each in workers:
            each.tell()
        finished = Counter[str]()
        for each in workers:
            while (line := each.hear()) != "end":
                finished.update([line] if line.startswith("finished") else [])
        assert finished == Counter(f"finished {job.id}" for job in jobs)
        done = list(store.iterate(Job.run.done("q").whole(), at_most=None))
        assert [(job.runs, Job.run.position(job).fence) for job in done] == [(1, 1)] * len(jobs)


@dataclass
class _Record:
    """What the moves that were made say must be stored: a model of one item."""

    state: State = State.NEVER
    before: State = State.NEVER
    holder: Claim[Job] | None = None
    fence: int = 0
    attempts: int = 0
    finishes: int = 0
    claims: list[Claim[Job]] = field(default_factory=list)

    def claimed(self, claim: Claim[Job]) -> None:
        if self.state is not State.PROGRESS:
            self.before = self.state
        self.state, self.holder = State.PROGRESS, claim
        self.fence, self.attempts = self.fence + 1, self.attempts + 1
        self.claims.append(claim)

    def finished(self) -> None:
        self.state, self.holder = State.DONE, None
        self.attempts, self.finishes = 0, self.finishes + 1

    def released(self) -> None:
        self.state, self.holder = self.before, None


def _claim(at: Bench, record: _Record, chance: random.Random) -> None:
    """With the item as it is, or as it was when somebody claimed it once."""
    copies = [at.read(), *(claim.item for claim in record.claims[-3:])]
    lease = SECOND * chance.randrange(1, 5)
    over = record.holder is None or at.position().is_over(at.clock.now(), lease)
    with suppress(LostRace):
        record.claimed(Job.run.claim(at.store, chance.choice(copies), lease=lease))
        assert over


def _use(at: Bench, record: _Record, chance: random.Random) -> None:
    """Do something with the last claim, or with one of those before it."""
    claim = chance.choice([record.claims[-1], chance.choice(record.claims[-4:])])
    moves: dict[str, tuple[Callable[[], object], Callable[[], None]]] = {
        "renew": (lambda: Job.run.renew(at.store, claim, lease=SECOND), lambda: None),
        "finish": (lambda: Job.run.finish(at.store, claim, runs=increment()), record.finished),
        "release": (lambda: Job.run.release(at.store, claim), record.released),
    }
    move, note = moves[chance.choice(list(moves))]
    if claim is record.holder:
        move()
        note()
    else:
        with pytest.raises(LostRace):
            move()


@pytest.mark.parametrize("seed", range(12))
def test_whatever_the_order_of_moves_only_the_last_claim_moves_the_item(seed: int) -> None:
    """Old claims and old copies are tried all the time, within the same few seconds."""
    chance, record = random.Random(seed), _Record()
    with bench() as at:
        at.job()
        for _ in range(200):
            at.clock.advance(SECOND * chance.choice([0, 0, 0, 1, 2]))
            chance.choice([_claim, _use] if record.claims else [_claim])(at, record, chance)
            position = at.position()
            assert (position.state, position.fence) == (record.state, record.fence)
            assert position.attempts == record.attempts
            assert (position.owner is None) == (record.holder is None)
            assert at.read().runs == record.finishes
    assert record.finishes > 5
    assert record.fence > 10
