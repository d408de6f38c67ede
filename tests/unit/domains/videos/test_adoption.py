"""Jobs and results that another program saved before Gotgan was started for the first time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from gotgan.app import App
from gotgan.cli.terminal.video_sheet import sheet_text
from gotgan.clock import FixedClock
from gotgan.domains.videos.reports import contract_job, contract_result
from gotgan.domains.videos.schemas import Result1, Result2
from gotgan.encoding import encode
from gotgan.settings import Settings
from tests.sql.fixtures import empty_settings
from tests.sql.foreign import ANALYSIS, ANALYSIS_ROWS, ask, create, run
from tests.unit.domains.videos.test_service import file_of

__all__ = ["empty_settings"]

DONE, OPEN, OTHER = "dQw4w9WgXcQ", "abcdefghijk", "lmnopqrstuv"


@pytest.fixture
def app(empty_settings: Settings, clock: FixedClock) -> Iterator[App]:
    """Gotgan, started on the tables of another program."""
    create(empty_settings, ANALYSIS)
    run(empty_settings, ANALYSIS_ROWS)
    with App.open(empty_settings, clock=clock) as app:
        app.prepare()
        yield app


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(datetime(2025, 10, 20, 8, tzinfo=UTC))


def _job(number: int) -> str:
    return f"3f1c2a34-000{number}-4c7e-9f5e-1f6f7c1f000{number}"


def test_an_old_job_is_found_with_its_result(app: App) -> None:
    job, result = app.videos.job_with_result(_job(1))
    assert result is not None
    assert result.id.startswith("7d4d0000-0001")
    record: dict[str, Any] = contract_job(job, result)
    assert record["result"]["summary"]["weakPoints"] == "약점"
    Result1.model_validate(contract_result(result, cache_hit=False))
    Result2.model_validate(dict(result.document))
    assert (encode(job)["analyser"], encode(job)["analysisVersion"]) == (None, None)


def test_a_failed_job_has_a_code_that_is_known(app: App) -> None:
    job, result = app.videos.job_with_result(_job(2))
    assert result is None
    assert (job.error_code, job.error_message) == ("COMMON_INTERNAL_ERROR", "no answer")
    assert (job.step, job.force_refresh) == (None, True)


def test_videos_are_listed_and_shown_at_once(app: App) -> None:
    assert {line.video_id for line in app.videos.list().items} == {DONE, OPEN, OTHER}
    sheet = app.videos.get(DONE)
    assert encode(sheet)["analysis"]["result"]["recommendedKeywords"] == ["소스"]
    assert "다음 영상" in sheet_text(sheet, app.videos.now())
    assert sheet_text(app.videos.get(OTHER), app.videos.now())
    assert len(app.videos.jobs().items) == 5


def test_their_versions_keep_their_meaning(app: App) -> None:
    app.videos.import_files([file_of(DONE, "소스가 최고예요 ㅋㅋ")])
    submitted = app.videos.analyse(DONE)
    assert (submitted.result, submitted.job.analysis_version) == (None, "v4")
    app.videos.work()
    shown = app.videos.get(DONE)
    assert [each.analysis_version for each in shown.history] == ["v4", "v3"]


def test_one_working_day_after_the_takeover(app: App, empty_settings: Settings) -> None:
    columns = "id, result_json, analysis_basis, created_at"
    theirs = f"SELECT {columns} FROM analysis_results WHERE id LIKE '7d4d%'"
    before = ask(empty_settings, theirs)
    assert app.videos.work() == 0  # nothing of theirs is run before adopt is called
    app.videos.import_files([file_of(OPEN, "소스가 최고예요 ㅋㅋ", "소스 레시피 알려주세요")])
    adopted = app.videos.adopt()
    assert (adopted.listed, adopted.queued, adopted.left) == (0, 1, 2)
    assert {each.name: each.rows for each in adopted.tables}["analysis_jobs"] == 5
    assert app.videos.work() == 1
    job, result = app.videos.job_with_result(_job(3))
    assert (job.status, job.analyser) == ("completed", "builtin")
    assert result is not None
    assert app.videos.adopt().queued == 1  # the second job of that video
    app.videos.work()
    assert app.videos.job(_job(4)).status == "completed"
    assert app.videos.job(_job(5)).status == "queued"  # of a video that has no source
    assert ask(empty_settings, theirs) == before
    statuses = "SELECT status, COUNT(*) FROM analysis_jobs GROUP BY 1 ORDER BY 1"
    assert ask(empty_settings, statuses) == [("completed", 3), ("failed", 1), ("queued", 1)]
    assert app.videos.purge().snapshots == 0
    assert ask(empty_settings, "SELECT COUNT(*) FROM video_snapshots WHERE title = '제목'")[0][0]


def test_rows_that_come_later_are_listed_by_adopt(app: App, empty_settings: Settings) -> None:
    assert len(app.videos.list().items) == 3
    run(
        empty_settings,
        "INSERT INTO analysis_jobs (job_id, video_id, status) "
        "VALUES ('x', 'mnopqrstuvw', 'failed')",
    )
    assert app.videos.adopt().listed == 1
    assert app.videos.adopt().listed == 0
    assert app.videos.get("mnopqrstuvw").last_job is not None
