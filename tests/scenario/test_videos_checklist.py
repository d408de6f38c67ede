"""The quality checklist of document 003, entry by entry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import orjson
import pytest
from sqlalchemy import func, select

from gotgan.app import App
from gotgan.domains.videos.models import VideoJob
from gotgan.domains.videos.reports import VideoResult, contract_result
from gotgan.domains.videos.schemas import Result1, Result2
from gotgan.domains.videos.tables import ANALYSIS_JOBS, ANALYSIS_RESULTS
from gotgan.errors import UsageError
from gotgan.settings import Secret, Settings
from gotgan.world import FaultKind, World, world_server
from tests.house.repository import ROOT

VIDEO = "abcdefghijk"
FILE = (
    "video_id,comment_id,text,likes,title,description\n"
    f"{VIDEO},c1,정말 재밌게 봤어요 ㅋㅋ,12,요리 영상,설명\n"
    f"{VIDEO},c2,소리가 너무 작아서 아쉬워요,3,요리 영상,설명\n"
)


@pytest.fixture
def app() -> Iterator[App]:
    with App.in_memory() as app:
        app.videos.import_files([("comments.csv", FILE.encode())])
        yield app


def analysed(app: App) -> tuple[VideoJob, VideoResult]:
    job_id = app.videos.analyse(VIDEO).job.job_id
    app.videos.work()
    job, result = app.videos.job_with_result(job_id)
    assert result is not None
    return job, result


def test_identifiers_are_clear(app: App) -> None:
    same = [VIDEO, f"https://youtu.be/{VIDEO}?t=3", f"https://www.youtube.com/watch?v={VIDEO}"]
    jobs = {app.videos.analyse(each).job.job_id for each in same}
    assert len(jobs) == 1
    assert app.videos.job(*jobs).video_id == VIDEO
    with pytest.raises(UsageError, match="Not a YouTube URL or video ID"):
        app.videos.analyse("https://example.com/watch?v=abcdefghijk")


def test_the_rule_of_the_cache_key_is_written_down(app: App) -> None:
    told = (ROOT / "docs" / "videos.md").read_text("utf-8")
    assert "analysis:{videoId}:{analysisVersion}" in told
    _, result = analysed(app)
    assert result.cache_key == f"analysis:{VIDEO}:{result.analysis_version}"


def test_versions_are_in_it(app: App) -> None:
    _, result = analysed(app)
    meta = result.document["meta"]
    assert re.fullmatch(r"v[0-9]+", meta["analysisVersion"])
    assert (meta["analysisVersion"], meta["schemaVersion"]) == (
        result.analysis_version,
        result.schema_version,
    )
    assert (meta["promptVersion"], meta["scoreVersion"]) == (
        result.prompt_version,
        result.score_version,
    )


def test_what_is_missing_is_provided_for(app: App) -> None:
    other = "lmnopqrstuv"
    answer = {
        "kind": "youtube#videoListResponse",
        "items": [{"id": other, "snippet": {"title": "a title", "description": ""}}],
    }
    app.videos.import_files([("videos.json", orjson.dumps(answer))])
    app.videos.analyse(other)
    app.videos.work()
    result = app.videos.get(other).result
    assert result is not None
    meta = result.document["meta"]
    assert (meta["commentSampleCount"], meta["analysisBasis"]) == (0, ["title"])
    assert meta["warnings"]


def test_both_ends_can_be_followed(app: App) -> None:
    job, result = analysed(app)
    assert (job.status, job.analysis_result_id, result.job_id) == (
        "completed",
        result.id,
        job.job_id,
    )
    with world_server(World()) as served:
        settings = Settings(
            resolve=served.resolve,
            delay=0.0,
            youtube_key=Secret("a-key"),
            given_secret=Secret("s" * 32),
        )
        with App.in_memory(settings=settings) as asking:
            lost = asking.videos.analyse("gotganNever").job
            asking.videos.work()
            failed = asking.videos.job(lost.job_id)
    assert (failed.status, failed.error_code) == ("failed", "ANALYSIS_VIDEO_NOT_FOUND")
    assert (failed.error_message is not None, failed.completed_at is not None) == (True, True)


def test_json_is_checked_before_it_is_saved(app: App) -> None:
    _, result = analysed(app)
    document = orjson.loads(result.result_json)
    Result2.model_validate(document)
    with world_server(World()) as served:
        served.world.fail("api.openai.test", "*", FaultKind.WRONG_SCHEMA)
        settings = replace(
            Settings(given_secret=Secret("s" * 32)),
            resolve=served.resolve,
            delay=0.0,
            openai="https://api.openai.test/v1",
        )
        with App.in_memory(settings=settings) as asking:
            asking.videos.import_files([("comments.csv", FILE.encode())])
            job = asking.videos.analyse(VIDEO, analyser="openai").job
            asking.videos.work()
            assert asking.videos.job(job.job_id).error_code == "ANALYSIS_OUTPUT_INVALID"
            with asking.database.read() as connection:
                saved = connection.execute(select(func.count()).select_from(ANALYSIS_RESULTS))
                assert saved.scalar_one() == 0
                statuses = connection.execute(select(ANALYSIS_JOBS.c.status)).scalars().all()
                assert statuses == ["failed"]


def test_the_contracts_shape_is_checked_too(app: App) -> None:

    _, result = analysed(app)
    Result1.model_validate(contract_result(result, cache_hit=True))
