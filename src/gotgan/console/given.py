"""What pages are given: the app, somebody who may, and a form that was checked."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from gotgan.app import App
from gotgan.console.gate import Form, checked_form, signed_in
from gotgan.console.viewer import Viewer

__all__ = ["Admin", "Editor", "Gotgan", "Reader", "Sent", "app_of"]


def app_of(request: Request) -> App:
    """The app that the console shows."""
    app: App = request.app.state.gotgan
    return app


async def _the_app(request: Request) -> App:
    """The same as a dependency, which needs no thread."""
    return app_of(request)


Reader = Annotated[Viewer, Depends(signed_in("viewer"))]
Editor = Annotated[Viewer, Depends(signed_in("editor"))]
Admin = Annotated[Viewer, Depends(signed_in("admin"))]
Sent = Annotated[Form, Depends(checked_form)]
Gotgan = Annotated[App, Depends(_the_app)]
