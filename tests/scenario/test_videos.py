"""Document 003, in its own words: jobs, cache, versions, and what is missing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Update, event, inspect, select

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.videos.models import STEPS
from gotgan.domains.videos.reports import Submitted, contract_job
from gotgan.domains.videos.tables import ANALYSIS_JOBS, ANALYSIS_RESULTS
from gotgan.settings import Secret, Settings, Ttl
from gotgan.store import Store
from gotgan.world import FaultKind, World, world_server
from tests.sql.fixtures import database_settings, postgres, prepared_file

__all__ = ["database_settings", "postgres", "prepared_file"]

VIDEO = "gotganVlog1"
YOUTUBE = "www.googleapis.com"
COMMENTS = "/youtube/v3/commentThreads"


@dataclass(frozen=True)
class Scene:
    """Videos at a moment, and the YouTube that they come from."""

    app: App
    clock: FixedClock
    world: World

    def analyse(self, video: str = VIDEO, **asked: Any) -> dict[str, Any]:
        """Have a video analysed, and see to the end of it, as its contract tells of it."""
        submitted = self.app.videos.analyse(video, **asked)
        if submitted.result is not None:
            return contract_job(submitted.job, submitted.result, cache_hit=True)
        self.work()
        return contract_job(*self.app.videos.job_with_result(submitted.job.job_id))

    def work(self) -> None:
        """Do the jobs that are due, also those that are to be tried again later."""
        for _ in range(4):
            self.app.videos.work()
            self.clock.advance(timedelta(seconds=60))

    def row(self, table: Any) -> dict[str, Any]:
        """The only row of a table, as anybody reads it who knows the document."""
        with self.app.database.read() as connection:
            return dict(connection.execute(select(table)).mappings().one())

    @property
    def asked(self) -> int:
        """How often YouTube was asked."""
        return sum(seen.host == YOUTUBE for seen in self.world.requests)


def steps_of(scene: Scene) -> list[tuple[str | None, int]]:
    """Do what is due; give each step that was written down, with the progress."""
    seen: list[tuple[str | None, int]] = []

    def note(_: Any, statement: Any, *__: Any) -> None:
        if isinstance(statement, Update) and statement.table is ANALYSIS_JOBS:
            given = statement.compile().params
            if "progress" in given:
                seen.append((given["step"], given["progress"]))

    event.listen(scene.app.database.engine, "after_execute", note)
    scene.app.videos.work()
    return seen


@pytest.fixture
def scene(database_settings: Settings) -> Iterator[Scene]:
    clock = FixedClock(datetime(2026, 11, 14, 3, tzinfo=UTC))
    world = World(clock=clock)
    with world_server(world) as served:
        settings = replace(
            database_settings,
            resolve=served.resolve,
            delay=0.0,
            youtube_key=Secret("a-key"),
            given_secret=Secret("s" * 32),
        )
        with App(settings, Store.in_memory(clock=clock)) as app:
            yield Scene(app, clock, world)


# 추천 데이터 모델


def test_the_tables_have_the_fields_that_the_document_names(scene: Scene) -> None:
    named = {
        "analysis_jobs": "job_id video_id status progress step error_code error_message "
        "force_refresh created_at updated_at completed_at",
        "analysis_results": "id video_id analysis_version schema_version comment_snapshot_hash "
        "result_json model_name comment_sample_count analysis_basis cache_key created_at "
        "prompt_version score_version",
        "video_snapshots": "video_id title description view_count published_at duration_sec "
        "channel_id snapshot_at",
        "comment_snapshots": "text like_count published_at",
        "channel_snapshots": "channel_id title subscriber_count",
    }
    looked = inspect(scene.app.database.engine)
    for table, fields in named.items():
        have = {column["name"] for column in looked.get_columns(table)}
        assert set(fields.split()) <= have, table
    indexed = [index["column_names"] for index in looked.get_indexes("analysis_results")]
    assert ["video_id", "analysis_version"] in indexed
    assert ["video_id", "analysis_version", "comment_snapshot_hash"] in indexed


def test_raw_data_and_results_lie_apart(scene: Scene) -> None:
    scene.analyse()
    result = scene.row(ANALYSIS_RESULTS)["result_json"]
    with scene.app.database.read() as connection:
        texts = connection.exec_driver_sql("SELECT text FROM comment_snapshots").scalars().all()
    long = [text for text in texts if len(text) > 12]
    assert long
    assert not [text for text in long if text in result]


# D-4: 캐시 키, TTL, forceRefresh, cacheHit


def test_the_cache_key_is_video_and_version(scene: Scene) -> None:
    scene.analyse()
    assert scene.row(ANALYSIS_RESULTS)["cache_key"] == f"analysis:{VIDEO}:v1"
    assert scene.row(ANALYSIS_JOBS)["cache_key"] == f"analysis:{VIDEO}:v1"


def test_a_miss_is_analysed_and_saved_and_a_valid_cache_is_given_at_once(scene: Scene) -> None:
    first = scene.analyse()
    assert (first["status"], first["result"]["meta"]["cacheHit"]) == ("completed", False)
    asked = scene.asked
    scene.clock.advance(timedelta(hours=23))
    again = scene.analyse()
    assert (again["jobId"], again["result"]["meta"]["cacheHit"]) == (first["jobId"], True)
    assert scene.asked == asked
    same = {**again["result"], "meta": {**again["result"]["meta"], "cacheHit": False}}
    assert same == first["result"]


def test_the_cache_is_valid_for_24_hours(scene: Scene) -> None:
    first = scene.analyse()
    made = datetime.fromisoformat(first["result"]["meta"]["analyzedAt"])
    scene.clock.advance(made + timedelta(hours=24) - scene.clock.now() - timedelta(seconds=1))
    assert scene.analyse()["result"]["meta"]["cacheHit"]
    scene.clock.advance(timedelta(seconds=1))
    again = scene.analyse()
    assert (again["jobId"] == first["jobId"], again["result"]["meta"]["cacheHit"]) == (False, False)


def test_a_forced_refresh_analyses_though_there_is_a_cache(scene: Scene) -> None:
    first = scene.analyse()
    again = scene.analyse(force=True, reason="user_request")
    assert again["jobId"] != first["jobId"]
    assert not again["result"]["meta"]["cacheHit"]
    with scene.app.database.read() as connection:
        forced = connection.execute(select(ANALYSIS_JOBS.c.force_refresh)).scalars().all()
    assert sorted(forced) == [False, True]


def test_a_shorter_ttl_has_a_reason_which_is_recorded(scene: Scene) -> None:
    settings = replace(scene.app.settings, analysis_ttl=Ttl(6, "YouTube answers badly"))
    with App(settings, Store.in_memory(clock=scene.clock)) as app:
        hurried = Scene(app, scene.clock, scene.world)
        hurried.analyse()
        row = hurried.row(ANALYSIS_RESULTS)
        assert row["ttl_reason"] == "YouTube answers badly"
        assert row["expires_at"] - row["created_at"] == timedelta(hours=6)
        scene.clock.advance(timedelta(hours=6))
        assert not hurried.analyse()["result"]["meta"]["cacheHit"]


def test_a_higher_version_is_made_anew_before_the_ttl_is_over(scene: Scene) -> None:
    assert scene.analyse()["result"]["meta"]["analysisVersion"] == "v1"
    changed = replace(scene.app.settings, openai="https://api.openai.test/v1")
    with App(changed, Store.in_memory(clock=scene.clock)) as app:
        other = Scene(app, scene.clock, scene.world)
        meta = other.analyse(analyser="openai")["result"]["meta"]
        assert (meta["analysisVersion"], meta["cacheHit"]) == ("v2", False)
        assert other.analyse(analyser="builtin")["result"]["meta"]["analysisVersion"] == "v1"


# 데이터 정합성 규칙


def test_a_completed_job_leads_to_its_result(scene: Scene) -> None:
    scene.analyse()
    job, result = scene.row(ANALYSIS_JOBS), scene.row(ANALYSIS_RESULTS)
    assert (job["status"], job["analysis_result_id"]) == ("completed", result["id"])
    assert (result["job_id"], job["completed_at"] is not None) == (job["job_id"], True)


def test_a_failed_job_keeps_its_code_and_its_message(scene: Scene) -> None:
    failed = scene.analyse("gotganNever")
    assert (failed["status"], failed["error"]["code"]) == ("failed", "ANALYSIS_VIDEO_NOT_FOUND")
    assert failed["error"]["message"]
    assert "result" not in failed
    job = scene.row(ANALYSIS_JOBS)
    assert (job["status"], job["error_code"]) == ("failed", "ANALYSIS_VIDEO_NOT_FOUND")


def test_what_a_result_rests_on_is_saved_with_it(scene: Scene) -> None:
    meta = scene.analyse()["result"]["meta"]
    row = scene.row(ANALYSIS_RESULTS)
    assert (meta["model"], row["model_name"]) == ("gotgan-builtin", "gotgan-builtin")
    assert meta["commentSampleCount"] == row["comment_sample_count"] > 100
    assert meta["analysisBasis"] == ["title", "description", "comments"]
    assert json.loads(row["analysis_basis"]) == meta["analysisBasis"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", meta["analyzedAt"])
    assert (meta["schemaVersion"], row["schema_version"], row["score_version"]) == (1, 2, "s4")


# 결측값/부분 실패 처리 정책


@pytest.mark.parametrize(
    ("video", "fault"),
    [
        ("gotganEmpty", None),
        ("gotganQuiet", None),
        (VIDEO, FaultKind.BROKEN),
        (VIDEO, FaultKind.QUOTA_EXCEEDED),
        (VIDEO, FaultKind.COMMENTS_DISABLED),
    ],
)
def test_without_comments_the_analysis_is_a_smaller_one(
    scene: Scene, video: str, fault: FaultKind | None
) -> None:
    if fault is not None:
        scene.world.fail(YOUTUBE, COMMENTS, fault)
    meta = scene.analyse(video)["result"]["meta"]
    assert meta["commentSampleCount"] == 0
    assert "comments" not in meta["analysisBasis"]
    assert "title" in meta["analysisBasis"]
    assert meta["warnings"]


def test_hidden_counts_are_no_fault(scene: Scene) -> None:
    meta = scene.analyse("gotganHides")["result"]["meta"]
    assert meta["commentSampleCount"] > 0
    assert any("likes" in warning or "public" in warning for warning in meta["warnings"])


# 작업 상태 데이터


def test_a_job_is_queued_then_processing_then_completed_with_its_steps(scene: Scene) -> None:
    submitted = scene.app.videos.analyse(VIDEO)
    assert contract_job(submitted.job, None)["status"] == "queued"
    steps = [step for step, _ in steps_of(scene)]
    assert list(dict.fromkeys(steps)) == [*STEPS, None]
    job = scene.app.videos.job(submitted.job.job_id)
    assert (job.status, job.progress, job.attempts) == ("completed", 100, 1)


def test_progress_only_grows(scene: Scene) -> None:
    scene.app.videos.analyse(VIDEO)
    progress = [percent for _, percent in steps_of(scene)]
    assert progress == sorted(progress)
    assert (min(progress) >= 0, max(progress)) == (True, 100)


def test_sixteen_who_ask_at_once_get_one_job(scene: Scene) -> None:
    def ask(_: int) -> Submitted:
        return scene.app.videos.analyse(VIDEO)

    with ThreadPoolExecutor(16) as crowd:
        asked = list(crowd.map(ask, range(16)))
    assert len({each.job.job_id for each in asked}) == 1
    assert sum(each.is_new for each in asked) == 1


@pytest.mark.parametrize("fault", [FaultKind.BROKEN, FaultKind.RATE_LIMITED, FaultKind.UNAVAILABLE])
def test_what_passes_by_itself_is_tried_again(scene: Scene, fault: FaultKind) -> None:
    scene.world.fail(YOUTUBE, "/youtube/v3/videos", fault, times=3)
    job = scene.analyse()
    assert job["status"] == "completed"


def test_after_three_attempts_a_job_fails_for_good(scene: Scene) -> None:
    scene.world.fail(YOUTUBE, "/youtube/v3/videos", FaultKind.BROKEN)
    failed = scene.analyse()
    assert (failed["status"], failed["error"]["code"]) == (
        "failed",
        "ANALYSIS_UPSTREAM_UNAVAILABLE",
    )
    assert scene.row(ANALYSIS_JOBS)["attempts"] == 3
    scene.world.heal()
    again = scene.analyse(force=True, reason="retry_failed")
    assert (again["status"], again["jobId"] == failed["jobId"]) == ("completed", False)
