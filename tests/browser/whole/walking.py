"""A walk through the console along its links, until each of its pages was seen."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import httpx
from fastapi.routing import APIRoute
from selectolax.lexbor import LexborHTMLParser
from starlette.routing import Match

from gotgan.console import FRAME, sections

__all__ = ["ROUTES", "walked"]

ROUTES = {
    route.path: route
    for routers in (FRAME, *sections().values())
    for router in routers
    for route in router.routes
    if isinstance(route, APIRoute) and "GET" in (route.methods or ())
    if not route.path.endswith((".csv", ".json"))
}
"""The pages of the console, by their paths."""
_STARTS = ("/", "/tables/news_bodies?scan=yes")
"""Where a walk begins: at the front, and where somebody has sent the form of a query."""


def walked(client: httpx.Client) -> dict[str, str]:
    """An address of each page that links lead to, by its route."""
    found: dict[str, str] = {}
    known, coming = set(_STARTS), deque(_STARTS)
    while coming:
        path = coming.popleft()
        route = _route_of(path)
        if route is None or route in found:
            continue
        found[route] = path
        answer = client.get(path)
        answer.raise_for_status()
        links = [link for link in _links(answer) if link not in known]
        known.update(links)
        coming.extend(links)
    return found


def _links(answer: httpx.Response) -> Iterator[str]:
    for link in LexborHTMLParser(answer.text).css("a[href]"):
        parts = urlsplit(urljoin(str(answer.url), link.attributes["href"] or ""))
        if parts.netloc == answer.url.netloc.decode():
            yield f"{parts.path}?{parts.query}" if parts.query else parts.path


def _route_of(path: str) -> str | None:
    scope = {"type": "http", "method": "GET", "path": urlsplit(path).path, "root_path": ""}
    for name, route in ROUTES.items():
        if route.matches(scope)[0] is Match.FULL:
            return name
    return None
