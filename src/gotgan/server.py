"""The server: the API under ``/v1`` and the console, over one app."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI

from gotgan import api, console
from gotgan.api.openapi import document
from gotgan.app import App
from gotgan.middleware import Requests

__all__ = ["create"]


def create(app: App) -> FastAPI:
    """A server of an app, for uvicorn or for a function on Lambda."""
    server = FastAPI(
        title="Gotgan",
        openapi_url="/v1/openapi.json",
        docs_url=None,  # they would load scripts of others; the console has a page of its own
        redoc_url=None,
        redirect_slashes=False,
    )
    server.state.gotgan = app
    api.mount(server)
    console.mount(server, app)
    server.add_middleware(Requests, trusted_proxies=app.settings.trusted_proxies)

    @cache
    def openapi() -> dict[str, Any]:
        return document(server, version("gotgan"))

    server.openapi = openapi  # type: ignore[method-assign]
    return server
