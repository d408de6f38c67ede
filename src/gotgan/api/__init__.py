"""The API: JSON under ``/v1``, and the contract of the videos under ``/api/analysis``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from gotgan.api import analysis, health, runs, site
from gotgan.api.binder import bind
from gotgan.api.errors import add_handlers
from gotgan.day.service import Days
from gotgan.domain import get_domain, load_object
from gotgan.operations.service import Operations
from gotgan.search.service import Search
from gotgan.sockets import HEALTH_PATHS

__all__ = ["PREFIX", "is_api_path", "mount"]

PREFIX: Final = "/v1"
_EXTRA_ROUTERS: Final[Mapping[str, tuple[APIRouter, ...]]] = {
    "site": (health.router,),
    "market": (site.RUN_ROUTER, bind(Operations), bind(Days), bind(Search)),
}
"""Routes that come with a domain: health with the site, and what needs the relational side."""
_CONTRACT_ROUTERS: Final[Mapping[str, APIRouter]] = {"videos": analysis.router}
"""The contracts of some domains, each under its own path."""


def mount(server: FastAPI, domains: Collection[str]) -> None:
    """Add the routes of some domains to a server."""
    chosen = [router for name in domains for router in _routers(name)]
    routers = list({id(each): each for each in chosen}.values())  # some come with several
    apart = [router for name, router in _CONTRACT_ROUTERS.items() if name in domains]
    for router in apart:  # first: routes are tried in order, and the contract is the most urgent
        server.include_router(router, generate_unique_id_function=_operation_name)
    server.state.domains = frozenset(domains)
    server.include_router(health.probes)
    for router in routers:
        server.include_router(router, prefix=PREFIX, generate_unique_id_function=_operation_name)
    own = {analysis.PREFIX: analysis.error_response} if apart else {}
    paths = {f"{PREFIX}{route.path}" for route in _routes(routers)}
    server.state.literal_paths = frozenset(path for path in paths if "{" not in path)
    add_handlers(server, partial(_path_methods, [*routers, *apart, health.probes]), own)


@cache
def _routers(name: str) -> tuple[APIRouter, ...]:
    """The routes of a domain: derived from its verbs, unless it has its own module."""
    domain = get_domain(name)
    if domain.routes is not None:
        own: tuple[APIRouter, ...] = load_object(f"{domain.routes}:ROUTERS")
    else:
        own = (bind(domain.load()), runs.router)
    return (*own, *_EXTRA_ROUTERS.get(name, ()))


def is_api_path(path: str) -> bool:
    """Whether a path is one of the API, also if there is nothing under it."""
    return path in HEALTH_PATHS or f"{path}/".startswith((f"{PREFIX}/", f"{analysis.PREFIX}/"))


def _operation_name(route: APIRoute) -> str:
    """The name of an operation in the document: that of its function."""
    return route.name


def _path_methods(routers: Sequence[APIRouter], path: str) -> list[str]:
    """The methods of a path; a literal one is not an instance of ``{name}``."""
    below = path.removeprefix(PREFIX)
    fitting = [route for route in _routes(routers) if route.path_regex.match(below)]
    exact = [route for route in fitting if route.path == below]
    return sorted({method for route in exact or fitting for method in _route_methods(route)})


def _routes(routers: Sequence[APIRouter]) -> Iterator[APIRoute]:
    for router in routers:
        yield from (route for route in router.routes if isinstance(route, APIRoute))


def _route_methods(route: APIRoute) -> set[str]:
    """The methods of a route, with HEAD for GET."""
    methods = set(route.methods or ())
    return methods | {"HEAD"} if "GET" in methods else methods
