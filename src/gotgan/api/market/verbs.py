"""``/v1/market/collect`` and what else works on days, each as a run."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.market.asking import RecoverBody, RunBody
from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import SOON, Wait, followed
from gotgan.api.who import app_of
from gotgan.domains.market.running import (
    start_catch_up,
    start_collect,
    start_indicators,
    start_recover,
)

__all__ = ["calculate_day", "catch_up_days", "collect_day", "recover_days", "router"]

router = APIRouter(tags=["market"], route_class=StrictJson)

_TODAY: Final = RunBody()
"""What is meant where nothing is sent."""


@router.post(
    "/market/collect",
    **declared("Collect a day", gives="Run", role="editor", fails=(400, 409), body=True),
)
async def collect_day(request: Request, body: RunBody = _TODAY, wait: Wait = SOON) -> Response:
    """Collect prices and indices of a day if the gate lets it through; joins a run under way."""
    app = app_of(request)
    return await followed(
        request, start_collect(app.runs, app.market, body.day, now=body.now), wait
    )


@router.post(
    "/market/indicators",
    **declared("Calculate indicators of a day", gives="Run", role="editor", fails=(400, 409),
               body=True),
)  # fmt: skip
async def calculate_day(request: Request, body: RunBody = _TODAY, wait: Wait = SOON) -> Response:
    """Calculate the indicators of a day if the gate lets it through; joins a run under way."""
    app = app_of(request)
    return await followed(
        request, start_indicators(app.runs, app.market, body.day, now=body.now), wait
    )


@router.post(
    "/market/catch-up",
    **declared("Catch up on the last sessions", gives="Run", role="editor", fails=(409,)),
)
async def catch_up_days(request: Request, wait: Wait = SOON) -> Response:
    """Do all that is missing of the last ten sessions; joins a run under way."""
    app = app_of(request)
    return await followed(request, start_catch_up(app.runs, app.market), wait)


@router.post(
    "/market/recover",
    **declared("Recover days", gives="Run", role="editor", fails=(400, 409), body=True),
)
async def recover_days(request: Request, body: RecoverBody, wait: Wait = SOON) -> Response:
    """Collect what is missing of a span, whatever was tried before; joins a run under way."""
    app = app_of(request)
    run = start_recover(
        app.runs, app.market, body.first, body.last, only=body.only, again=body.again
    )
    return await followed(request, run, wait)
