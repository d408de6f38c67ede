"""Videos of the world to ask for, analysed where a test wants them to be."""

from __future__ import annotations

from typing import Any

from tests.unit.api.calling import Api

__all__ = ["QUIET", "SMALL", "STUDY", "TABLE", "analysed", "followed", "imported", "submitted"]

SMALL = "gotganSmall"
"""A Korean video with a few comments."""
STUDY = "gotganStudy"
"""An English one with more."""
QUIET = "gotganQuiet"
"""One whose owner wants no comments."""
TABLE = "video_id,text,likes\ndQw4w9WgXcQ,I love it,3\ndQw4w9WgXcQ,What is this song?,1\n"


def submitted(api: Api, video: str = SMALL, **more: Any) -> Any:
    """What is told at once of an analysis that is asked for."""
    body = {"video": video, **more}
    return api.data("POST", "/videos/analyse", role="editor", json=body, params={"wait": 0})


def analysed(api: Api, video: str = SMALL, **more: Any) -> Any:
    """A job that has ended, with its analysis."""
    job_id = submitted(api, video, **more)["job"]["jobId"]
    api.app.videos.work()
    return followed(api, job_id)


def followed(api: Api, job_id: str) -> Any:
    """A job, with its analysis where it has one."""
    job = api.data("GET", f"/videos/jobs/{job_id}", role="viewer")
    made = job["analysisResultId"]
    path = f"/videos/results/{made}"
    return {"job": job, "analysis": None if made is None else api.data("GET", path, role="viewer")}


def imported(api: Api, *texts: str) -> Any:
    """What was kept of some tables."""
    files = [{"name": f"{number}.csv", "text": text} for number, text in enumerate(texts)]
    return api.data("POST", "/videos/import", role="editor", json={"files": files})["items"]
