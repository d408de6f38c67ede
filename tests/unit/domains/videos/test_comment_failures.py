"""Comments that cannot be fetched: the job's attempts come first, then a short-lived result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Update, event

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.videos.jobs import LEASE, Jobs
from gotgan.domains.videos.models import VideoJob
from gotgan.domains.videos.reports import VideoResult
from gotgan.domains.videos.results import PARTIAL_TTL
from gotgan.domains.videos.tables import ANALYSIS_JOBS
from gotgan.settings import Secret, Settings
from gotgan.world import FaultKind, ServedWorld, World, world_server
from gotgan.world.videos import THREADS, YOUTUBE

SMALL, BUSY = "gotganSmall", "gotganCook1"
A_DAY = timedelta(hours=24)


@dataclass(frozen=True)
class Place:
    """Videos, and a YouTube that misbehaves."""

    app: App
    clock: FixedClock
    world: World

    def attempt(self, job_id: str) -> tuple[VideoJob, VideoResult | None]:
        """The job after one more attempt."""
        self.clock.advance(timedelta(minutes=2))
        assert self.app.videos.work() == 1
        return self.app.videos.job_with_result(job_id)

    def break_after(self, page: int, fault: FaultKind) -> None:
        """Let the comments fail once so many pages were read."""

        def look(_: Any, statement: Any, *__: Any) -> None:
            if isinstance(statement, Update) and statement.table is ANALYSIS_JOBS:
                said = statement.compile().params.get("message")
                if said is not None and said.startswith(f"page {page} "):
                    self.world.fail(YOUTUBE, THREADS, fault)

        event.listen(self.app.database.engine, "after_execute", look)


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWorld]:
    clock = FixedClock(datetime(2026, 11, 14, 3, tzinfo=UTC))
    with world_server(World(clock=clock, retry_after=3600)) as served:
        yield served


@pytest.fixture
def place(served: ServedWorld) -> Iterator[Place]:
    clock = FixedClock(datetime(2026, 11, 14, 3, tzinfo=UTC))
    settings = Settings(
        resolve=served.resolve,
        delay=0.0,
        youtube_key=Secret("a-key"),
        given_secret=Secret("s" * 32),
    )
    with App.in_memory(settings=settings, clock=clock) as app:
        yield Place(app, clock, served.world)
    served.world.heal()


def lifetime(result: VideoResult) -> timedelta:
    return result.expires_at - result.created_at


def test_a_hiccup_is_retried_and_leaves_no_trace_in_the_result(place: Place) -> None:
    place.world.fail(YOUTUBE, THREADS, FaultKind.BROKEN, times=3)
    job_id = place.app.videos.analyse(SMALL).job.job_id
    job, result = place.attempt(job_id)
    assert (job.status, job.attempts, result) == ("queued", 1, None)
    assert "500" in (job.message or "")
    job, result = place.attempt(job_id)
    assert (job.status, job.attempts) == ("completed", 2)
    assert result is not None
    assert (result.comment_sample_count > 0, lifetime(result)) == (True, A_DAY)
    assert result.ttl_reason is None
    assert not any("fetched" in each for each in result.document["meta"]["warnings"])


@pytest.mark.parametrize("fault", [FaultKind.BROKEN, FaultKind.GARBAGE])
def test_only_the_last_attempt_goes_on_without_comments(place: Place, fault: FaultKind) -> None:
    place.world.fail(YOUTUBE, THREADS, fault)
    job_id = place.app.videos.analyse(SMALL).job.job_id
    for number in (1, 2):
        job, result = place.attempt(job_id)
        assert (job.status, job.attempts, result) == ("queued", number, None)
    job, result = place.attempt(job_id)
    assert (job.status, job.attempts) == ("completed", 3)
    assert result is not None
    assert (result.comment_sample_count, "comments" in result.analysis_basis) == (0, False)
    assert "before all comments were fetched" in result.document["meta"]["warnings"][0]
    assert lifetime(result) == PARTIAL_TTL
    assert result.ttl_reason == "YouTube failed before all comments were fetched"


def test_what_is_incomplete_because_of_a_failure_is_fresh_for_ten_minutes(place: Place) -> None:
    place.world.fail(YOUTUBE, THREADS, FaultKind.BROKEN)
    job_id = place.app.videos.analyse(SMALL).job.job_id
    result = [place.attempt(job_id)[1] for _ in range(3)][-1]
    assert place.app.videos.analyse(SMALL).result == result
    assert place.app.videos.get(SMALL).is_fresh
    place.world.heal()
    place.clock.advance(PARTIAL_TTL)
    assert not place.app.videos.get(SMALL).is_fresh
    again = place.app.videos.analyse(SMALL)
    assert (again.is_new, again.result) == (True, None)
    _, whole = place.attempt(again.job.job_id)
    assert whole is not None
    assert (whole.comment_sample_count > 0, lifetime(whole)) == (True, A_DAY)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (FaultKind.QUOTA_EXCEEDED, "The daily YouTube quota ran out"),
        (FaultKind.FORBIDDEN, "YouTube failed"),
        (FaultKind.THROTTLED, "YouTube failed"),
    ],
)
def test_what_no_attempt_of_the_job_can_mend_is_not_retried(
    place: Place, fault: FaultKind, why: str
) -> None:
    """Used up quota, a key that may not, and a wait that is longer than a job waits."""
    place.world.fail(YOUTUBE, THREADS, fault)
    job, result = place.attempt(place.app.videos.analyse(SMALL).job.job_id)
    assert (job.status, job.attempts) == ("completed", 1)
    assert result is not None
    assert (result.comment_sample_count, lifetime(result)) == (0, PARTIAL_TTL)
    assert (result.ttl_reason or "").startswith(why)


@pytest.mark.parametrize("fault", [FaultKind.COMMENTS_DISABLED, FaultKind.EMPTY])
def test_a_video_without_comments_is_fresh_for_a_day(place: Place, fault: FaultKind) -> None:
    place.world.fail(YOUTUBE, THREADS, fault)
    job, result = place.attempt(place.app.videos.analyse(SMALL).job.job_id)
    assert (job.status, job.attempts) == ("completed", 1)
    assert result is not None
    assert (result.comment_sample_count, lifetime(result)) == (0, A_DAY)
    assert result.document["meta"]["warnings"]


def test_a_channel_that_fails_changes_neither_attempts_nor_lifetime(place: Place) -> None:
    place.world.fail(YOUTUBE, "/youtube/v3/channels", FaultKind.BROKEN)
    job, result = place.attempt(place.app.videos.analyse(SMALL).job.job_id)
    assert result is not None
    assert (job.attempts, lifetime(result)) == (1, A_DAY)


def test_the_largest_sample_of_all_attempts_is_used(place: Place) -> None:
    """The first attempt reads two pages, the others none."""
    place.break_after(2, FaultKind.BROKEN)
    job_id = place.app.videos.analyse(BUSY).job.job_id
    place.attempt(job_id)
    place.attempt(job_id)
    job, result = place.attempt(job_id)
    assert (job.status, job.attempts) == ("completed", 3)
    assert result is not None
    assert (result.comment_sample_count >= 200, lifetime(result)) == (True, PARTIAL_TTL)
    assert "comments" in result.analysis_basis
    assert "The analysis is based on the" in result.document["meta"]["warnings"][0]
    assert result.usage.units == job.units == place.app.videos.quota().units


def test_a_sample_that_was_cut_short_is_kept_if_the_video_itself_fails_last(place: Place) -> None:
    place.break_after(1, FaultKind.BROKEN)
    job_id = place.app.videos.analyse(BUSY).job.job_id
    place.attempt(job_id)
    place.world.fail(YOUTUBE, "/youtube/v3/videos", FaultKind.BROKEN)
    place.attempt(job_id)
    job, result = place.attempt(job_id)
    assert (job.status, job.attempts) == ("completed", 3)
    assert result is not None
    assert (result.comment_sample_count > 0, lifetime(result)) == (True, PARTIAL_TTL)


def test_attempts_of_workers_that_died_count(place: Place) -> None:
    place.world.fail(YOUTUBE, THREADS, FaultKind.BROKEN)
    job_id = place.app.videos.analyse(SMALL).job.job_id
    jobs = Jobs(place.clock, place.app.database.leases)
    for _ in range(2):
        with place.app.database.begin() as connection:
            assert jobs.claim(connection, job_id) is not None
        place.clock.advance(LEASE)
    job, result = place.attempt(job_id)
    assert (job.status, job.attempts) == ("completed", 3)
    assert result is not None
    assert lifetime(result) == PARTIAL_TTL
