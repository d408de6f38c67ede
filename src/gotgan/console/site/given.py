"""What the site's pages are given besides: the site."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from gotgan.console.given import app_of
from gotgan.domains.site.service import Site

__all__ = ["TheSite", "site_of"]


def site_of(request: Request) -> Site:
    """The site that the pages are about."""
    return app_of(request).site


async def _the_site(request: Request) -> Site:
    """The same as a dependency, which needs no thread."""
    return site_of(request)


TheSite = Annotated[Site, Depends(_the_site)]
