"""The server: the API under ``/v1`` and the console, over one app."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware

from gotgan import api, console
from gotgan.api.openapi import document
from gotgan.app import App
from gotgan.domain import domains as all_domains
from gotgan.hosts import KnownHosts
from gotgan.middleware import Requests

__all__ = ["create"]

_ACROSS: Final[Mapping[str, Any]] = {
    "allow_methods": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    "allow_headers": ["Authorization", "Content-Type", "If-Match", "If-None-Match", "X-Request-Id"],
    "expose_headers": ["ETag", "Location", "Retry-After", "X-Gotgan-Demo", "X-Request-Id"],
    "max_age": 600,
}
"""What pages of other sites may do: whatever their token allows, and never with our cookie."""


def create(
    app: App, *, domains: Collection[str] | None = None, hosts: Collection[str] | None = None
) -> FastAPI:
    """A server of an app, or of some of its domains, for uvicorn or for a function on Lambda.

    ``hosts`` are the names that it answers to; without them, as behind API Gateway, to all.
    """
    server = FastAPI(
        title="Gotgan",
        openapi_url="/v1/openapi.json",
        docs_url=None,  # they would load scripts of others; the console has a page of its own
        redoc_url=None,
        redirect_slashes=False,
    )
    server.state.gotgan = app
    chosen = [each.name for each in all_domains()] if domains is None else domains
    api.mount(server, chosen)
    console.mount(server, app, chosen)
    if app.settings.origins:
        server.add_middleware(CORSMiddleware, allow_origins=app.settings.origins, **_ACROSS)
    if hosts is not None:
        server.add_middleware(KnownHosts, names=hosts, trusts_proxies=not app.settings.hosts)
    server.add_middleware(
        Requests, trusted_proxies=app.settings.trusted_proxies, is_demo=app.is_demo
    )

    @cache
    def openapi() -> dict[str, Any]:
        return document(server, version("gotgan"))

    server.openapi = openapi  # type: ignore[method-assign]
    return server
