"""JSON under ``/v1``: one envelope, one way to fail, one list of who may do what.

Beside it, under ``/api/analysis``, is what a contract of its own asks for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from gotgan.api import analysis, day, health, market, news, ops, runs, shops, site, videos
from gotgan.api.failures import add_handlers
from gotgan.health import HEALTH_PATHS

__all__ = ["PREFIX", "is_of_the_api", "mount"]

PREFIX: Final = "/v1"
_ROUTERS: Final[Mapping[str, tuple[APIRouter, ...]]] = {
    "site": (health.router, *site.ROUTERS),
    "news": (*news.ROUTERS, runs.router),
    "shops": (*shops.ROUTERS, runs.router),
    "market": (*market.ROUTERS, runs.router, site.SENDING, *ops.ROUTERS, *day.ROUTERS),
    "videos": videos.ROUTERS,
}
"""The routes of each domain; the site's come with those that everybody needs."""
_APART: Final[Mapping[str, APIRouter]] = {"videos": analysis.router}
"""The contracts of some domains, each under a path of its own."""


def mount(server: FastAPI, domains: Collection[str]) -> None:
    """Put the routes of some domains on a server."""
    chosen = [router for name in _ROUTERS if name in domains for router in _ROUTERS[name]]
    routers = list({id(each): each for each in chosen}.values())  # some come with several
    apart = [router for name, router in _APART.items() if name in domains]
    for router in apart:  # first: routes are tried in their order, and the contract is in a hurry
        server.include_router(router, generate_unique_id_function=_name)
    server.state.domains = frozenset(domains)
    server.include_router(health.probes)
    for router in routers:
        server.include_router(router, prefix=PREFIX, generate_unique_id_function=_name)
    own = {analysis.PREFIX: analysis.refused} if apart else {}
    add_handlers(server, partial(_methods, [*routers, *apart, health.probes]), own)


def is_of_the_api(path: str) -> bool:
    """Whether programs ask for a path, also where there is nothing under it."""
    return path in HEALTH_PATHS or f"{path}/".startswith((f"{PREFIX}/", f"{analysis.PREFIX}/"))


def _name(route: APIRoute) -> str:
    """What an operation is called in the document: as its function, which says what it does."""
    return route.name


def _methods(routers: Sequence[APIRouter], path: str) -> list[str]:
    """The methods that a path has."""
    below = path.removeprefix(PREFIX)
    routes = [route for router in routers for route in router.routes]
    return sorted(
        {
            method
            for route in routes
            if isinstance(route, APIRoute) and route.path_regex.match(below)
            for method in route.methods or ()
        }
    )
