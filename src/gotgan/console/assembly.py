"""The console put together from the sections and the pages that it is given."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fastapi import APIRouter, Depends, FastAPI
from starlette.types import ASGIApp

from gotgan.app import App
from gotgan.console.failures import add_handlers
from gotgan.console.gate import same_origin
from gotgan.console.headers import Headers
from gotgan.console.past import Past
from gotgan.console.sections import Section
from gotgan.console.static_files import PREFIX, Unchanging

__all__ = ["assemble"]


def assemble(
    app: App,
    sections: tuple[Section, ...],
    routers: Iterable[APIRouter],
    *,
    api: FastAPI,
    domains: Collection[str],
) -> ASGIApp:
    """An application of its own, so that its errors are pages and not JSON."""
    console = FastAPI(openapi_url=None, dependencies=[Depends(same_origin)])
    console.state.gotgan = app
    console.state.sections = sections
    console.state.domains = domains
    console.state.api = api
    console.state.past = Past()
    console.mount(PREFIX, Unchanging(), name="static")
    for router in routers:
        console.include_router(router)
    add_handlers(console)
    return Headers(console)
