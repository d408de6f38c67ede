"""Every page of the market with every role: what may not be done is refused by the server."""

from __future__ import annotations

from itertools import chain

import pytest
from fastapi.routing import APIRoute

from gotgan.console.market import ROUTERS
from tests.unit.console.conftest import Enter
from tests.unit.console.trial import csrf

ROUTES = sorted(
    (method, route.path.format(day="2025-10-20", ticker="000010", code="1001", kind="oversold"))
    for route in chain.from_iterable(router.routes for router in ROUTERS)
    if isinstance(route, APIRoute)
    for method in route.methods or ()
)
WRITING = [path for method, path in ROUTES if method == "POST"]
READING = [path for method, path in ROUTES if method == "GET"]


def test_there_are_routes_to_try() -> None:
    assert (len(READING), len(WRITING)) == (20, 5)


@pytest.mark.parametrize("path", READING)
def test_a_page_is_for_viewers(enter: Enter, path: str) -> None:
    assert enter("v").client.get(path).status_code in {200, 404}
    assert enter("").client.get(path).headers["location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("path", WRITING)
def test_what_writes_is_for_editors_with_a_form_of_their_own(enter: Enter, path: str) -> None:
    viewer, editor = enter("v").client, enter("e").client
    assert viewer.post(path, data={"csrf": csrf(viewer)}).status_code == 403
    assert editor.post(path, data={"csrf": "0" * 64}).status_code == 403
    assert enter("").client.post(path, data={"csrf": ""}).status_code == 401
