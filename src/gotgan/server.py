"""The server: the API under ``/v1`` and the console, over one app; and its host names.

A browser that resolves ``evil.example`` to 127.0.0.1 takes the server for that site (DNS
rebinding). The name is in the header ``Host``, so names that are not ours are refused. An address
such as 192.0.2.7 cannot be rebound, and is always answered.
"""

from __future__ import annotations

import socket
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from ipaddress import ip_address
from typing import Any, Final

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gotgan import api, console
from gotgan.api import is_api_path, messages
from gotgan.api.errors import UNKNOWN_HOST
from gotgan.api.openapi import openapi_document
from gotgan.api.responses import failure
from gotgan.app import App
from gotgan.domain import domains as all_domains
from gotgan.middleware import RequestMiddleware
from gotgan.settings import Settings
from gotgan.sockets import HEALTH_PATHS, is_loopback

_CORS: Final[Mapping[str, Any]] = {
    "allow_methods": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    "allow_headers": ["Authorization", "Content-Type", "If-Match", "If-None-Match", "X-Request-Id"],
    "expose_headers": ["ETag", "Location", "Retry-After", "X-Gotgan-Demo", "X-Request-Id"],
    "max_age": 600,
}
"""What pages of other sites may do: what their token allows, and never with our cookie."""
_MAX_NAME_LENGTH: Final = 100


def server_names(settings: Settings, host: str) -> frozenset[str]:
    """The names of a server that listens on a host, beside those of the settings."""
    own = {"localhost", "*.localhost", host.lower()}
    if not is_loopback(host):
        own |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    return frozenset({*own, *settings.hosts})


class KnownHosts:
    """An application that answers to some host names only.

    If the settings have none, a trusted proxy may pass on any: it has its own list.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], *, trusts_proxies: bool) -> None:
        self._app = app
        self._names = names
        self._trusts_proxies = trusts_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or name the setting that is missing."""
        foreign = None if scope["type"] != "http" else self._foreign(scope)
        if foreign is None:
            await self._app(scope, receive, send)
            return
        sentence = messages.UNKNOWN_HOST(name=repr(foreign[:_MAX_NAME_LENGTH]))
        response: Response = PlainTextResponse(sentence, 400)
        if is_api_path(scope["path"]):
            response = failure(Request(scope), 400, UNKNOWN_HOST, sentence)
        await response(scope, receive, send)

    def _foreign(self, scope: Scope) -> str | None:
        """A host name that is not ours; None if all are."""
        if scope["path"] in HEALTH_PATHS:  # which are asked for under any name
            return None
        if self._trusts_proxies and scope.get("state", {}).get("is_proxied"):
            return None
        given = Headers(scope=scope).getlist("host")
        return next((each for each in given if each and not is_known_host(each, self._names)), None)


def is_known_host(host: str, names: Collection[str]) -> bool:
    """Whether a header ``Host`` names one of some names, or an address."""
    if host.startswith("["):
        name = host.partition("]")[0].removeprefix("[").lower()
    else:
        name = host.partition(":")[0].lower().removesuffix(".")
    try:
        ip_address(name)
    except ValueError:
        return any(pattern in names for pattern in _patterns(name))
    return True


def _patterns(name: str) -> Iterator[str]:
    """The patterns of a name: itself, a star below each of its parents, and a star alone."""
    yield name
    rest = name
    while "." in rest:
        rest = rest.partition(".")[2]
        yield f"*.{rest}"
    yield "*"


def create_server(
    app: App, *, domains: Collection[str] | None = None, hosts: Collection[str] | None = None
) -> FastAPI:
    """A server of an app, or of some of its domains, for uvicorn or for a function on Lambda.

    ``hosts`` are the names that it answers to; without them, as behind API Gateway, to all.
    """
    server = FastAPI(
        title="Gotgan",
        openapi_url="/v1/openapi.json",
        docs_url=None,  # they would load scripts of others; the console has its own page
        redoc_url=None,
        redirect_slashes=False,
    )
    server.state.gotgan = app
    chosen = [each.name for each in all_domains()] if domains is None else domains
    api.mount(server, chosen)
    console.mount(server, app, chosen)
    if app.settings.origins:
        server.add_middleware(CORSMiddleware, allow_origins=app.settings.origins, **_CORS)
    if hosts is not None:
        server.add_middleware(KnownHosts, names=hosts, trusts_proxies=not app.settings.hosts)
    server.add_middleware(
        RequestMiddleware, trusted_proxies=app.settings.trusted_proxies, is_demo=app.is_demo
    )

    @cache
    def openapi() -> dict[str, Any]:
        return openapi_document(server, version("gotgan"))

    server.openapi = openapi  # type: ignore[method-assign]
    return server
