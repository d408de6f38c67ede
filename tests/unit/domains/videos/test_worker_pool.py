from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from gotgan.app import App
from gotgan.domains.videos.models import VideoJob
from gotgan.errors import Interrupted
from tests.unit.domains.videos.made import VIDEO

SOON = 20.0
COMMENTS = f"video_id,comment_id,text,likes,title\n{VIDEO},c1,재밌어요 ㅋㅋ,3,제목\n".encode()


@pytest.fixture
def app() -> Iterator[App]:
    with App.in_memory() as app:
        app.videos.import_files([("comments.csv", COMMENTS)])
        yield app


def ended(app: App, job_id: str) -> VideoJob:
    until = time.monotonic() + SOON
    while (job := app.videos.job(job_id)).is_open and time.monotonic() < until:
        time.sleep(0.01)
    return job


def test_jobs_are_done_as_they_come(app: App) -> None:
    with app.videos.workers():
        job = ended(app, app.videos.analyse(VIDEO).job.job_id)
    assert (job.status, job.attempts) == ("completed", 1)


def test_jobs_that_were_there_before_are_done_too(app: App) -> None:
    waiting = app.videos.analyse(VIDEO).job
    with app.videos.workers():
        assert ended(app, waiting.job_id).status == "completed"


def test_when_the_app_is_closed_no_thread_is_left() -> None:
    with App.in_memory() as app:
        app.videos.workers().start()
    assert not [each for each in threading.enumerate() if each.name.startswith("gotgan-videos")]


def test_workers_that_were_stopped_take_no_more_jobs_and_others_do(app: App) -> None:
    with app.videos.workers():
        pass
    job = app.videos.analyse(VIDEO).job
    assert app.videos.job(job.job_id).status == "queued"
    with app.videos.workers():
        assert ended(app, job.job_id).status == "completed"


def test_whoever_waits_is_told_when_the_app_ends() -> None:
    with App.in_memory() as app:
        app.videos.import_files([("comments.csv", COMMENTS)])
        job = app.videos.analyse(VIDEO).job
        app.videos.close()
        with pytest.raises(Interrupted):
            app.videos.wait(job.job_id)


def test_a_worker_outlives_whatever_goes_wrong(app: App) -> None:
    with app.videos.workers():
        with app.database.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE analysis_jobs RENAME TO elsewhere")
        time.sleep(0.05)
        with app.database.begin() as connection:
            connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO analysis_jobs")
        assert ended(app, app.videos.analyse(VIDEO).job.job_id).status == "completed"
