"""``/v1/videos/analyse`` and ``/v1/videos/jobs``: analyses asked for, and how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import anyio
from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import SOON, Wait
from gotgan.api.videos.asking import AnalyseBody, JobId, JobListing
from gotgan.api.videos.showing import analysis_of
from gotgan.api.who import app_of
from gotgan.domains.videos.records import job_record
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.domains.videos.service import Videos
    from gotgan.domains.videos.submitting import Submitted

__all__ = ["analyse_video", "list_jobs", "read_job", "router"]

router = APIRouter(tags=["videos"], route_class=StrictJson)

_A_LOOK: Final = 0.1
"""How many seconds lie between two looks at a job that somebody waits for."""


@router.post(
    "/videos/analyse",
    **declared("Analyse a video", gives="SubmittedVideo", role="editor",
               fails=(400, 404, 409, 429), body=True),
)  # fmt: skip
async def analyse_video(request: Request, body: AnalyseBody, wait: Wait = SOON) -> Response:
    """Have a video analysed: a fresh analysis is given again, a job under way is joined.

    It answers when the job has ended, well or not, or as it stands after `wait` seconds.
    """
    videos = app_of(request).videos
    submitted = await run_in_threadpool(_submit, videos, body)
    job_id, outcome = submitted.job.job_id, _outcome(submitted)
    if outcome != "hit":
        await _end_of(videos, job_id, wait)
    told = await run_in_threadpool(_job, videos, job_id, cache_hit=outcome == "hit")
    return ok({"outcome": outcome, **told})


@router.get(
    "/videos/jobs",
    **declared("List jobs", gives="VideoJobPage", role="viewer", fails=(400,), query=JobListing),
)
def list_jobs(request: Request) -> Response:
    """Jobs, the latest first: of a state, of a video, or all of them."""
    page = app_of(request).videos.jobs(**dict(asked(request, JobListing)))
    return ok({"items": [job_record(job) for job in page.items], "cursor": page.cursor})


@router.get(
    "/videos/jobs/{job_id}",
    **declared("Read a job", gives="VideoJobSheet", role="viewer", fails=(404,)),
)
def read_job(request: Request, job_id: JobId) -> Response:
    """A job with all that is known of it, and its analysis where it has one."""
    return ok(_job(app_of(request).videos, job_id))


def _submit(videos: Videos, body: AnalyseBody) -> Submitted:
    if "reason" in body.model_fields_set and not body.force:
        raise UsageError("reason says why an analysis is made anew; send force: true with it")
    return videos.analyse(body.video, force=body.force, reason=body.reason, analyser=body.analyser)


def _outcome(submitted: Submitted) -> str:
    if submitted.result is not None:
        return "hit"
    return "new" if submitted.is_new else "joined"


async def _end_of(videos: Videos, job_id: str, seconds: int) -> None:
    """Wait until a job has ended, in no thread: one that waits is one less for everybody else."""
    with anyio.move_on_after(seconds):
        job = await run_in_threadpool(videos.job, job_id)
        while job.is_open:
            await anyio.sleep(_A_LOOK)
            job = await run_in_threadpool(videos.job, job_id)


def _job(videos: Videos, job_id: str, *, cache_hit: bool = False) -> dict[str, Any]:
    job = videos.job(job_id)
    return {
        "job": job_record(job),
        "analysis": None
        if job.analysis_result_id is None
        else analysis_of(videos, job.analysis_result_id, cache_hit=cache_hit),
    }
