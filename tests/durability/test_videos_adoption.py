"""kill -9 while jobs of another program are adopted: none is lost, and each is run once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.settings import Settings
from gotgan.store import Store
from tests.sql.fixtures import empty_settings, postgres
from tests.sql.foreign import ANALYSIS, ANALYSIS_ROWS, ask, create, run
from tests.sql.killed import NOW, is_killed
from tests.unit.domains.videos.test_service import file_of

__all__ = ["empty_settings", "postgres"]

VIDEOS = [f"video-{number}-abc" for number in range(3)]
_LATER = "; ".join(
    "INSERT INTO analysis_jobs (job_id, video_id, status, force_refresh) "
    f"VALUES ('later-{number}', '{video}', 'queued', FALSE)"
    for number, video in enumerate(VIDEOS)
)
_QUEUING = "FROM analysis_jobs AS other"
_JOBS = "SELECT job_id, video_id, force_refresh, created_at FROM analysis_jobs ORDER BY job_id"
_RESULTS = (
    "SELECT id, result_json, analysis_basis, created_at FROM analysis_results "
    "WHERE id LIKE '7d4d%' ORDER BY id"
)


def _app(settings: Settings) -> App:
    return App(settings, Store.in_memory(clock=FixedClock(NOW)))


@pytest.fixture
def settings(empty_settings: Settings) -> Settings:
    """A database with jobs and results of another program, which is not started on yet."""
    create(empty_settings, ANALYSIS)
    run(empty_settings, ANALYSIS_ROWS)
    return empty_settings


@pytest.fixture
def jobs(settings: Settings) -> Iterator[list[str]]:
    """Open jobs that came later and can be run: their videos have comments here."""
    with _app(settings) as app:
        app.prepare()
        for video in VIDEOS:
            app.videos.import_files([file_of(video, "소스가 최고예요 ㅋㅋ", "레시피 알려주세요")])
        run(settings, f"{_LATER}; DELETE FROM videos WHERE video_id = '{VIDEOS[0]}'")
        yield [f"later-{number}" for number in range(len(VIDEOS))]


@pytest.mark.parametrize("number", [1, 12, 30])
def test_tables_that_were_left_half_way_are_completed(settings: Settings, number: int) -> None:
    before = ask(settings, _JOBS), ask(settings, _RESULTS)
    assert is_killed(settings, "prepare", "ADD COLUMN", number)
    assert (ask(settings, _JOBS), ask(settings, _RESULTS)) == before
    with _app(settings) as app:
        app.prepare()
        assert len(app.videos.jobs().items) == 5
        assert {each.rows for each in app.videos.adopt().tables if each.name == "videos"} == {3}
    assert (ask(settings, _JOBS), ask(settings, _RESULTS)) == before


@pytest.mark.parametrize(
    ("statement", "number", "queued"),
    [
        ("INSERT INTO analysis_results", 1, 0),  # which is tried out, and taken back
        ("INSERT INTO videos (video_id, touched_at, job_id, result_id) SELECT", 1, 0),
        (_QUEUING, 1, 0),
        (_QUEUING, 2, 1),
        (_QUEUING, 3, 2),
    ],
)
def test_open_jobs_are_queued_by_the_next_run_and_run_once(
    settings: Settings, jobs: list[str], statement: str, number: int, queued: int
) -> None:
    before = ask(settings, _JOBS), ask(settings, _RESULTS)
    assert is_killed(settings, "videos", statement, number)
    taken = "SELECT COUNT(*) FROM analysis_jobs WHERE cache_key IS NOT NULL"
    assert ask(settings, taken) == [(queued,)]
    with _app(settings) as app:
        adopted = app.videos.adopt()
        assert adopted.queued == len(jobs) - queued
        assert app.videos.adopt().queued == 0
        assert app.videos.work() == len(jobs)
        assert app.videos.work() == 0
        for job_id in jobs:
            job, result = app.videos.job_with_result(job_id)
            assert (job.status, job.attempts) == ("completed", 1)
            assert result is not None
        assert len(app.videos.jobs().items) == 8
        assert {each.video_id for each in app.videos.list().items} >= set(VIDEOS)
    made = "SELECT job_id, COUNT(*) FROM analysis_results WHERE job_id IS NOT NULL GROUP BY 1"
    assert sorted(ask(settings, made)) == [(job_id, 1) for job_id in jobs]
    assert (ask(settings, _JOBS), ask(settings, _RESULTS)) == before
