"""``/v1/news/collect`` and ``/v1/news/bodies``: the verbs that ask the web, each as a run."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.news.asking import BodiesBody, CollectBody, Pk
from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import SOON, Wait, followed
from gotgan.api.who import app_of
from gotgan.domains.news.running import start_bodies, start_body, start_collect

__all__ = ["collect_bodies", "collect_body", "collect_news", "router"]

router = APIRouter(tags=["news"], route_class=StrictJson)

_LATEST: Final = CollectBody()
_RECENT: Final = BodiesBody()
"""What is meant where nothing is sent."""


@router.post(
    "/news/collect",
    **declared(
        "Collect the latest news", gives="Run", role="editor", fails=(400, 409, 502, 504), body=True
    ),
)
async def collect_news(
    request: Request, body: CollectBody = _LATEST, wait: Wait = SOON
) -> Response:
    """Fetch the latest list and store what is new; joins a run that is under way."""
    app = app_of(request)
    run = start_collect(app.runs, app.news, limit=body.limit, rss=body.rss)
    return await followed(request, run, wait)


@router.post(
    "/news/bodies",
    **declared(
        "Fetch missing bodies", gives="Run", role="editor", fails=(400, 409, 502, 504), body=True
    ),
)
async def collect_bodies(
    request: Request, body: BodiesBody = _RECENT, wait: Wait = SOON
) -> Response:
    """Fetch the bodies that are missing or due again; joins a run that is under way."""
    app = app_of(request)
    if body.retry_dead:
        await run_in_threadpool(app.news.retry_dead)
    run = start_bodies(app.runs, app.news, day=body.day, zone=body.zone, limit=body.limit)
    return await followed(request, run, wait)


@router.post(
    "/news/{pk}/body",
    **declared("Fetch a body", gives="Run", role="editor", fails=(400, 404, 409, 502, 504)),
)
async def collect_body(request: Request, pk: Pk, wait: Wait = SOON) -> Response:
    """Fetch the body of an item now, also of one that waits or was given up."""
    app = app_of(request)
    await run_in_threadpool(app.news.get, pk)  # whoever does not wait is told this at once, too
    return await followed(request, start_body(app.runs, app.news, pk), wait)
