"""Videos in each of their states, from files alone: nobody is asked, and no key is needed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from gotgan.app import App
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.models import Code, VideoJob

__all__ = [
    "EVIL",
    "FIRST",
    "SECOND",
    "analysed",
    "claimed",
    "failed",
    "imported",
    "info",
    "long_said",
]

FIRST, SECOND = "aaaaaaaaaaa", "bbbbbbbbbbb"
EVIL = "<script>alert(1)</script>"
_SAID = (
    "2:14 정말 재밌어요 ㅋㅋ 비빔국수 최고예요",
    "비빔국수 너무 맛있어 보여요! 2:14 장면 최고",
    "비빔국수 별로예요, 실망했어요",
    "2:14 이 노래 뭐예요?",
    "다음에는 김치찌개 영상도 만들어 주세요",
)


def info(video_id: str = FIRST, said: Sequence[str] | None = _SAID, **changes: Any) -> bytes:
    """A video as yt-dlp writes it down, with all of its counts."""
    comments = [
        {"id": f"{video_id}-{number}", "text": text, "like_count": number * 10, "parent": "root"}
        for number, text in enumerate(said or ())
    ]
    document = {
        "id": video_id,
        "extractor_key": "Youtube",
        "title": "비빔국수 만들기",
        "description": "10분이면 됩니다",
        "duration": 428,
        "channel": "곳간 부엌",
        "channel_id": "UC1",
        "view_count": 1000,
        "like_count": 100,
        "comment_count": 5,
        "comments": comments,
        **changes,
    }
    return json.dumps({name: value for name, value in document.items() if value != ""}).encode()


def long_said() -> list[str]:
    """Enough comments to have something of every kind to show; one of them is very long."""
    many = [f"{text} ({number})" for number in range(12) for text in _SAID]
    return [*many, "비빔국수 " * 400, "https" + "x" * 300]


def imported(app: App, video_id: str = FIRST, **changes: Any) -> None:
    """A video of which nothing is known but what a file had."""
    app.videos.import_files([("x.info.json", info(video_id, **changes))])


def analysed(app: App, video_id: str = FIRST, **changes: Any) -> VideoJob:
    """A video with a result; the job that made it."""
    imported(app, video_id, **changes)
    job = app.videos.analyse(video_id).job
    app.videos.work()
    done = app.videos.job(job.job_id)
    assert done.status == "completed", done
    return done


def claimed(app: App, video_id: str = FIRST, *, force: bool = False) -> VideoJob:
    """A job that somebody works on and that has come to its third page."""
    wanted = app.videos.analyse(video_id, force=force).job
    jobs = Jobs(app.clock, app.database.leases)
    with app.database.begin() as connection:
        job = jobs.claim(connection, wanted.job_id)
        assert job is not None
        jobs.progress(connection, job, "collecting_comments", 33, "page 3 of 10")
    return job


def failed(
    app: App,
    video_id: str = FIRST,
    *,
    force: bool = False,
    code: Code = "ANALYSIS_RATE_LIMITED",
    why: str = "YouTube wants to be left alone",
    until: datetime | None = None,
) -> VideoJob:
    """A job that came to a bad end."""
    job = claimed(app, video_id, force=force)
    with app.database.begin() as connection:
        Jobs(app.clock, app.database.leases).fail(
            connection, job, code=code, message=why, retry_after=until
        )
    return app.videos.job(job.job_id)
