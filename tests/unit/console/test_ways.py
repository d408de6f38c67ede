"""Every page and every button can be come by: a link or a form of some page leads there."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx
import pytest
from fastapi.routing import APIRoute
from starlette.routing import Match

from gotgan.console import FRAME, sections
from tests.unit.console.whole import filled_console

ROUTES = [
    route
    for routers in (FRAME, *sections().values())
    for router in routers
    for route in router.routes
    if isinstance(route, APIRoute)
]
STARTS = (
    "/",
    "/tables/aura-historia-data?pk=SHOP%23example.com",
    "/tables/aura-historia-data/patterns/shops_of?arg.country=DE",
)
"""The front, and what somebody typed into the forms of tables."""
ASKED_WHILE_SOMETHING_RUNS = {
    "GET /market/runs",
    "GET /news/runs",
    "GET /shops/runs",
    "GET /site/runs",
}
COME_BY_OTHERWISE = {
    "GET /sign-in": "whoever is in does not need it",
    "POST /sign-in": "whoever is in does not need it",
    "POST /tables/create": "no table is missing",
    "GET /videos/import": "a language is switched there after a refusal",
    "GET /search.csv": "it is beside results, which words lead to",
}
LINK = re.compile(r'<a [^>]*href="([^"#]*)[^"]*"')
FORM = re.compile(r"<form [^>]*>")
ASKING = re.compile(r'hx-(get|post)="([^"]*)"')
CHART = re.compile(r'data-chart="([^"]*)"')


@pytest.fixture(scope="module")
def admin() -> Iterator[httpx.Client]:
    """An admin at pages that have something to show."""
    with filled_console() as (_, client):
        yield client


def _links(page: str, at: str) -> Iterator[str]:
    """Where a page leads by a click."""
    for href in LINK.findall(page):
        yield urljoin(at, unescape(href))


def _ways(page: str, at: str) -> Iterator[tuple[str, str]]:
    """Where a page leads: by which method, and to which address."""
    yield from (("GET", leads) for leads in _links(page, at))
    for form in FORM.findall(page):
        told = dict(re.findall(r'(method|action)="([^"]*)"', form))
        yield told.get("method", "get").upper(), urljoin(at, unescape(told.get("action", at)))
    for button in re.findall(r'formaction="([^"]*)"', page):
        yield "POST", urljoin(at, unescape(button))
    for method, href in ASKING.findall(page):
        yield method.upper(), urljoin(at, unescape(href))
    yield from (("GET", urljoin(at, unescape(path))) for path in CHART.findall(page))


def _route(method: str, address: str) -> str | None:
    """The route of an address, unless it is one of others."""
    if urlsplit(address).netloc:
        return None
    scope = {"type": "http", "method": method, "path": urlsplit(address).path}
    for route in ROUTES:
        if route.matches(scope)[0] is Match.FULL:
            return f"{method} {route.path}"
    return None


def _reached(client: httpx.Client) -> set[str]:
    """All routes that some page leads to; each is looked at once with each set of filters."""
    reached, seen, waiting = set[str](), set[tuple[str, frozenset[str]]](), deque(STARTS)
    while waiting:
        address = waiting.popleft()
        answer = client.get(address, follow_redirects=True)
        assert answer.status_code == 200, (address, answer.text)
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        at = str(answer.url.raw_path, "ascii")
        reached |= {route for way in _ways(answer.text, at) if (route := _route(*way))}
        for leads in _links(answer.text, at):
            route = _route("GET", leads)
            look = (route or "", frozenset(name for name, _ in parse_qsl(urlsplit(leads).query)))
            if route and look not in seen:
                seen.add(look)
                waiting.append(leads)
    return reached


def test_every_page_and_every_button_can_be_come_by(admin: httpx.Client) -> None:
    every = {f"{method} {route.path}" for route in ROUTES for method in route.methods or ()}
    left = every - _reached(admin) - ASKED_WHILE_SOMETHING_RUNS - COME_BY_OTHERWISE.keys()
    assert left == set()
