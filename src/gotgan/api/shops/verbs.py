"""``/v1/shops/adopt``, ``crawl``, ``scrape``, ``deliver``: the work on the shops, each as a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import SOON, Wait, followed
from gotgan.api.shops.asking import AdoptBody, CrawlBody, DeliverBody, ScrapeBody
from gotgan.api.who import app_of
from gotgan.domains.shops.running import start_adopt, start_crawl, start_deliver, start_scrape
from gotgan.domains.shops.service import Shops

__all__ = ["adopt_shops", "crawl_shops", "deliver_changes", "router", "scrape_shops"]

router = APIRouter(tags=["shops"], route_class=StrictJson)

_ADOPT: Final = AdoptBody()
_CRAWL: Final = CrawlBody()
_SCRAPE: Final = ScrapeBody()
_DELIVER: Final = DeliverBody()
"""What is meant where nothing is sent."""


@router.post(
    "/shops/adopt",
    **declared(
        "Adopt shops of other tools", gives="Run", role="editor", fails=(400, 409), body=True
    ),
)
async def adopt_shops(request: Request, body: AdoptBody = _ADOPT, wait: Wait = SOON) -> Response:
    """Add index keys and countries that shops and pages of other tools lack; joins a run."""
    app = app_of(request)
    run = start_adopt(app.runs, app.shops, max_items=body.max_items)
    return await followed(request, run, wait)


@router.post(
    "/shops/crawl",
    **declared("Crawl shops", gives="Run", role="editor", fails=(400, 404, 409), body=True),
)
async def crawl_shops(request: Request, body: CrawlBody = _CRAWL, wait: Wait = SOON) -> Response:
    """Visit the pages of some shops, or of all that are due; joins a run that is under way."""
    app = app_of(request)
    await run_in_threadpool(_expect_all, app.shops, body.domains)
    run = start_crawl(
        app.runs,
        app.shops,
        body.domains,
        country=body.country,
        workers=body.workers,
        max_pages=body.max_pages,
    )
    return await followed(request, run, wait)


@router.post(
    "/shops/scrape",
    **declared("Scrape shops", gives="Run", role="editor", fails=(400, 404, 409), body=True),
)
async def scrape_shops(request: Request, body: ScrapeBody = _SCRAPE, wait: Wait = SOON) -> Response:
    """Look at the products of some shops, or of all that are due; joins a run that is under way."""
    app = app_of(request)
    await run_in_threadpool(_expect_all, app.shops, body.domains)
    run = start_scrape(
        app.runs,
        app.shops,
        body.domains,
        country=body.country,
        workers=body.workers,
        check_only=body.check_only,
    )
    return await followed(request, run, wait)


@router.post(
    "/shops/deliver",
    **declared("Hand over changes", gives="Run", role="editor", fails=(400, 404, 409), body=True),
)
async def deliver_changes(
    request: Request, body: DeliverBody = _DELIVER, wait: Wait = SOON
) -> Response:
    """Tell the webhook of the settings what changed; joins a run that is under way."""
    app = app_of(request)
    await run_in_threadpool(_expect_all, app.shops, body.domains)
    return await followed(request, start_deliver(app.runs, app.shops, body.domains), wait)


def _expect_all(shops: Shops, domains: Iterable[str]) -> None:
    """Look up every shop first: whoever does not wait for the end is told at once, too."""
    for domain in domains:
        shops.get(domain)
