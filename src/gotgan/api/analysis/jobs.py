"""``/api/analysis/jobs``: jobs submitted and followed, as the contract has it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.analysis.asking import JobId, read_body
from gotgan.api.analysis.contracted import Contracted, contracted
from gotgan.api.analysis.envelope import PREFIX, ok
from gotgan.api.who import app_of, needs
from gotgan.domains.site.roles import Role
from gotgan.domains.videos.contract import contract_job, result_1
from gotgan.errors import NotFound

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import Submitted

__all__ = ["follow_job", "router", "submit_job"]

router = APIRouter(prefix=PREFIX, tags=["analysis"], route_class=Contracted)

_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_SUBMITS: Final[Role] = "editor"


@router.post(
    "/jobs",
    **contracted("Submit a job", gives="AnalysisSubmitted", role=_SUBMITS, fails=(404,),
                 takes="AnalysisRequest"),
)  # fmt: skip
async def submit_job(request: Request) -> Response:
    """Have a video analysed: a fresh analysis is given at once, a job under way is joined."""
    return await run_in_threadpool(_submit, request, await request.body())


def _submit(request: Request, sent: bytes) -> Response:
    """All of it on one thread: to change to another takes as long as a look at the cache."""
    needs(_SUBMITS)(request)
    body = read_body(request, sent)
    submitted = app_of(request).videos.submit(
        body.videoId,
        force=body.forceRefresh,
        reason=body.reason or "user_request",
        analyser=body.analyser,
    )
    return ok(request, _submitted(submitted))


@router.get(
    "/jobs/{job_id}",
    **contracted("Follow a job", gives="AnalysisJob", role="viewer", fails=(404,)),
)
def follow_job(request: Request, job_id: JobId) -> Response:
    """How a job stands: how far it has come, its result, or why it failed."""
    if not _ID.fullmatch(job_id):
        raise NotFound(f"there is no job {job_id[:40]}; take the jobId of what was submitted")
    return ok(request, contract_job(*app_of(request).videos.job_with_result(job_id)))


def _submitted(submitted: Submitted) -> dict[str, Any]:
    job, result = submitted.job, submitted.result
    record: dict[str, Any] = {"jobId": job.job_id, "status": job.status}
    if result is not None:
        record["result"] = result_1(result, cache_hit=True)
    return record
