"""The console: pages for people, rendered here; every domain puts its own on this frame."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, FastAPI
from starlette.routing import Match, Mount
from starlette.types import Scope

from gotgan.api import PREFIX
from gotgan.app import App
from gotgan.console import news, overview, reference, sign_in, site
from gotgan.console.assembly import assemble
from gotgan.console.sections import Section

__all__ = ["ROUTERS", "SECTIONS", "mount"]

SECTIONS: Final[tuple[Section, ...]] = (news.SECTION, site.SECTION)
"""What the navigation shows, in its order."""
ROUTERS: Final[tuple[APIRouter, ...]] = (
    overview.router,
    sign_in.router,
    reference.router,
    *news.ROUTERS,
    *site.ROUTERS,
)


def mount(api: FastAPI, app: App) -> None:
    """Put the console under everything that the API leaves free."""
    console = assemble(app, SECTIONS, ROUTERS, api=api)
    api.router.routes.append(_Below("/", app=console, name="console"))


class _Below(Mount):
    """A mount that leaves to the API even what the API does not have."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path = scope.get("path", "")
        if path == PREFIX or path.startswith(f"{PREFIX}/"):
            return Match.NONE, {}
        return super().matches(scope)
