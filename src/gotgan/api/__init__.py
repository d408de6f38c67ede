"""JSON under ``/v1``: one envelope, one way to fail, one list of who may do what."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from gotgan.api import health, news, runs, site
from gotgan.api.failures import add_handlers

__all__ = ["PREFIX", "mount"]

PREFIX: Final = "/v1"
_ROUTERS: Final[tuple[APIRouter, ...]] = (
    health.router,
    *site.ROUTERS,
    *news.ROUTERS,
    runs.router,
)


def mount(server: FastAPI) -> None:
    """Put all routes of the API on a server."""
    for router in _ROUTERS:
        server.include_router(router, prefix=PREFIX, generate_unique_id_function=_name)
    add_handlers(server, _methods)


def _name(route: APIRoute) -> str:
    """What an operation is called in the document: as its function, which says what it does."""
    return route.name


def _methods(path: str) -> list[str]:
    """The methods that a path has."""
    below = path.removeprefix(PREFIX)
    routes = [route for router in _ROUTERS for route in router.routes]
    return sorted(
        {
            method
            for route in routes
            if isinstance(route, APIRoute) and route.path_regex.match(below)
            for method in route.methods or ()
        }
    )
