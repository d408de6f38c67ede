"""The console: HTML pages, with a section for each domain."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Final

from fastapi import APIRouter, Depends, FastAPI
from starlette.routing import Match, Mount
from starlette.types import ASGIApp, Scope

from gotgan.api import is_api_path
from gotgan.app import App
from gotgan.console import day, ops, overview, reference, search, sign_in, site, tables
from gotgan.console.error_pages import add_handlers
from gotgan.console.frame import Section, SecurityHeaders
from gotgan.console.lists import JsonLinesPaths
from gotgan.console.past_days import PastDays
from gotgan.console.render import PREFIX, VersionedStaticFiles
from gotgan.console.session import same_origin
from gotgan.console.verb_pages import verb_section
from gotgan.domain import domains, load_object

__all__ = ["FRAME", "create_console", "mount", "sections"]

FRAME: Final = (overview.router, search.router, sign_in.router, reference.router)


@cache
def sections() -> Mapping[Section, tuple[APIRouter, ...]]:
    """The sections in the order of the navigation, with their routes."""
    found = {day.SECTION: day.ROUTERS}
    for domain in domains():
        if domain.section is None:
            section, routers = verb_section(domain)
            found[section] = routers
        else:
            module = load_object(domain.section)
            found[module.SECTION] = module.ROUTERS
    found[tables.SECTION] = tables.ROUTERS
    found[ops.SECTION] = (*ops.ROUTERS, site.SENDING)
    return found


def mount(api: FastAPI, app: App, domains: Collection[str]) -> None:
    """Serve the console of some domains at all paths that are not the API's."""
    chosen = {each: pages for each, pages in sections().items() if each.comes_with(domains)}
    routers = [*FRAME, *(router for pages in chosen.values() for router in pages)]
    console = create_console(app, tuple(chosen), routers, api=api, domains=domains)
    # first: routes are tried in order, and a page need not wait for those of the API
    api.router.routes.insert(0, _Below("/", app=console, name="console"))


def create_console(
    app: App,
    sections: tuple[Section, ...],
    routers: Iterable[APIRouter],
    *,
    api: FastAPI,
    domains: Collection[str],
) -> ASGIApp:
    """The application of the console, whose errors are pages instead of JSON."""
    console = FastAPI(openapi_url=None, dependencies=[Depends(same_origin)])
    console.state.gotgan = app
    console.state.sections = sections
    console.state.domains = domains
    console.state.api = api
    console.state.past = PastDays()
    console.mount(PREFIX, VersionedStaticFiles(), name="static")
    for router in routers:
        console.include_router(router)
    add_handlers(console)
    return SecurityHeaders(JsonLinesPaths(console))


class _Below(Mount):
    """A mount that does not match any path of the API, not even an unknown one."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if is_api_path(scope.get("path", "")):
            return Match.NONE, {}
        return super().matches(scope)
