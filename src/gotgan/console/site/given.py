"""What the site's pages are given: the site, somebody who may, and a form that was checked."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from gotgan.app import App
from gotgan.console.gate import Form, checked_form, signed_in
from gotgan.console.viewer import Viewer
from gotgan.domains.site.service import Site

__all__ = ["Admin", "Editor", "Gotgan", "Reader", "Sent", "TheSite", "app_of", "site_of"]


def app_of(request: Request) -> App:
    """The app that the console shows."""
    app: App = request.app.state.gotgan
    return app


def site_of(request: Request) -> Site:
    """The site that the pages are about."""
    return app_of(request).site


Reader = Annotated[Viewer, Depends(signed_in("viewer"))]
Editor = Annotated[Viewer, Depends(signed_in("editor"))]
Admin = Annotated[Viewer, Depends(signed_in("admin"))]
Sent = Annotated[Form, Depends(checked_form)]
Gotgan = Annotated[App, Depends(app_of)]
TheSite = Annotated[Site, Depends(site_of)]
