"""Jobs and results in the names and shape of the contract under ``/api/analysis``."""

from __future__ import annotations

from typing import Any

from gotgan.domains.videos.assembling import shape_1, with_cache_hit
from gotgan.domains.videos.models import VideoJob
from gotgan.domains.videos.reports import VideoResult

__all__ = ["contract_job", "result_1"]


def contract_job(
    job: VideoJob, result: VideoResult | None, *, cache_hit: bool = False
) -> dict[str, Any]:
    """A job with its result in shape 1."""
    record: dict[str, Any] = {"jobId": job.job_id, "status": job.status}
    said = {"progress": job.progress, "step": job.step, "message": job.message}
    record |= {name: value for name, value in said.items() if value is not None}
    if result is not None:
        record["result"] = result_1(result, cache_hit=cache_hit)
    if job.error_code is not None:
        record["error"] = {"code": job.error_code, "message": job.error_message}
    return record


def result_1(result: VideoResult, *, cache_hit: bool) -> dict[str, Any]:
    """A result in shape 1."""
    return shape_1(with_cache_hit(result.document, hit=cache_hit))
