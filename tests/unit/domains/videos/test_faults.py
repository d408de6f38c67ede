"""Whatever YouTube or a model does, a job ends as it should, and nothing is kept by halves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.videos.models import VideoJob
from gotgan.domains.videos.reports import VideoResult
from gotgan.domains.videos.tables import ANALYSIS_RESULTS
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.world import FaultKind, World, world_server

VIDEO = "gotganSmall"
HOSTS = {"gemini": "generativelanguage.googleapis.com", "openai": "api.openai.test"}
YOUTUBE = "www.googleapis.com"


@dataclass(frozen=True)
class Place:
    """Videos, and the web that misbehaves."""

    app: App
    clock: FixedClock
    world: World

    def end_of(self, analyser: str = "builtin") -> tuple[VideoJob, VideoResult | None]:
        """How a job ends, when all attempts at it are made."""
        job = self.app.videos.submit(VIDEO, analyser=analyser).job
        for _ in range(4):
            self.app.videos.work()
            self.clock.advance(timedelta(minutes=2))
        return self.app.videos.job_with_result(job.job_id)

    def results(self) -> int:
        """How many results are kept."""
        query = select(func.count()).select_from(ANALYSIS_RESULTS)
        with self.app.database.read() as connection:
            return connection.execute(query).scalar_one()


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    clock = FixedClock(datetime(2026, 11, 14, 3, tzinfo=UTC))
    world = World(clock=clock, retry_after=0)
    with world_server(world) as served:
        settings = Settings(
            data=tmp_path_factory.mktemp("videos"),
            resolve=served.resolve,
            delay=0.0,
            youtube_key=Secret("a-key"),
            gemini=served.url,
            gemini_key=Secret("a-key"),
            openai="https://api.openai.test/v1",
            given_secret=Secret("s" * 32),
        )
        with App(settings, Store.in_memory(clock=clock)) as app:
            yield Place(app, clock, world)


UNAVAILABLE = "ANALYSIS_UPSTREAM_UNAVAILABLE"
BUSY = "ANALYSIS_RATE_LIMITED"


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (FaultKind.KEY_INVALID, UNAVAILABLE),
        (FaultKind.QUOTA_EXCEEDED, BUSY),
        (FaultKind.EMPTY, "ANALYSIS_VIDEO_NOT_FOUND"),
        (FaultKind.FORBIDDEN, UNAVAILABLE),
        (FaultKind.GARBAGE, UNAVAILABLE),
        (FaultKind.CUT, UNAVAILABLE),
        (FaultKind.REDIRECT_METADATA, UNAVAILABLE),
    ],
)
def test_without_the_video_itself_there_is_nothing_to_analyse(
    place: Place, fault: FaultKind, code: str
) -> None:
    place.world.fail(YOUTUBE, "/youtube/v3/videos", fault)
    job, result = place.end_of()
    assert (job.status, job.error_code, result) == ("failed", code, None)
    assert (job.error_message is not None, place.results()) == (True, 0)


@pytest.mark.parametrize(
    "fault",
    [
        FaultKind.BROKEN,
        FaultKind.FORBIDDEN,
        FaultKind.EMPTY,
        FaultKind.GARBAGE,
        FaultKind.QUOTA_EXCEEDED,
    ],
)
def test_without_the_channel_it_goes_on(place: Place, fault: FaultKind) -> None:
    place.world.fail(YOUTUBE, "/youtube/v3/channels", fault)
    job, result = place.end_of()
    assert (job.status, result is not None) == ("completed", True)


@pytest.mark.parametrize(
    "fault",
    [
        FaultKind.COMMENTS_DISABLED,
        FaultKind.QUOTA_EXCEEDED,
        FaultKind.GARBAGE,
        FaultKind.CUT,
        FaultKind.FORBIDDEN,
        FaultKind.EMPTY,
        FaultKind.TRUNCATED,
        FaultKind.RESET,
    ],
)
def test_without_comments_it_goes_on_and_says_so(place: Place, fault: FaultKind) -> None:
    place.world.fail(YOUTUBE, "/youtube/v3/commentThreads", fault)
    job, result = place.end_of()
    assert job.status == "completed"
    assert result is not None
    assert (result.comment_sample_count, "comments" in result.analysis_basis) == (0, False)
    assert result.document["meta"]["warnings"]


@pytest.mark.parametrize("analyser", HOSTS)
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (FaultKind.CUT_JSON, "ANALYSIS_OUTPUT_INVALID"),
        (FaultKind.WRONG_SCHEMA, "ANALYSIS_OUTPUT_INVALID"),
        (FaultKind.REFUSED, "ANALYSIS_OUTPUT_INVALID"),
        (FaultKind.EMPTY, "ANALYSIS_OUTPUT_INVALID"),
        (FaultKind.KEY_INVALID, UNAVAILABLE),
        (FaultKind.UNAVAILABLE, UNAVAILABLE),
        (FaultKind.BROKEN, UNAVAILABLE),
        (FaultKind.THROTTLED, BUSY),
        (FaultKind.THROTTLED_SILENTLY, BUSY),
        (FaultKind.RESET, UNAVAILABLE),
    ],
)
def test_a_model_that_gives_no_good_answer_ends_the_job_and_nothing_is_saved(
    place: Place, analyser: str, fault: FaultKind, code: str
) -> None:
    place.world.fail(HOSTS[analyser], "*", fault)
    job, result = place.end_of(analyser)
    assert (job.status, job.error_code, result) == ("failed", code, None)
    assert place.results() == 0


@pytest.mark.parametrize("analyser", HOSTS)
@pytest.mark.parametrize("fault", [FaultKind.UNAVAILABLE, FaultKind.THROTTLED])
def test_a_model_that_is_back_is_asked_again_and_youtube_is_not(
    place: Place, analyser: str, fault: FaultKind
) -> None:
    place.world.fail(HOSTS[analyser], "*", fault, times=1)
    job, result = place.end_of(analyser)
    assert (job.status, job.attempts, result is not None) == ("completed", 2, True)
    asked = [each for each in place.world.requests if each.host == YOUTUBE]
    assert len(asked) == job.units


def test_the_pauses_between_attempts_triple(place: Place) -> None:
    place.world.fail(YOUTUBE, "/youtube/v3/videos", FaultKind.CUT)
    job_id = place.app.videos.submit(VIDEO).job.job_id
    for shortest in (10, 30):
        place.app.videos.work()
        job, _ = place.app.videos.job_with_result(job_id)
        assert job.due_at is not None
        pause = job.due_at - place.clock.now()
        assert timedelta(seconds=shortest) <= pause <= timedelta(seconds=1.2 * shortest)
        place.clock.advance(pause)


@pytest.mark.parametrize("analyser", HOSTS)
def test_json_in_a_fence_is_read_and_said_so(place: Place, analyser: str) -> None:
    place.world.fail(HOSTS[analyser], "*", FaultKind.FENCED)
    job, result = place.end_of(analyser)
    assert job.status == "completed"
    assert result is not None
    assert any("code block" in warning for warning in result.document["meta"]["warnings"])


@pytest.mark.parametrize("analyser", HOSTS)
def test_a_model_says_what_it_thinks_and_cites_comments_that_are_there(
    place: Place, analyser: str
) -> None:
    job, result = place.end_of(analyser)
    assert job.status == "completed"
    assert result is not None
    assert result.usage.input_tokens > 0
    sheet = place.app.videos.get(VIDEO)
    cited = {each for idea in result.document["contentIdeas"] for each in idea["evidence"]}
    assert cited
    assert cited <= sheet.evidence.keys()
    assert result.document["meta"]["promptVersion"] == "p2"


def test_a_stale_result_is_shown_when_a_new_one_fails_and_is_no_hit(place: Place) -> None:
    _, first = place.end_of()
    place.clock.advance(timedelta(days=2))
    place.world.fail(YOUTUBE, "*", FaultKind.KEY_INVALID)
    job, _ = place.end_of()
    sheet = place.app.videos.get(VIDEO)
    assert job.status == "failed"
    assert (sheet.result, sheet.is_fresh) == (first, False)
    assert sheet.last_job == job


def test_a_job_of_a_recipe_that_nobody_has_fails_in_the_end_and_says_why(place: Place) -> None:
    job = place.app.videos.analyse(VIDEO, analyser="openai").job
    settings = replace(place.app.settings, openai_model="another")
    with App(settings, Store.in_memory(clock=place.clock)) as other:
        for _ in range(3):
            other.videos.work()
            place.clock.advance(timedelta(minutes=2))
        ended = other.videos.job(job.job_id)
    assert (ended.status, ended.error_message) == (
        "failed",
        "The analyser openai has changed since version v1 was requested. Analyse the video again.",
    )


def test_a_job_that_one_process_cannot_do_is_done_by_another(place: Place) -> None:
    job = place.app.videos.analyse(VIDEO, analyser="gemini").job
    settings = replace(place.app.settings, gemini_key=None)
    with App(settings, Store.in_memory(clock=place.clock)) as other:
        other.videos.work()
    place.clock.advance(timedelta(minutes=2))
    place.app.videos.work()
    assert place.app.videos.job(job.job_id).status == "completed"


def test_what_a_failed_job_has_cost_is_told(place: Place) -> None:
    place.world.fail(YOUTUBE, "/youtube/v3/videos", FaultKind.GARBAGE)
    job, _ = place.end_of()
    assert job.units == place.app.videos.quota().units == 3
    place.world.heal()
    place.world.fail(HOSTS["openai"], "*", FaultKind.WRONG_SCHEMA)
    job, _ = place.end_of("openai")
    assert job.input_tokens > 0
    costs = place.app.videos.costs(days=1).items[0]
    assert (costs.failed, costs.units) == (2, place.app.videos.quota().units)
    assert costs.input_tokens == job.input_tokens


@pytest.mark.parametrize("fault", [FaultKind.QUOTA_EXCEEDED, FaultKind.EMPTY])
def test_an_imported_file_helps_where_youtube_gives_nothing(place: Place, fault: FaultKind) -> None:
    place.world.fail(YOUTUBE, "/youtube/v3/videos", fault)
    rows = f"video_id,comment_id,text,title\n{VIDEO},c1,nice,A title\n"
    place.app.videos.import_files([("c.csv", rows.encode())])
    job, result = place.end_of()
    assert job.status == "completed"
    assert result is not None
    meta = result.document["meta"]
    assert (meta["source"], meta["commentSampleCount"]) == ("import", 1)
    assert any("Imported files were used" in each for each in meta["warnings"])
