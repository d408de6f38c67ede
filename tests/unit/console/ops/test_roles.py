"""Every page of the house with every role, and none of them with a secret."""

from __future__ import annotations

from itertools import chain

import pytest
from fastapi.routing import APIRoute

from gotgan.console.ops import ROUTERS
from tests.unit.console.conftest import Enter
from tests.unit.console.ops.conftest import HIDDEN

READING = sorted(
    route.path
    for route in chain.from_iterable(router.routes for router in ROUTERS)
    if isinstance(route, APIRoute) and "GET" in (route.methods or ())
)
FOR_ADMINS = [path for path in READING if path.startswith("/ops/")]


def test_there_are_pages_to_try() -> None:
    assert (len(READING), len(FOR_ADMINS)) == (11, 6)


@pytest.mark.parametrize("path", READING)
def test_a_page_is_for_those_who_may_see_it(enter: Enter, path: str) -> None:
    lesser = 403 if path in FOR_ADMINS else 200
    statuses = [enter(who).client.get(path).status_code for who in "vea"]
    assert statuses == [lesser, lesser, 200]
    assert enter("").client.get(path).headers["location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("path", [*READING, "/", "/v1/setup", "/v1/settings", "/v1/costs"])
def test_no_page_has_a_secret(enter: Enter, path: str) -> None:
    answer = enter("a").client.get(path)
    assert answer.status_code == 200
    assert HIDDEN not in answer.text


def test_whoever_may_not_see_a_page_is_not_led_there(enter: Enter) -> None:
    assert "/ops/" not in enter("e").open("/")
    assert 'href="/ops/settings"' in enter("a").open("/schedule")
    assert "/ops/settings" not in enter("e").open("/schedule")
