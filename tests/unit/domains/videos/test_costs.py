from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from gotgan.clock import FixedClock
from gotgan.domains.videos import results
from gotgan.domains.videos.costs import HitCounter, read_costs
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.models import Usage
from gotgan.domains.videos.reports import DayCost, VideoResult
from gotgan.sql import Database
from tests.unit.domains.videos.made import a_job, a_result


def add_result(
    database: Database, jobs: Jobs, clock: FixedClock, usage: Usage, key: str = "k"
) -> VideoResult:
    """A job that cost so much, and its result."""
    with database.begin() as connection:
        jobs.add(connection, a_job(clock.now(), cache_key=key))
        job = jobs.claim(connection)
        assert job is not None
        jobs.spend(connection, job, usage)
        result = replace(a_result(job, clock.now()), usage=usage)
        jobs.complete(connection, job, result_id=result.id)
        results.add(connection, result)
    return result


def costs(database: Database, clock: FixedClock, days: int = 2) -> list[DayCost]:
    today = clock.now().date()
    wanted = [today - timedelta(days=number) for number in reversed(range(days))]
    with database.read() as connection:
        return list(reversed(read_costs(connection, wanted).values()))


def test_days_without_anything_cost_nothing(database: Database, clock: FixedClock) -> None:
    today = clock.now().date()
    assert costs(database, clock) == [DayCost(today), DayCost(today - timedelta(days=1))]


def test_what_was_spent_is_added_up_by_the_day(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    add_result(database, jobs, clock, Usage(12, 100, 10, 0.5))
    clock.advance(timedelta(days=1))
    add_result(database, jobs, clock, Usage(12, 200, 20, 0.25))
    add_result(database, jobs, clock, Usage(3, 7, 1, None))
    today, yesterday = costs(database, clock)
    assert (yesterday.analyses, yesterday.units, yesterday.cost_usd) == (1, 12, 0.5)
    assert (today.analyses, today.units, today.input_tokens, today.output_tokens) == (
        2,
        15,
        207,
        21,
    )
    assert (today.cost_usd, today.unpriced) == (0.25, 1)


def test_what_failed_is_counted_and_paid_for_too(
    database: Database, clock: FixedClock, jobs: Jobs
) -> None:
    with database.begin() as connection:
        jobs.add(connection, a_job())
        job = jobs.claim(connection)
        assert job is not None
        jobs.spend(connection, job, Usage(6, 900, 50, 0.5))
        jobs.fail(connection, job, code="ANALYSIS_TIMEOUT", message="m")
    today = costs(database, clock)[0]
    assert (today.failed, today.analyses, today.units) == (1, 0, 6)
    assert (today.input_tokens, today.cost_usd) == (900, 0.5)


def test_what_the_cache_saved_is_what_making_it_again_would_have_cost(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    result = add_result(database, jobs, clock, Usage(12, 100, 10, 0.5))
    for hits in (HitCounter(database), HitCounter(database)):  # two processes
        hits.count(result.id, clock.now(), 0.0)
        hits.count(result.id, clock.now(), 0.1)
        hits.write()
        hits.write()
    today = costs(database, clock)[0]
    assert (today.hits, today.saved_units, today.saved_usd) == (4, 48, 2.0)


def test_hits_are_written_down_by_themselves_after_a_while(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    result, hits = add_result(database, jobs, clock, Usage()), HitCounter(database)
    hits.count(result.id, clock.now(), 0.0)
    assert costs(database, clock)[0].hits == 0
    hits.count(result.id, clock.now(), 6.0)
    assert costs(database, clock)[0].hits == 2
