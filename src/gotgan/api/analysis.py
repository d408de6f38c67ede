# ruff: noqa: N815 - these are the names of the JSON
"""The contract of the videos' document under ``/api/analysis``.

It has an envelope (``success``, ``data`` or ``error``, and ``meta``) and its own codes.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from gotgan.api import messages
from gotgan.api.auth import get_app, require_role
from gotgan.api.errors import (
    error_headers,
    error_status,
    load_json,
    log_failure,
    public_error,
    validation_problem,
)
from gotgan.api.responses import request_language, trace_id
from gotgan.api.routes import (
    INTEGER,
    STATUS_TEXTS,
    TEXT,
    json_content,
    model_schema,
    object_schema,
    schema_ref,
)
from gotgan.clock import utc_stamp
from gotgan.domains.site.models import Role
from gotgan.domains.videos.messages import NO_JOB
from gotgan.domains.videos.models import CODES as WHY_JOBS_FAIL
from gotgan.domains.videos.models import STATUSES, STEPS, Analyser, Reason
from gotgan.domains.videos.reports import contract_job, contract_result
from gotgan.domains.videos.schemas import Result1
from gotgan.errors import AnalysisError, GotganError, NotFound
from gotgan.plain_json import to_json

PREFIX: Final = "/api/analysis"
MAX_ADDRESS_LENGTH: Final = 2_000
_JSON: Final = "application/json"
_JOB_ID: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_SUBMIT_ROLE: Final[Role] = "editor"
_ALWAYS: Final = (400, 401, 403, 503)
_FRAMEWORK_STATUS: Final = 422
"""Declared so that the framework does not add its own; the document leaves it out."""
CODES: Final[Mapping[int, tuple[str, ...]]] = {
    400: ("COMMON_INVALID_REQUEST",),
    401: ("COMMON_UNAUTHORIZED",),
    403: ("COMMON_FORBIDDEN",),
    404: ("ANALYSIS_JOB_NOT_FOUND", "ANALYSIS_VIDEO_NOT_FOUND"),
    503: ("ANALYSIS_RATE_LIMITED", "ANALYSIS_TIMEOUT", "ANALYSIS_UPSTREAM_UNAVAILABLE"),
}
"""The codes that an answer with a status can have."""
_UNAVAILABLE: Final = "ANALYSIS_UPSTREAM_UNAVAILABLE"
_INTERNAL: Final = (500, "COMMON_INTERNAL_ERROR")
_BY_STATUS: Final[Mapping[int, tuple[int, str]]] = {
    401: (401, "COMMON_UNAUTHORIZED"),
    403: (403, "COMMON_FORBIDDEN"),
    404: (404, "ANALYSIS_JOB_NOT_FOUND"),
    500: _INTERNAL,
}
_STATUSES: Final[Mapping[int, int]] = {429: 503}
"""The contract answers ANALYSIS_RATE_LIMITED with 503, also where the rest of the API has 429."""
_INVALID: Final = (400, "COMMON_INVALID_REQUEST")
_ROUTING_ERRORS: Final[Mapping[int, tuple[int, str]]] = {
    404: (404, "COMMON_NOT_FOUND"),
    405: (405, "COMMON_METHOD_NOT_ALLOWED"),
}
"""Codes for other paths and methods, which the contract does not mention."""
_SERVER_ERROR: Final = 500


# Responses


def _success(request: Request, data: Mapping[str, Any]) -> Response:
    body = {"success": True, "data": data, "meta": _meta(request)}
    return Response(to_json(body, request_language(request)), media_type=_JSON)


def error_response(request: Request, error: Exception) -> Response:
    """The answer to any error."""
    status, code, message = _contract_error(request, error)
    if status >= _SERVER_ERROR:
        log_failure(request, error)
    headers: Mapping[str, str] | None = None
    if isinstance(error, HTTPException):
        headers = error.headers
    elif isinstance(error, GotganError):
        headers = error_headers(error)
    fields = {"code": code, "message": message}
    body = {"success": False, "error": fields, "meta": _meta(request)}
    return Response(to_json(body, request_language(request)), status, headers, _JSON)


def _meta(request: Request) -> dict[str, str]:
    now = utc_stamp(get_app(request).clock.now())
    return {"requestId": trace_id(request), "timestamp": now.iso}


def _contract_error(request: Request, error: Exception) -> tuple[int, str, str]:
    if isinstance(error, AnalysisError):
        status = error_status(error)
        return _STATUSES.get(status, status), error.job_code, error.message
    if isinstance(error, GotganError):
        status, message = error_status(error), public_error(error)[1]
        other = (503, _UNAVAILABLE) if status > _SERVER_ERROR else _INVALID
        return *_BY_STATUS.get(status, other), message
    if isinstance(error, RequestValidationError):
        return *_INVALID, validation_problem(request, error)[2]
    if isinstance(error, HTTPException):
        return *_ROUTING_ERRORS.get(error.status_code, _INVALID), error.detail
    if isinstance(error, ClientDisconnect):
        return *_INVALID, messages.BODY_INCOMPLETE()
    return *_INTERNAL, messages.CONTRACT_INTERNAL()


# Routes


class ContractRoute(APIRoute):
    """A route whose errors are those of the contract, too."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """The handler, in the envelope of the contract."""
        handle = super().get_route_handler()

        async def enveloped(request: Request) -> Response:
            try:
                return await handle(request)
            except Exception as error:  # noqa: BLE001 - every error has an answer
                return error_response(request, error)

        return enveloped


def _route_options(
    summary: str, *, gives: str, role: Role, takes: str | None = None
) -> dict[str, Any]:
    """The arguments of a route: ``gives`` names the schema of its answer, ``role`` who may call.

    ``takes`` names the schema of its body; such a route checks the role itself.
    """
    statuses = sorted({*_ALWAYS, 404})
    answers = {200: {"description": "Done.", **json_content(gives)}}
    answers[_FRAMEWORK_STATUS] = {"description": ""}
    for each in statuses:
        answers[each] = {"description": STATUS_TEXTS[each], **json_content("AnalysisFailure")}
    return {
        "summary": summary,
        "dependencies": [] if takes else [Depends(require_role(role))],
        "responses": answers,
        "response_class": Response,
        "openapi_extra": {
            "x-role": role,
            "x-codes": {str(status): list(CODES[status]) for status in statuses},
            **({} if takes is None else {"requestBody": {"required": True, **json_content(takes)}}),
        },
    }


router = APIRouter(prefix=PREFIX, tags=["analysis"], route_class=ContractRoute)
JobId = Annotated[
    str,
    Path(description="ID of a job.", examples=["0199f3a0c4d27b1e8a5d4c3b2a190807"]),
]


class JobBody(BaseModel):
    """What is to be analysed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    videoId: str = Field(
        min_length=1,
        max_length=MAX_ADDRESS_LENGTH,
        description="ID or URL of a video.",
    )
    forceRefresh: bool = Field(
        default=False, description="Analyse again, even if there is a fresh analysis."
    )
    reason: Reason | None = Field(
        default=None,
        description="Reason for analysing again. Default: `user_request`. Ignored without "
        "`forceRefresh`.",
    )
    analyser: Analyser | None = Field(
        default=None, description="Analyser to use. Default: the one in the settings."
    )


@router.post(
    "/jobs",
    **_route_options(
        "Submit a job", gives="AnalysisSubmitted", role=_SUBMIT_ROLE, takes="AnalysisRequest"
    ),
)
async def submit_job(request: Request) -> Response:
    """Analyse a video: a fresh analysis is returned immediately, a running job is reused."""
    return await run_in_threadpool(_submit, request, await request.body())


def _submit(request: Request, sent: bytes) -> Response:
    """All of it in one thread: changing to another takes as long as reading the cache."""
    require_role(_SUBMIT_ROLE)(request)
    try:
        body = JobBody.model_validate(load_json(request, sent))
    except ValidationError as error:
        wrong = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
        raise RequestValidationError(wrong) from None
    submitted = get_app(request).videos.submit(
        body.videoId,
        force=body.forceRefresh,
        reason=body.reason or "user_request",
        analyser=body.analyser,
    )
    data: dict[str, Any] = {"jobId": submitted.job.job_id, "status": submitted.job.status}
    if submitted.result is not None:
        data["result"] = contract_result(submitted.result, cache_hit=True)
    return _success(request, data)


@router.get("/jobs/{job_id}", **_route_options("Follow a job", gives="AnalysisJob", role="viewer"))
def follow_job(request: Request, job_id: JobId) -> Response:
    """Progress of a job, its result, or why it failed."""
    if not _JOB_ID.fullmatch(job_id):
        raise NotFound(NO_JOB(job=job_id[:40]))
    return _success(request, contract_job(*get_app(request).videos.job_with_result(job_id)))


# Schemas


def analysis_schemas() -> dict[str, Any]:
    """The schemas by name; an answer's has its envelope."""
    result = schema_ref("AnalysisResult")
    meta = object_schema(
        requestId={**TEXT, "description": "The X-Request-Id of the request."}, timestamp=TEXT
    )
    job = _job_schema(
        progress={**INTEGER, "minimum": 0, "maximum": 100},
        step={"enum": list(STEPS)},
        message=TEXT,
        result=result,
        error=object_schema(code={"enum": list(WHY_JOBS_FAIL)}, message=TEXT),
    )
    codes = sorted({code for named in CODES.values() for code in named})
    error = object_schema(code={"enum": codes}, message=TEXT)
    success = {"const": True}
    return {
        "AnalysisRequest": model_schema("AnalysisRequest", JobBody),
        "AnalysisResult": model_schema("AnalysisResult", Result1),
        "AnalysisSubmitted": _closed_schema(
            success=success, data=_job_schema(result=result), meta=meta
        ),
        "AnalysisJob": _closed_schema(success=success, data=job, meta=meta),
        "AnalysisFailure": _closed_schema(success={"const": False}, error=error, meta=meta),
    }


def _job_schema(**optional: Any) -> dict[str, Any]:
    job = _closed_schema(jobId=TEXT, status={"enum": list(STATUSES)})
    return {**job, "properties": {**job["properties"], **optional}}


def _closed_schema(**properties: Any) -> dict[str, Any]:
    return {**object_schema(**properties), "additionalProperties": False}


EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "submit_job": {
        "video": {
            "summary": "A video; a fresh analysis is reused",
            "value": {"videoId": "dQw4w9WgXcQ"},
        },
        "fresh": {
            "summary": "The same video, analysed again",
            "value": {
                "videoId": "https://youtu.be/dQw4w9WgXcQ",
                "forceRefresh": True,
                "reason": "user_request",
            },
        },
    },
}
"""By the name of the operation, and by that of the example."""
