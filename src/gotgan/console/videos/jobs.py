"""Jobs: all of them, those of a state or of a video, and each for itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import fragment_of, here, page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.runs import ENDED
from gotgan.console.videos.places import LIST
from gotgan.console.videos.showing import names
from gotgan.console.viewer import Viewer
from gotgan.domains.videos.models import STATUSES, Status, VideoJob
from gotgan.domains.videos.reports import JobList
from gotgan.encoding import encode, keys_of

__all__ = ["JobFilter", "asked_filter", "jobs_file", "read_job", "router", "show_jobs"]

router = APIRouter()
_A_PAGE: Final = 50
_STATE: Final = "job-state"


@dataclass(frozen=True)
class JobFilter:
    """Which jobs are asked for."""

    status: Status | None
    video: str | None

    def read(self, app: App, limit: int, cursor: str | None) -> JobList:
        """A page of them."""
        return app.videos.jobs(status=self.status, video=self.video, limit=limit, cursor=cursor)


async def asked_filter(status: str = "", video: str = "") -> JobFilter:
    """What an address asks for."""
    wanted = next((known for known in STATUSES if known == status), None)
    if status and wanted is None:
        raise HTTPException(422)
    return JobFilter(wanted, video.strip() or None)


Wanted = Annotated[JobFilter, Depends(asked_filter)]


@router.get("/videos/jobs")
def show_jobs(
    request: Request, _who: Reader, app: Gotgan, wanted: Wanted, cursor: str | None = None
) -> Response:
    """Jobs, the latest first."""
    who, found = Viewer.of(request), wanted.read(app, _A_PAGE, cursor or None)
    words = [(status, who.t(f"videos.job.{status}")) for status in STATUSES]
    return page(
        request,
        "videos/jobs.html",
        found=found,
        wanted=wanted,
        statuses=[("", who.t("videos.jobs.all")), *words],
        next=here(request, cursor=found.cursor) if found.cursor else None,
        first=here(request, cursor=None) if cursor else None,
        elsewhere=Elsewhere.of(
            "/v1/videos/jobs",
            f"{LIST}/jobs.csv",
            "gotgan videos jobs",
            status=wanted.status,
            video=wanted.video,
        ),
        **names(app),
    )


@router.get("/videos/jobs.csv")
def jobs_file(_who: Reader, app: Gotgan, wanted: Wanted) -> Response:
    """The same jobs as a file."""
    found = every(lambda cursor: wanted.read(app, A_CALL, cursor))
    return as_csv("video-jobs", keys_of(VideoJob), map(encode, found))


@router.get("/videos/jobs/{job_id}")
def read_job(request: Request, _who: Reader, app: Gotgan, job_id: str) -> Response:
    """A job, watched to its end."""
    job = app.videos.job(job_id)
    api, command = f"/v1/videos/jobs/{job.job_id}", f"gotgan videos job {job.job_id}"
    answer = page(
        request,
        "videos/job.html",
        job=job,
        elsewhere=Elsewhere(api, "", command),
        **names(app),
    )
    if fragment_of(request) == _STATE and not job.is_open:
        answer.headers["HX-Trigger"] = ENDED
    return answer
