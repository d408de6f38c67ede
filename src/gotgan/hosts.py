"""Which names the server answers to: a page of another site must not reach it under its own name.

A browser that was told that ``evil.example`` lies at 127.0.0.1 takes the server for that site's
own (DNS rebinding). The name is in the header ``Host``, so names that are not ours are refused.
An address such as 192.0.2.7 cannot be rebound, and is always answered.
"""

from __future__ import annotations

import socket
from collections.abc import Collection, Iterator
from ipaddress import ip_address
from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gotgan.api import is_of_the_api
from gotgan.api.envelope import failure
from gotgan.api.failures import UNKNOWN_HOST
from gotgan.health import HEALTH_PATHS
from gotgan.listening import is_loopback
from gotgan.settings import Settings

__all__ = ["KnownHosts", "is_known", "names_of"]

_LONGEST_SHOWN: Final = 100


def names_of(settings: Settings, host: str) -> frozenset[str]:
    """The names of a server that listens on a host, beside those of the settings."""
    own = {"localhost", "*.localhost", host.lower()}
    if not is_loopback(host):
        own |= {socket.gethostname().lower(), socket.getfqdn().lower()}
    return frozenset({*own, *settings.hosts})


class KnownHosts:
    """An application that is reached under some names only.

    Where the settings name none, a trusted proxy may pass on any: it has its own list.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], *, trusts_proxies: bool) -> None:
        self._app = app
        self._names = names
        self._trusts_proxies = trusts_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or say which setting is missing."""
        foreign = None if scope["type"] != "http" else self._foreign(scope)
        if foreign is None:
            await self._app(scope, receive, send)
            return
        sentence = (
            f"This server does not answer to the host name {foreign[:_LONGEST_SHOWN]!r}. If the "
            "name is yours, add it to GOTGAN_HOSTS (comma-separated; *.example.com for all below "
            "it) and restart the server."
        )
        request = Request(scope)
        refusal = (
            failure(request, 400, UNKNOWN_HOST, sentence)
            if is_of_the_api(scope["path"])
            else PlainTextResponse(sentence, 400)
        )
        await refusal(scope, receive, send)

    def _foreign(self, scope: Scope) -> str | None:
        """The name that is not ours; None where all is well."""
        if scope["path"] in HEALTH_PATHS:  # which are asked for under any name
            return None
        if self._trusts_proxies and scope.get("state", {}).get("is_proxied"):
            return None
        given = Headers(scope=scope).getlist("host")
        return next((each for each in given if each and not is_known(each, self._names)), None)


def is_known(host: str, names: Collection[str]) -> bool:
    """Whether a header ``Host`` names one of some names, or an address."""
    name = _without_port(host).lower().removesuffix(".")
    return _is_address(name) or any(pattern in names for pattern in _patterns(name))


def _patterns(name: str) -> Iterator[str]:
    """What a name fits: itself, a star below each of its parents, and a star alone."""
    yield name
    rest = name
    while "." in rest:
        rest = rest.partition(".")[2]
        yield f"*.{rest}"
    yield "*"


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0].removeprefix("[")
    return host.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
