"""``/v1/runs``: verbs that take longer than a request, their progress and their reports."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final

import anyio
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.auth import get_app
from gotgan.api.errors import error_status, public_error
from gotgan.api.responses import ok
from gotgan.api.routes import StrictJson, route_options
from gotgan.domains.site.params import RecordId
from gotgan.encoding import encode, error_record
from gotgan.errors import GotganError
from gotgan.messages import Template
from gotgan.runs import Run, RunLog, Runs

router = APIRouter(tags=["runs"], route_class=StrictJson)

DEFAULT_WAIT_S: Final = 10
_INTERNAL: Final = Template("api.run_failed", "Internal error. See the log for details.")()
_MAX_WAIT_S: Final = 30
_POLL_S: Final = 0.02

Wait = Annotated[
    int,
    Query(
        ge=0,
        le=_MAX_WAIT_S,
        description="Seconds to wait for the result. After that, the progress is returned.",
    ),
]


@router.get(
    "/runs/{run_id}", **route_options("Show a run", gives="Run", role="viewer", fails=(404,))
)
def read_run(request: Request, run_id: RecordId) -> Response:
    """Progress of a run of this server, its report, or why it failed."""
    return ok(request, run_data(get_app(request).runs.get(run_id)))


@router.get(
    "/runs/{run_id}/log",
    **route_options("Show the log of a run", gives=RunLog, role="viewer", fails=(404,)),
)
def read_log(request: Request, run_id: RecordId) -> Response:
    """The latest log lines of a run of this server, in order."""
    return ok(request, encode(get_app(request).runs.log(run_id)))


async def run_response(request: Request, run: Run, seconds: int) -> Response:
    """The answer with a run when it has ended, or after so many seconds; raises why it failed."""
    run = await wait_for_end(get_app(request).runs, run, seconds)
    if run.error is not None:
        raise run.error.with_traceback(None)  # it may be raised for several who wait
    return ok(request, run_data(run))


async def wait_for_end(runs: Runs, run: Run, seconds: float) -> Run:
    """Wait for the end of a run, for so many seconds at most.

    The run is polled, because a thread that waits could not serve other requests.
    """
    with anyio.move_on_after(seconds):
        while run.state == "running":
            await anyio.sleep(_POLL_S)
            run = runs.get(run.id)
    return run


def run_data(run: Run) -> dict[str, Any]:
    """A run: its progress, and its report or why it failed."""
    return {"run": encode(run, error_data), "report": encode(run.report, error_data)}


def error_data(error: GotganError) -> dict[str, Any]:
    """An error inside a result, without what only the log may say; that has no traceId."""
    code, message = public_error(error)
    is_internal = error_status(error) == HTTPStatus.INTERNAL_SERVER_ERROR
    return error_record(code, _INTERNAL if is_internal else message)
