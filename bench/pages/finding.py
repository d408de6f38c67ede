"""The pages that there are: found by following links, told apart by their routes."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from html import unescape
from typing import Final
from urllib.parse import urljoin, urlsplit

from fastapi.routing import APIRoute

from bench.pages.visiting import Visitor
from gotgan.console import FRAME, sections

__all__ = ["Found", "found_pages", "route_of", "routes"]

Found = dict[str, list[str]]
"""Addresses, by the route that answers them."""

_LINK: Final = re.compile(r'(?:href|action)="([^"#]+)')
_EACH: Final = 3
"""How many addresses of one route are visited."""


def routes() -> list[APIRoute]:
    """Every route of the console that shows something, in the order in which they are asked."""
    routers = [*FRAME, *(router for some in sections().values() for router in some)]
    every = (route for router in routers for route in router.routes)
    shown = (route for route in every if isinstance(route, APIRoute))
    return [route for route in shown if "GET" in (route.methods or ())]


def route_of(path: str) -> str | None:
    """The route that answers an address."""
    bare = urlsplit(path).path
    return next((route.path for route in routes() if route.path_regex.match(bare)), None)


def found_pages(visitor: Visitor, begin: Sequence[str] = ()) -> Found:
    """Follow links from the first page and some others on, to a few addresses of each route."""
    found: Found = {}
    waiting = deque([*begin, "/"])
    seen = set(waiting)
    while waiting:
        path = waiting.popleft()
        route = route_of(path)
        if route is None or len(found.get(route, [])) == _EACH:
            continue
        answer = visitor.get(path)
        if answer.status != 200 or answer.kind != "text/html":
            continue
        found.setdefault(route, []).append(path)
        links = (urljoin(path, unescape(link)) for link in _LINK.findall(answer.body.decode()))
        for link in links:
            if link.startswith("/") and link not in seen:
                seen.add(link)
                waiting.append(link)
    return found
