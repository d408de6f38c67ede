"""An app that a client asks over MCP."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.mcp.server import Tools
from gotgan.world import ServedWorld, World, world_server
from tests.unit.api.calling import NOON, USERS
from tests.unit.api.reaching import app_within
from tests.unit.mcp.asking import Asking


@pytest.fixture(scope="package")
def served() -> Iterator[ServedWorld]:
    """All of the web that these tests can reach."""
    with world_server(World(clock=FixedClock(NOON), cards=6, padding=500)) as served:
        yield served


@pytest.fixture
def app(served: ServedWorld) -> Iterator[App]:
    """Gotgan in memory, with a user of each role."""
    with app_within(served, clock=FixedClock(NOON)) as app:
        yield app


@pytest.fixture
def token(app: App) -> Callable[[str], str]:
    """Tokens of users by role."""

    def issued(role: str) -> str:
        user = app.site.users.get(USERS[role])
        return app.site.tokens.create(user_id=user.id, role=user.role).text

    return issued


@pytest.fixture
def viewer(app: App) -> Asking:
    """A client without a token."""
    return Asking(Tools(app).server())


@pytest.fixture
def editor(app: App, token: Callable[[str], str]) -> Asking:
    """A client with the token of an editor."""
    return Asking(Tools(app, token=token("editor")).server())


@pytest.fixture
def admin(app: App, token: Callable[[str], str]) -> Asking:
    """A client with the token of an admin."""
    return Asking(Tools(app, token=token("admin")).server())
