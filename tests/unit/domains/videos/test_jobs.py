from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection

from gotgan.clock import FixedClock
from gotgan.domains.videos.jobs import LEASE, Jobs
from gotgan.domains.videos.models import Usage, VideoJob
from gotgan.errors import LostRace, NotFound
from gotgan.sql import Database
from tests.unit.domains.videos.made import a_job


def add(database: Database, jobs: Jobs, **changes: Any) -> VideoJob:
    job = a_job(**changes)
    with database.begin() as connection:
        assert jobs.add(connection, job)
    return job


def claim(database: Database, jobs: Jobs, job_id: str | None = None) -> VideoJob | None:
    with database.begin() as connection:
        return jobs.claim(connection, job_id)


def get(database: Database, jobs: Jobs, job: VideoJob) -> VideoJob:
    with database.read() as connection:
        return jobs.get(connection, job.job_id)


def claimed(database: Database, jobs: Jobs) -> VideoJob:
    job = claim(database, jobs)
    assert job is not None
    return job


def test_a_job_comes_back_as_it_was_added(database: Database, jobs: Jobs) -> None:
    job = add(database, jobs, force_refresh=True, refresh_reason="user_request")
    assert get(database, jobs, job) == job


def test_of_a_cache_key_one_job_is_open(database: Database, jobs: Jobs) -> None:
    first = add(database, jobs)
    with database.begin() as connection:
        assert not jobs.add(connection, a_job())
        assert jobs.find_open(connection, first.cache_key) == first


def test_sixteen_who_ask_at_once_make_one_job(database: Database, jobs: Jobs) -> None:
    def ask(_: int) -> bool:
        with database.begin() as connection:
            return jobs.add(connection, a_job())

    with ThreadPoolExecutor(16) as crowd:
        assert sorted(crowd.map(ask, range(16)), reverse=True) == [True, *[False] * 15]


def test_a_job_that_has_ended_makes_room_for_another(database: Database, jobs: Jobs) -> None:
    add(database, jobs)
    job = claimed(database, jobs)
    with database.begin() as connection:
        jobs.complete(connection, job, result_id="r" * 32)
        assert jobs.find_open(connection, job.cache_key) is None
        assert jobs.add(connection, a_job())


def test_a_claim_counts_the_attempt_and_says_who_has_it(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    add(database, jobs)
    clock.advance(timedelta(seconds=5))
    job = claimed(database, jobs)
    assert (job.status, job.attempts, job.fence) == ("processing", 1, 1)
    assert (job.owner, job.started_at) == (database.leases.owner, clock.now())
    assert job.due_at == clock.now() + LEASE


def test_a_job_that_somebody_has_is_claimed_by_nobody_else(database: Database, jobs: Jobs) -> None:
    add(database, jobs)
    job = claimed(database, jobs)
    assert claim(database, jobs) is None
    assert claim(database, jobs, job.job_id) is None


def test_eight_who_claim_at_once_get_a_job_each(database: Database, jobs: Jobs) -> None:
    for number in range(8):
        add(database, jobs, cache_key=f"analysis:abcdefghijk:v{number}")

    def take(_: int) -> str:
        while (job := claim(database, jobs)) is None:
            pass  # a row that another one has locked is passed over
        return job.job_id

    with ThreadPoolExecutor(8) as crowd:
        assert len(set(crowd.map(take, range(8)))) == 8
    assert claim(database, jobs) is None


def test_the_job_that_is_due_for_longest_comes_first(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    late = add(database, jobs, cache_key="analysis:abcdefghijk:v2")
    early = add(database, jobs, due_at=clock.now() - timedelta(seconds=1))
    add(database, jobs, cache_key="k3", due_at=clock.now() + timedelta(seconds=1))
    taken = [claimed(database, jobs).job_id, claimed(database, jobs).job_id]
    assert taken == [early.job_id, late.job_id]
    assert claim(database, jobs) is None


def test_a_job_whose_worker_died_is_taken_over_when_the_lease_is_over(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    add(database, jobs)
    first = claimed(database, jobs)
    clock.advance(LEASE - timedelta(seconds=1))
    assert claim(database, jobs) is None
    clock.advance(timedelta(seconds=1))
    second = claimed(database, jobs)
    assert (second.job_id, second.attempts, second.fence) == (first.job_id, 2, 2)
    assert second.started_at == first.started_at


Write = Callable[[Connection, VideoJob], None]

WRITES: dict[str, Callable[[Jobs], Write]] = {
    "renew": lambda jobs: jobs.renew,
    "progress": lambda jobs: lambda c, j: jobs.progress(c, j, "validating_output", 90, ""),
    "attach": lambda jobs: lambda c, j: jobs.attach(c, j, snapshot_id="s" * 32),
    "spend": lambda jobs: lambda c, j: jobs.spend(c, j, Usage(1)),
    "complete": lambda jobs: lambda c, j: jobs.complete(c, j, result_id="r" * 32),
    "fail": lambda jobs: lambda c, j: jobs.fail(c, j, code="ANALYSIS_TIMEOUT", message="m"),
    "retry_later": lambda jobs: lambda c, j: jobs.retry_later(c, j, wait=timedelta(0), why="w"),
    "give_back": lambda jobs: jobs.give_back,
}


@pytest.mark.parametrize("write", WRITES)
def test_whoever_lost_a_job_writes_nothing_to_it(
    database: Database, jobs: Jobs, clock: FixedClock, write: str
) -> None:
    add(database, jobs)
    stale = claimed(database, jobs)
    clock.advance(LEASE)
    now = claimed(database, jobs)
    with pytest.raises(LostRace), database.begin() as connection:
        WRITES[write](jobs)(connection, stale)
    assert get(database, jobs, now) == now


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("end", ["complete", "fail"])
def test_an_end_is_for_ever(database: Database, jobs: Jobs, end: str, write: str) -> None:
    add(database, jobs)
    job = claimed(database, jobs)
    with database.begin() as connection:
        WRITES[end](jobs)(connection, job)
    ended = get(database, jobs, job)
    with pytest.raises(LostRace), database.begin() as connection:
        WRITES[write](jobs)(connection, job)
    assert get(database, jobs, job) == ended
    assert claim(database, jobs, job.job_id) is None


def test_progress_is_a_sign_of_life(database: Database, jobs: Jobs, clock: FixedClock) -> None:
    add(database, jobs)
    job = claimed(database, jobs)
    clock.advance(LEASE - timedelta(seconds=1))
    with database.begin() as connection:
        jobs.progress(connection, job, "generating_insights", 65, "asking")
    now = get(database, jobs, job)
    assert (now.step, now.progress, now.message) == ("generating_insights", 65, "asking")
    clock.advance(LEASE - timedelta(seconds=1))
    assert claim(database, jobs) is None


def test_a_job_that_was_interrupted_has_its_attempt_back(database: Database, jobs: Jobs) -> None:
    add(database, jobs)
    job = claimed(database, jobs)
    with database.begin() as connection:
        jobs.give_back(connection, job)
    assert (get(database, jobs, job).status, get(database, jobs, job).attempts) == ("queued", 0)
    again = claimed(database, jobs)
    assert (again.attempts, again.fence) == (1, 2)


def test_a_job_that_is_tried_later_waits(database: Database, jobs: Jobs, clock: FixedClock) -> None:
    add(database, jobs)
    job = claimed(database, jobs)
    with database.begin() as connection:
        jobs.retry_later(connection, job, wait=timedelta(seconds=30), why="busy")
    clock.advance(timedelta(seconds=29))
    assert claim(database, jobs) is None
    clock.advance(timedelta(seconds=1))
    assert claimed(database, jobs).attempts == 2


def test_what_was_collected_and_spent_stays_with_the_job(database: Database, jobs: Jobs) -> None:
    add(database, jobs)
    job = claimed(database, jobs)
    with database.begin() as connection:
        jobs.attach(connection, job, snapshot_id="s" * 32)
        jobs.spend(connection, job, Usage(12, 0, 0, 0.0))
        jobs.spend(connection, job, Usage(0, 900, 50, 0.25))
    now = get(database, jobs, job)
    assert (now.snapshot_id, now.usage) == ("s" * 32, Usage(12, 900, 50, 0.25))
    with database.begin() as connection:
        jobs.spend(connection, job, Usage(0, 1, 1, None))
        jobs.spend(connection, job, Usage(0, 0, 0, 1.0))
    assert get(database, jobs, job).usage == Usage(12, 901, 51, None)


def test_the_last_job_of_a_key_with_a_reason_is_one_that_did_not_fail(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    forced = add(database, jobs, force_refresh=True, refresh_reason="user_request")
    job = claimed(database, jobs)
    with database.begin() as connection:
        jobs.complete(connection, job, result_id="r")
    later = clock.now() + timedelta(seconds=1)
    add(database, jobs, now=later, force_refresh=True, refresh_reason="user_request")
    clock.advance(timedelta(seconds=1))
    with database.begin() as connection:
        failed = jobs.claim(connection)
        assert failed is not None
        jobs.fail(connection, failed, code="ANALYSIS_TIMEOUT", message="m")
    plain = add(database, jobs, now=later + timedelta(seconds=1))
    with database.read() as connection:
        last = jobs.find_last(connection, job.cache_key)
        wanted = jobs.find_last(connection, job.cache_key, reason="user_request")
        assert jobs.find_last(connection, "other") is None
    assert last is not None
    assert wanted is not None
    assert (last.job_id, wanted.job_id) == (plain.job_id, forced.job_id)


def test_a_job_that_is_not_there_is_said_so(database: Database, jobs: Jobs) -> None:
    with database.read() as connection, pytest.raises(NotFound, match="There is no job x"):
        jobs.get(connection, "x")
