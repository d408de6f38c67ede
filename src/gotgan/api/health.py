"""``/v1/health``: whether the server and its database answer."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.routes import declared
from gotgan.api.who import app_of

__all__ = ["check_health", "router"]

router = APIRouter(tags=["health"])


@router.get("/health", **declared("Ask whether all is well", gives="Health", role=None))
def check_health(request: Request) -> Response:
    """Whether the database answers: one read."""
    app_of(request).site.company.look()
    return ok({"status": "ok", "version": version("gotgan")})
