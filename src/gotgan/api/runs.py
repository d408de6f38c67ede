"""``/v1/runs``: verbs that take longer than a request, their progress and their reports."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any, Final

import anyio
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.failures import status_of, told_of
from gotgan.api.routes import StrictJson, declared
from gotgan.api.who import app_of
from gotgan.domains.site.params import RecordId
from gotgan.encoding import encode
from gotgan.errors import GotganError
from gotgan.runs import Run, Runs

__all__ = [
    "SOON",
    "Wait",
    "ended",
    "error_data",
    "followed",
    "read_run",
    "report_data",
    "router",
    "run_data",
]

router = APIRouter(tags=["runs"], route_class=StrictJson)

SOON: Final = 10
_INTERNAL: Final = "something went wrong here; the log says what"
_LONGEST: Final = 30
_A_LOOK: Final = 0.02
"""How many seconds lie between two looks at a run that somebody waits for."""

Wait = Annotated[
    int,
    Query(
        ge=0,
        le=_LONGEST,
        description="Seconds to wait for the result; after that, the answer is the progress.",
    ),
]


@router.get("/runs/{run_id}", **declared("Show a run", gives="Run", role="viewer", fails=(404,)))
def read_run(request: Request, run_id: RecordId) -> Response:
    """A run of this server: its progress, and its report or why it failed."""
    return ok(run_data(app_of(request).runs.get(run_id)))


async def followed(request: Request, run: Run, seconds: int) -> Response:
    """A run when it has ended, or as it stands after so many seconds; raises why it failed."""
    run = await ended(app_of(request).runs, run, seconds)
    if run.error is not None:
        raise run.error.with_traceback(None)  # it may be raised for several who wait
    return ok(run_data(run))


async def ended(runs: Runs, run: Run, seconds: float) -> Run:
    """Wait for the end of a run, for so many seconds at most.

    The run is polled, because a thread that waits could not serve other requests.
    """
    with anyio.move_on_after(seconds):
        while run.state == "running":
            await anyio.sleep(_A_LOOK)
            run = runs.get(run.id)
    return run


def report_data(report: Any) -> dict[str, Any] | None:
    """The result of a verb."""
    made: dict[str, Any] | None = encode(report, error_data)
    return made


def run_data(run: Run) -> dict[str, Any]:
    """A run: its progress, and its report or why it failed."""
    return {"run": encode(run, error_data), "report": report_data(run.report)}


def error_data(error: GotganError) -> dict[str, str]:
    """The code and the message of an error inside a result; the log has it without a traceId."""
    code, message = told_of(error)
    is_internal = status_of(error) == HTTPStatus.INTERNAL_SERVER_ERROR
    return {"code": code, "message": _INTERNAL if is_internal else message}
