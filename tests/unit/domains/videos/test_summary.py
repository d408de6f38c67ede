"""What a day brought in videos, on every database."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import event

from gotgan.clock import FixedClock, Zone, day_span
from gotgan.domains.videos import snapshots
from gotgan.domains.videos.costs import HitCounter
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.models import Usage
from gotgan.domains.videos.summary import (
    MAX_JOBS_SHOWN,
    VideosDay,
    analyses_by_day,
    failures_by_day,
    videos_day,
)
from gotgan.sql import Database
from tests.unit.domains.videos.made import NOW, a_job, a_material

DAY = date(2025, 10, 20)
SECOND = timedelta(seconds=1)


def summary(
    database: Database, day: date = DAY, zone: Zone = "kst", now: datetime = NOW
) -> VideosDay:
    with database.read() as connection:
        return videos_day(connection, day_span(day, zone), day, now)


def asked(database: Database, jobs: Jobs, key: str = "k", at: datetime = NOW, **more: Any) -> None:
    """Somebody asks for a job at a moment."""
    with database.begin() as connection:
        assert jobs.add(connection, a_job(at, cache_key=key, **more))


def done(database: Database, jobs: Jobs, usage: Usage) -> None:
    """The next job is taken in hand, costs so much, and is completed."""
    with database.begin() as connection:
        job = jobs.claim(connection)
        assert job is not None
        jobs.spend(connection, job, usage)
        jobs.complete(connection, job, result_id="r")


def failed(database: Database, jobs: Jobs) -> str:
    """The next job is taken in hand, and fails."""
    with database.begin() as connection:
        job = jobs.claim(connection)
        assert job is not None
        jobs.fail(connection, job, code="ANALYSIS_TIMEOUT", message="it took too long")
        return job.job_id


def test_what_failed_is_counted_by_day_until_its_video_was_analysed(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    days = [DAY, DAY + timedelta(days=1)]
    asked(database, jobs, "first")
    first = failed(database, jobs)
    asked(database, jobs, "other", NOW + SECOND, video_id="bbbbbbbbbbb")
    clock.advance(SECOND)
    failed(database, jobs)
    assert counted(database, days) == {DAY: 2, days[1]: 0}
    assert summary(database).mended == frozenset()
    clock.advance(timedelta(days=1))
    asked(database, jobs, "again", clock.now())
    done(database, jobs, Usage())
    assert counted(database, days) == {DAY: 1, days[1]: 0}
    assert summary(database).mended == {first}


def test_what_failed_after_a_success_is_not_made_up_for_by_it(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    asked(database, jobs, "good")
    done(database, jobs, Usage())
    clock.advance(SECOND)
    asked(database, jobs, "bad", clock.now())
    failed(database, jobs)
    assert counted(database, [DAY]) == {DAY: 1}


def test_what_failed_is_found_by_an_index_alone() -> None:
    # SQLite alone: PostgreSQL reads an empty table as a whole, whatever indexes it has.
    with Database.in_memory() as database:
        database.prepare()
        _expect_index(database, "ix_analysis_jobs_failed")


def _expect_index(database: Database, name: str) -> None:
    with database.read() as connection:
        told: list[str] = []
        event.listen(connection, "before_cursor_execute", lambda *each: told.append(each[2]))
        failures_by_day(connection, [DAY], "kst")
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {told[0]}", (0, 0, "completed"))
        assert name in str(plan.all())


def counted(database: Database, days: list[date]) -> dict[date, int]:
    with database.read() as connection:
        return failures_by_day(connection, days, "kst")


def test_a_day_without_a_job_is_empty(database: Database) -> None:
    day = summary(database)
    assert (day.completed, day.failed, day.open, day.jobs, day.hits) == (0, 0, 0, (), 0)
    assert (day.units, day.input_tokens, day.output_tokens, day.cost_usd) == (0, 0, 0, 0.0)


def test_jobs_are_counted_by_what_became_of_them(database: Database, jobs: Jobs) -> None:
    for key in ("a", "b", "c"):
        asked(database, jobs, key)
        if key != "c":
            done(database, jobs, Usage(12, 100, 10, 0.5))
    day = summary(database)
    assert (day.completed, day.failed, day.open, len(day.jobs)) == (2, 0, 1, 3)
    assert (day.units, day.input_tokens, day.output_tokens, day.cost_usd) == (24, 200, 20, 1.0)


def test_a_job_whose_price_nobody_knows_is_said_so(database: Database, jobs: Jobs) -> None:
    asked(database, jobs)
    done(database, jobs, Usage(3, 7, 1, None))
    assert (summary(database).cost_usd, summary(database).unpriced) == (0.0, 1)


def test_a_job_tells_how_long_it_took(database: Database, jobs: Jobs, clock: FixedClock) -> None:
    asked(database, jobs)
    with database.begin() as connection:
        job = jobs.claim(connection)
        assert job is not None
        clock.advance(7 * SECOND)
        jobs.complete(connection, job, result_id="r")
    [titled] = summary(database).jobs
    assert (titled.seconds, titled.title, titled.job.status) == (7.0, None, "completed")


def test_a_title_is_told_as_long_as_it_may_be_kept(database: Database, jobs: Jobs) -> None:
    asked(database, jobs)
    with database.begin() as connection:
        job = jobs.claim(connection)
        assert job is not None
        jobs.attach(connection, job, snapshot_id=snapshots.save(connection, a_material(), NOW))
    assert [titled.title for titled in summary(database).jobs] == ["제목"]
    later = NOW + snapshots.RETENTION
    assert [titled.title for titled in summary(database, now=later).jobs] == [None]


def test_a_job_that_failed_is_told(database: Database, jobs: Jobs) -> None:
    asked(database, jobs)
    with database.begin() as connection:
        job = jobs.claim(connection)
        assert job is not None
        jobs.fail(connection, job, code="ANALYSIS_VIDEO_NOT_FOUND", message="there is none")
    day = summary(database)
    assert (day.failed, day.open, day.jobs[0].job.error_message) == (1, 0, "there is none")


def test_a_day_begins_and_ends_with_the_zones_midnight(database: Database, jobs: Jobs) -> None:
    span = day_span(date(2025, 11, 2), "ny")  # of 25 hours
    moments = (span.first - SECOND, span.first, span.last - SECOND, span.last)
    for number, moment in enumerate(moments):
        asked(database, jobs, f"{number}", moment)
    day = summary(database, date(2025, 11, 2), "ny")
    assert [titled.job.cache_key for titled in day.jobs] == ["2", "1"]


def test_all_jobs_are_counted_and_fifty_are_told(database: Database, jobs: Jobs) -> None:
    for number in range(MAX_JOBS_SHOWN + 1):
        asked(database, jobs, f"{number}", NOW + number * SECOND)
    day = summary(database)
    assert (day.open, len(day.jobs)) == (MAX_JOBS_SHOWN + 1, MAX_JOBS_SHOWN)
    assert day.jobs[0].job.cache_key == f"{MAX_JOBS_SHOWN}"


def test_results_that_were_given_again_are_counted(database: Database, clock: FixedClock) -> None:
    hits = HitCounter(database)
    hits.count("r", clock.now(), clock.monotonic())
    hits.write()
    assert summary(database).hits == 1
    assert summary(database, DAY + timedelta(days=1)).hits == 0


def test_analyses_are_counted_by_the_days_of_the_zone(database: Database, jobs: Jobs) -> None:
    midnight = datetime(2025, 10, 19, 15, tzinfo=UTC)  # in Seoul
    for number, moment in enumerate((midnight - SECOND, midnight, midnight + SECOND)):
        asked(database, jobs, f"{number}", moment)
        done(database, jobs, Usage())
    asked(database, jobs, "open", midnight)
    days = [DAY - timedelta(days=1), DAY, DAY + timedelta(days=1)]
    with database.read() as connection:
        assert list(analyses_by_day(connection, days, "kst").values()) == [1, 2, 0]
