"""The console: pages for people, rendered here; every domain puts its own on this frame."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.routing import Match, Mount
from starlette.types import Scope

from gotgan.api import is_of_the_api
from gotgan.app import App
from gotgan.console import (
    day,
    market,
    news,
    ops,
    overview,
    reference,
    shops,
    sign_in,
    site,
    tables,
    videos,
)
from gotgan.console.assembly import assemble
from gotgan.console.sections import Section

__all__ = ["ROUTERS", "SECTIONS", "mount"]

SECTIONS: Final[tuple[Section, ...]] = (
    day.SECTION,
    news.SECTION,
    shops.SECTION,
    market.SECTION,
    videos.SECTION,
    site.SECTION,
    tables.SECTION,
    ops.SECTION,
)
"""What the navigation shows, in its order."""
ROUTERS: Final[Mapping[str, tuple[APIRouter, ...]]] = {
    "frame": (overview.router, sign_in.router, reference.router),
    day.SECTION.key: day.ROUTERS,
    news.SECTION.key: news.ROUTERS,
    shops.SECTION.key: shops.ROUTERS,
    market.SECTION.key: market.ROUTERS,
    videos.SECTION.key: videos.ROUTERS,
    site.SECTION.key: site.ROUTERS,
    tables.SECTION.key: tables.ROUTERS,
    ops.SECTION.key: (*ops.ROUTERS, site.SENDING),
}
"""The pages of the frame, and of each section."""


def mount(api: FastAPI, app: App, domains: Collection[str]) -> None:
    """Put the console of some domains under everything that the API leaves free."""
    sections = tuple(section for section in SECTIONS if section.comes_with(domains))
    rooms = ["frame", *(section.key for section in sections)]
    routers = [router for name in rooms for router in ROUTERS[name]]
    console = assemble(app, sections, routers, api=api, domains=domains)
    # first: routes are tried in their order, and no page has to wait for those of the API
    api.router.routes.insert(0, _Below("/", app=console, name="console"))


class _Below(Mount):
    """A mount that leaves to the API even what the API does not have."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if is_of_the_api(scope.get("path", "")):
            return Match.NONE, {}
        return super().matches(scope)
