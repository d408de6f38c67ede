"""The console: pages for people, rendered here; every domain puts its own on this frame."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.routing import Match, Mount
from starlette.types import Scope

from gotgan.api import is_of_the_api
from gotgan.app import App
from gotgan.console import day, ops, overview, reference, sign_in, site, tables
from gotgan.console.assembly import assemble
from gotgan.console.derived import derived
from gotgan.console.sections import Section
from gotgan.domain import domains, loaded

__all__ = ["FRAME", "mount", "sections"]

FRAME: Final = (overview.router, sign_in.router, reference.router)


@cache
def sections() -> Mapping[Section, tuple[APIRouter, ...]]:
    """What the navigation shows, in its order, with the pages of each section."""
    found = {day.SECTION: day.ROUTERS}
    for domain in domains():
        if domain.section is None:
            section, routers = derived(domain)
            found[section] = routers
        else:
            module = loaded(domain.section)
            found[module.SECTION] = module.ROUTERS
    found[tables.SECTION] = tables.ROUTERS
    found[ops.SECTION] = (*ops.ROUTERS, site.SENDING)
    return found


def mount(api: FastAPI, app: App, domains: Collection[str]) -> None:
    """Put the console of some domains under everything that the API leaves free."""
    chosen = {each: pages for each, pages in sections().items() if each.comes_with(domains)}
    routers = [*FRAME, *(router for pages in chosen.values() for router in pages)]
    console = assemble(app, tuple(chosen), routers, api=api, domains=domains)
    # first: routes are tried in their order, and no page has to wait for those of the API
    api.router.routes.insert(0, _Below("/", app=console, name="console"))


class _Below(Mount):
    """A mount that leaves to the API even what the API does not have."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if is_of_the_api(scope.get("path", "")):
            return Match.NONE, {}
        return super().matches(scope)
