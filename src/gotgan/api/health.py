"""Health checks: ``/livez`` for the process, ``/readyz`` and ``/v1/health`` for all it needs.

They do not use the threads of other requests, so they do not wait for them.
"""

from __future__ import annotations

import asyncio
from importlib.metadata import version

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from gotgan.api import messages
from gotgan.api.auth import get_app
from gotgan.api.responses import failure, ok
from gotgan.api.routes import route_options
from gotgan.health import HealthReport

router = APIRouter(tags=["health"])
probes = APIRouter(include_in_schema=False)
_WITH_DATABASE = frozenset({"market", "videos"})


@probes.get("/livez")
async def check_process() -> Response:
    """Whether the process answers."""
    return JSONResponse({"status": "ok"})


@probes.get("/readyz")
async def check_readiness(request: Request) -> Response:
    """Whether everything that the server needs works, check by check."""
    report = await _report(request)
    return JSONResponse(report.record, 200 if report.is_ready else 503)


@router.get(
    "/health",
    **route_options("Check that the server is ready", gives="Health", role=None, fails=(503,)),
)
async def check_health(request: Request) -> Response:
    """Returns the result of ``/readyz`` as an API response."""
    report = await _report(request)
    if report.is_ready:
        return ok(request, {**report.record, "version": version("gotgan")})
    message = messages.NOT_READY(checks=report.failing)
    return failure(request, 503, "not_ready", message, details=report.record["checks"])


async def _report(request: Request) -> HealthReport:
    app, domains = get_app(request), request.app.state.domains
    with_database = not _WITH_DATABASE.isdisjoint(domains)
    return await asyncio.to_thread(app.health, with_database=with_database)
