"""The schemas of what the contract takes and answers."""

from __future__ import annotations

from typing import Any, Final

from gotgan.api.analysis.asking import JobBody
from gotgan.api.analysis.refusals import CODES
from gotgan.api.shapes import TEXT, WHOLE, object_of, ref, with_parts
from gotgan.domains.videos.models import CODES as WHY_JOBS_FAIL
from gotgan.domains.videos.models import STATUSES, STEPS
from gotgan.domains.videos.shapes import Result1

__all__ = ["schemas"]

_RESULT: Final = "AnalysisResult"
_META: Final = object_of(
    requestId={**TEXT, "description": "The X-Request-Id of the request."}, timestamp=TEXT
)


def schemas() -> dict[str, Any]:
    """The schemas, by their names; an answer's has its envelope."""
    return {
        "AnalysisRequest": with_parts("AnalysisRequest", JobBody),
        _RESULT: with_parts(_RESULT, Result1),
        "AnalysisSubmitted": _good(_submitted()),
        "AnalysisJob": _good(_job()),
        "AnalysisFailure": _bad(),
    }


def _submitted() -> dict[str, Any]:
    return {**_told(result=ref(_RESULT)), "additionalProperties": False}


def _job() -> dict[str, Any]:
    percent = {**WHOLE, "minimum": 0, "maximum": 100}
    why = object_of(code={"enum": list(WHY_JOBS_FAIL)}, message=TEXT)
    job = _told(
        progress=percent,
        step={"enum": list(STEPS)},
        message=TEXT,
        result=ref(_RESULT),
        error=why,
    )
    return {**job, "additionalProperties": False}


def _told(**where_there_is_one: Any) -> dict[str, Any]:
    """What is known of every job, and what only of some."""
    sure = object_of(jobId=TEXT, status={"enum": list(STATUSES)})
    return {**sure, "properties": {**sure["properties"], **where_there_is_one}}


def _good(data: dict[str, Any]) -> dict[str, Any]:
    body = object_of(success={"const": True}, data=data, meta=_META)
    return {**body, "additionalProperties": False}


def _bad() -> dict[str, Any]:
    codes = sorted({code for named in CODES.values() for code in named})
    error = object_of(code={"enum": codes}, message=TEXT)
    body = object_of(success={"const": False}, error=error, meta=_META)
    return {**body, "additionalProperties": False}
