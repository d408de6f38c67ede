"""JSON under ``/v1``: one envelope, one way to fail, one list of who may do what.

Beside it, under ``/api/analysis``, is what a contract of its own asks for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from gotgan.api import analysis, health, runs, site
from gotgan.api.binder import bind
from gotgan.api.failures import add_handlers
from gotgan.day.service import Days
from gotgan.domain import domain_named, loaded
from gotgan.health import HEALTH_PATHS
from gotgan.operations.service import Operations

__all__ = ["PREFIX", "is_of_the_api", "mount"]

PREFIX: Final = "/v1"
_BESIDES: Final[Mapping[str, tuple[APIRouter, ...]]] = {
    "site": (health.router,),
    "market": (site.RUNNING, bind(Operations), bind(Days)),
}
"""Routes that come with a domain: health with the site, and what needs the relational side."""
_APART: Final[Mapping[str, APIRouter]] = {"videos": analysis.router}
"""The contracts of some domains, each under a path of its own."""


def mount(server: FastAPI, domains: Collection[str]) -> None:
    """Put the routes of some domains on a server."""
    chosen = [router for name in domains for router in _routers(name)]
    routers = list({id(each): each for each in chosen}.values())  # some come with several
    apart = [router for name, router in _APART.items() if name in domains]
    for router in apart:  # first: routes are tried in their order, and the contract is in a hurry
        server.include_router(router, generate_unique_id_function=_name)
    server.state.domains = frozenset(domains)
    server.include_router(health.probes)
    for router in routers:
        server.include_router(router, prefix=PREFIX, generate_unique_id_function=_name)
    own = {analysis.PREFIX: analysis.refused} if apart else {}
    paths = {f"{PREFIX}{route.path}" for route in _routes(routers)}
    server.state.literal_paths = frozenset(path for path in paths if "{" not in path)
    add_handlers(server, partial(_methods, [*routers, *apart, health.probes]), own)


@cache
def _routers(name: str) -> tuple[APIRouter, ...]:
    """The routes of a domain: derived from its verbs, unless it has a module of its own."""
    domain = domain_named(name)
    if domain.routes is not None:
        own: tuple[APIRouter, ...] = loaded(f"{domain.routes}:ROUTERS")
    else:
        own = (bind(domain.load()), runs.router)
    return (*own, *_BESIDES.get(name, ()))


def is_of_the_api(path: str) -> bool:
    """Whether programs ask for a path, also where there is nothing under it."""
    return path in HEALTH_PATHS or f"{path}/".startswith((f"{PREFIX}/", f"{analysis.PREFIX}/"))


def _name(route: APIRoute) -> str:
    """What an operation is called in the document: as its function, which says what it does."""
    return route.name


def _methods(routers: Sequence[APIRouter], path: str) -> list[str]:
    """The methods that a path has; one that is written out is not an instance of ``{name}``."""
    below = path.removeprefix(PREFIX)
    fitting = [route for route in _routes(routers) if route.path_regex.match(below)]
    exact = [route for route in fitting if route.path == below]
    return sorted({method for route in exact or fitting for method in _methods_of(route)})


def _routes(routers: Sequence[APIRouter]) -> Iterator[APIRoute]:
    for router in routers:
        yield from (route for route in router.routes if isinstance(route, APIRoute))


def _methods_of(route: APIRoute) -> set[str]:
    """Its methods; whatever can be read is answered without its body too."""
    methods = set(route.methods or ())
    return methods | {"HEAD"} if "GET" in methods else methods
