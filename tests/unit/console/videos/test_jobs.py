"""Jobs: all of them, those of a state, and each for itself."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from tests.unit.console.sheets import Browser
from tests.unit.console.videos.filling import FIRST, SECOND, analysed, claimed, failed, imported


def _listed(page: str) -> list[str]:
    return re.findall(r'<td><a href="/videos/jobs/(\w+)"', page)


def test_without_a_job_it_says_so(viewer: Browser) -> None:
    assert "No matching jobs" in viewer.open("/videos/jobs")


def test_jobs_are_chosen_by_state_and_video(app: App, viewer: Browser) -> None:
    imported(app, SECOND)
    bad, good = failed(app, SECOND), analysed(app)
    assert set(_listed(viewer.open("/videos/jobs"))) == {bad.job_id, good.job_id}
    assert _listed(viewer.open("/videos/jobs?status=failed")) == [bad.job_id]
    page = viewer.open(f"/videos/jobs?video={FIRST}")
    assert _listed(page) == [good.job_id]
    assert f"gotgan videos jobs --video {FIRST}" in page
    assert viewer.client.get("/videos/jobs?status=asleep").status_code == 422
    page = viewer.open("/videos/jobs?status=failed")
    assert re.findall(r'href="([^"]*)"[^>]*>(\w+) <span class="count">(\d)', page) == [
        ("/videos/jobs?status=queued", "Queued", "0"),
        ("/videos/jobs?status=processing", "Running", "0"),
        ("/videos/jobs?status=completed", "Completed", "1"),
        ("/videos/jobs", "Failed", "1"),
    ]
    assert viewer.open(f"/videos/jobs?video={SECOND}").count('<span class="count">0') == 3
    rows = viewer.client.get("/videos/jobs.csv?status=failed").text.splitlines()
    assert [row.split(",")[0] for row in rows[1:]] == [bad.job_id]


def test_a_job_is_one_line_with_its_title_age_and_duration(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    analysed(app)
    clock.advance(timedelta(minutes=5))
    [line] = re.findall(r"<tbody>.*?<tr>(.*?)</tr>", viewer.open("/videos/jobs"), re.DOTALL)
    words = " ".join(re.sub(r"<[^>]*>", " ", line).split())
    assert words == "비빔국수 만들기 ✓ Completed Built-in (no network) v1 5 minutes ago 0.0 s"


def test_a_job_that_runs_asks_for_itself_again(app: App, viewer: Browser) -> None:
    imported(app)
    job = claimed(app)
    path = f"/videos/jobs/{job.job_id}"
    assert "Collecting comments</strong>" in viewer.open(path)
    headers = {"HX-Request": "true", "HX-Target": "job-state"}
    answer = viewer.client.get(path, headers=headers)
    assert answer.text.lstrip().startswith('<section id="job-state"')
    assert "every 2s" in answer.text
    assert "hx-trigger" not in answer.headers


def test_a_job_that_is_done_leads_to_its_result(app: App, viewer: Browser) -> None:
    job = analysed(app)
    path = f"/videos/jobs/{job.job_id}"
    page = viewer.open(path)
    assert f'href="/videos/{FIRST}?result={job.analysis_result_id}"' in page
    assert "<dt>Tokens</dt><dd>0 in, 0 out</dd>" in page
    assert "every 2s" not in page
    headers = {"HX-Request": "true", "HX-Target": "job-state"}
    assert viewer.client.get(path, headers=headers).headers["hx-trigger"] == "run-ended"


def test_a_job_that_failed_is_tried_again_from_its_page(app: App, editor: Browser) -> None:
    imported(app)
    job = failed(app, code="ANALYSIS_TIMEOUT", why="it took longer than five minutes")
    page = editor.open(f"/videos/jobs/{job.job_id}")
    assert "The analysis took too long." in page
    assert "it took longer than five minutes" in page
    editor.send("/analyse")
    assert editor.path == f"/videos/{FIRST}"
    [again] = app.videos.jobs(status="queued").items
    assert again.refresh_reason == "retry_failed"


@pytest.mark.parametrize("path", ["/videos/jobs/none", "/videos/jobs/%3Cb%3E"])
def test_a_job_that_is_not_there_is_told_so(viewer: Browser, path: str) -> None:
    page = viewer.open(path)
    assert viewer.answer.status_code == 404
    assert "<b>" not in page


def test_versions_say_what_they_stand_for(app: App, viewer: Browser) -> None:
    assert "No analyses yet" in viewer.open("/videos/versions")
    analysed(app)
    page = viewer.open("/videos/versions")
    assert '<tr id="v1">' in page
    assert "gotgan-builtin" in page
