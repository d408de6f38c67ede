"""Every page of the site with every role: what may not be done is refused by the server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain

import httpx
import pytest
from fastapi.routing import APIRoute

from gotgan.app import App
from gotgan.console.site import ROUTERS
from gotgan.domains.site.models import ROLES, Role, allows
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from tests.patience import PATIENCE
from tests.unit.console.trial import csrf, sign_in

ADMINS = re.compile(r"/site/(company$|people/|tokens)")


def _routes() -> Iterator[tuple[str, str]]:
    for route in chain.from_iterable(router.routes for router in ROUTERS):
        assert isinstance(route, APIRoute)
        path = re.sub(r"{\w+}", "nothing", route.path)
        yield from ((method, path) for method in sorted(route.methods or ()))


ROUTES = sorted(_routes())


def _needed(method: str, path: str) -> Role:
    if method == "POST":
        return "admin" if ADMINS.match(path) else "editor"
    if re.match(r"/site/(tokens|people/new)", path):
        return "admin"
    return "editor" if path.endswith(("/new", "/edit")) else "viewer"


def test_there_are_routes_to_try() -> None:
    assert len(ROUTES) > 40


@dataclass(frozen=True)
class Somebody:
    """A session, and what its forms carry."""

    client: httpx.Client
    csrf: str

    def ask(self, method: str, path: str, **fields: str) -> httpx.Response:
        """Send a form that says nothing, or ask for a page."""
        data = {"csrf": self.csrf, **fields} if method == "POST" else None
        return self.client.request(method, path, data=data)


@pytest.fixture(scope="module")
def everybody() -> Iterator[dict[str, Somebody]]:
    """Somebody of each role, and a stranger; nothing that they ask for here is there."""
    with ExitStack() as stack:
        app = stack.enter_context(App.in_memory())
        url = stack.enter_context(serve_in_thread(create_server(app)))
        found = {
            "": Somebody(stack.enter_context(httpx.Client(base_url=url, timeout=PATIENCE)), "")
        }
        for role in ROLES:
            app.site.users.create(id=role, display_name=role, role=role)
            client = stack.enter_context(httpx.Client(base_url=url, timeout=PATIENCE))
            sign_in(client, app, role)
            found[role] = Somebody(client, csrf(client))
        yield found


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_route_is_for_its_role_and_those_above(
    everybody: dict[str, Somebody], method: str, path: str, role: Role
) -> None:
    status = everybody[role].ask(method, path).status_code
    assert (status == 403) is not allows(role, _needed(method, path))
    assert status < 500


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_a_stranger_is_shown_the_door(
    everybody: dict[str, Somebody], method: str, path: str
) -> None:
    answer = everybody[""].ask(method, path)
    if method == "POST":
        assert answer.status_code == 401
    else:
        assert answer.headers["location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("path", [path for method, path in ROUTES if method == "POST"])
def test_a_form_of_another_session_is_refused(everybody: dict[str, Somebody], path: str) -> None:
    assert everybody["admin"].ask("POST", path, csrf="0" * 64).status_code == 403
