from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.videos import results
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.models import REASONS, Reason, VideoJob
from gotgan.domains.videos.queue import AnalysisRequest, JobQueue
from gotgan.domains.videos.reports import VideoResult
from gotgan.errors import Conflict, RefreshTooSoon
from gotgan.sql import Database
from tests.unit.domains.videos.made import VIDEO, a_result

WANTED = AnalysisRequest(VIDEO, "builtin", "v1", f"analysis:{VIDEO}:v1")
ANEW = replace(WANTED, reason="user_request")


@pytest.fixture
def submitting(database: Database, jobs: Jobs, clock: FixedClock) -> JobQueue:
    return JobQueue(database, jobs, clock)


def done(database: Database, jobs: Jobs, clock: FixedClock) -> VideoResult:
    """Let the job that waits come to a good end."""
    with database.begin() as connection:
        job = jobs.claim(connection)
        assert job is not None
        result = a_result(job, clock.now())
        jobs.complete(connection, job, result_id=result.id)
        results.add(connection, result)
    return result


def failed(database: Database, jobs: Jobs) -> VideoJob:
    with database.begin() as connection:
        job = jobs.claim(connection)
        assert job is not None
        jobs.fail(connection, job, code="ANALYSIS_TIMEOUT", message="m")
    return job


def test_what_was_never_analysed_becomes_a_job(submitting: JobQueue) -> None:
    submitted = submitting.submit(WANTED)
    assert (submitted.is_new, submitted.result) == (True, None)
    assert (submitted.job.status, submitted.job.cache_key) == ("queued", WANTED.cache_key)


@pytest.mark.parametrize("second", [WANTED, ANEW])
def test_a_job_under_way_is_joined(submitting: JobQueue, second: AnalysisRequest) -> None:
    first = submitting.submit(WANTED)
    again = submitting.submit(second)
    assert (again.job.job_id, again.is_new) == (first.job.job_id, False)


def test_a_fresh_result_is_given_again_with_the_job_that_made_it(
    submitting: JobQueue, database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    first = submitting.submit(WANTED)
    result = done(database, jobs, clock)
    clock.advance(timedelta(hours=24) - timedelta(seconds=1))
    again = submitting.submit(WANTED)
    assert (again.job.job_id, again.result, again.is_new) == (first.job.job_id, result, False)


def test_after_a_day_it_is_made_anew(
    submitting: JobQueue, database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    submitting.submit(WANTED)
    done(database, jobs, clock)
    clock.advance(timedelta(hours=24))
    assert submitting.submit(WANTED).is_new


def test_another_version_has_a_cache_of_its_own(
    submitting: JobQueue, database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    submitting.submit(WANTED)
    done(database, jobs, clock)
    other = replace(WANTED, version="v2", cache_key=f"analysis:{VIDEO}:v2")
    assert submitting.submit(other).is_new


def test_whoever_wants_it_anew_gets_a_job_of_their_own_and_the_old_one_keeps_its_result(
    submitting: JobQueue, database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    first = submitting.submit(WANTED)
    old = done(database, jobs, clock)
    again = submitting.submit(ANEW)
    assert again.is_new
    assert (again.job.force_refresh, again.job.refresh_reason) == (True, "user_request")
    clock.advance(timedelta(seconds=1))
    new = done(database, jobs, clock)
    with database.read() as connection:
        assert jobs.get(connection, first.job.job_id).analysis_result_id == old.id
        assert jobs.get(connection, again.job.job_id).analysis_result_id == new.id
        assert results.fresh_id(connection, WANTED.cache_key, clock.now()) == new.id


def test_anew_twice_in_a_row_is_too_soon(
    submitting: JobQueue, database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    submitting.submit(ANEW)
    done(database, jobs, clock)
    with pytest.raises(RefreshTooSoon):
        submitting.submit(ANEW)
    clock.advance(timedelta(minutes=10))
    assert submitting.submit(ANEW).is_new


@pytest.mark.parametrize("reason", REASONS)
def test_what_failed_can_be_asked_for_again_for_any_reason(
    submitting: JobQueue, database: Database, jobs: Jobs, reason: Reason
) -> None:
    submitting.submit(ANEW)
    first = failed(database, jobs)
    again = submitting.submit(replace(WANTED, reason=reason))
    assert (again.is_new, again.job.job_id != first.job_id) == (True, True)


def test_a_request_that_failed_does_not_count_as_the_last_one(
    submitting: JobQueue, database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    submitting.submit(ANEW)
    failed(database, jobs)
    clock.advance(timedelta(seconds=1))
    submitting.submit(replace(WANTED, reason="retry_failed"))
    done(database, jobs, clock)
    assert submitting.submit(ANEW).is_new
    done(database, jobs, clock)
    with pytest.raises(RefreshTooSoon):
        submitting.submit(ANEW)


def test_a_new_version_is_a_reason_only_where_there_is_an_older_one(
    submitting: JobQueue, database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    bump = replace(WANTED, version="v2", cache_key=f"analysis:{VIDEO}:v2", reason="version_bump")
    with pytest.raises(Conflict):
        submitting.submit(bump)
    submitting.submit(WANTED)
    done(database, jobs, clock)
    assert submitting.submit(bump).is_new


def test_of_sixteen_who_ask_at_once_one_makes_the_job_and_all_get_it(
    submitting: JobQueue,
) -> None:
    with ThreadPoolExecutor(16) as crowd:
        asked = list(crowd.map(lambda _: submitting.submit(WANTED), range(16)))
    assert sum(each.is_new for each in asked) == 1
    assert len({each.job.job_id for each in asked}) == 1
