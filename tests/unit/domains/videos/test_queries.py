from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.videos import messages, queries, results, snapshots, tables
from gotgan.domains.videos.jobs import Jobs
from gotgan.errors import BadCursor
from gotgan.messages import render
from gotgan.sql import Database
from tests.unit.domains.videos.made import VIDEO, a_job, a_material, a_result


def fill(database: Database, jobs: Jobs, clock: FixedClock, count: int) -> list[str]:
    """Jobs of as many videos, two at each moment."""
    names = [f"video{number:06}" for number in range(count)]
    for number, name in enumerate(names):
        with database.begin() as connection:
            jobs.add(connection, a_job(clock.now(), video_id=name, cache_key=name))
        if number % 2:
            clock.advance(timedelta(seconds=1))
    return names


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 100])
def test_pages_give_every_video_once_the_latest_first(
    database: Database, jobs: Jobs, clock: FixedClock, limit: int
) -> None:
    names = fill(database, jobs, clock, 7)
    found: list[str] = []
    cursor: str | None = None
    while True:
        with database.read() as connection:
            page = queries.list_videos(connection, limit, cursor, clock.now())
        found += [line.video_id for line in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert found == list(reversed(names))


def test_a_video_shows_the_latest_of_each_kind(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    with database.begin() as connection:
        snapshots.save(connection, a_material(), clock.now())
        jobs.add(connection, a_job())
        job = jobs.claim(connection)
        assert job is not None
        result = a_result(job, clock.now())
        jobs.complete(connection, job, result_id=result.id)
        results.add(connection, result)
        line = queries.list_videos(connection, 10, None, clock.now()).items[0]
    assert (line.video_id, line.title, line.status) == (VIDEO, "제목", "completed")
    assert (line.result_id, line.analysis_version) == (result.id, "v1")
    assert (line.expires_at, line.is_fresh) == (result.expires_at, True)
    with database.read() as connection:
        later = queries.list_videos(connection, 10, None, result.expires_at).items[0]
    assert not later.is_fresh


def test_jobs_can_be_had_by_state_and_by_video(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    names = fill(database, jobs, clock, 3)
    with database.begin() as connection:
        taken = jobs.claim(connection)
        assert taken is not None
        waiting = queries.list_jobs(connection, 10, None, status="queued").items
        of_one = queries.list_jobs(connection, 10, None, video_id=names[0]).items
    assert taken.job_id not in {job.job_id for job in waiting}
    assert len(waiting) == 2
    assert [job.video_id for job in of_one] == [names[0]]


FAR = "WyIwMDAxLTAxLTAxVDAwOjAwOjAwKzIzOjU5IiwieCJd"
NUL = "WyIyMDI1LTEwLTIwVDAwOjAwOjAwWiIsImFcdTAwMDAiXQ"


@pytest.mark.parametrize(
    "cursor",
    ["", "x", "e30", "bnVsbA", "WyIyMDI1LTEwLTIwIiwiYSJd", "%", "ü", "W10", "WzEsMl0", FAR, NUL],
)
def test_a_cursor_that_is_none_is_refused(
    database: Database, clock: FixedClock, cursor: str
) -> None:
    with database.read() as connection, pytest.raises(BadCursor, match="Start without a cursor"):
        queries.list_videos(connection, 10, cursor, clock.now())


def test_messages_of_jobs_and_results_are_read_in_the_language_of_the_reader(
    database: Database, jobs: Jobs, clock: FixedClock
) -> None:
    """Where an earlier version saved a result, it has the texts of its document alone."""
    hidden = messages.HIDDEN(figures=[messages.LIKES()])
    with database.begin() as connection:
        jobs.add(connection, a_job())
        job = jobs.claim(connection)
        assert job is not None
        jobs.progress(connection, job, "collecting_comments", 20, messages.PAGE(page=2, pages=10))
        running = jobs.get(connection, job.job_id)
        result = a_result(job, clock.now(), warnings=(hidden,))
        results.add(connection, result)
        found = results.get(connection, result.id)
        connection.execute(tables.ANALYSIS_RESULTS.update().values(warnings=None))
        earlier = results.get(connection, result.id)
    assert found == result
    assert render(running.message or "", "ko") == "10쪽 중 2쪽"
    assert [render(each, "ko") for each in found.warnings] == [
        "공개되지 않았거나 알 수 없는 수치: 좋아요 수."
    ]
    assert earlier == replace(result, warnings=())
