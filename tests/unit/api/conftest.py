"""The API on loopback: one server, on which every test finds an app of its own."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from fastapi import FastAPI

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.world import ServedWorld, World, world_server
from tests.patience import PATIENCE
from tests.unit.api.calling import NOON, Api
from tests.unit.api.reaching import app_within


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves."""
    return FixedClock(NOON)


@pytest.fixture(scope="package")
def served() -> Iterator[ServedWorld]:
    """All of the web that these tests can reach."""
    world = World(clock=FixedClock(NOON), cards=12, padding=2_000, shares={"KOSPI": 4, "KOSDAQ": 2})
    with world_server(world) as served:
        yield served


@pytest.fixture
def world(served: ServedWorld) -> Iterator[World]:
    """The web, which behaves unless a test says otherwise."""
    yield served.world
    served.world.heal()


@pytest.fixture
def app(clock: FixedClock, served: ServedWorld) -> Iterator[App]:
    """Gotgan in memory, with a user of each role."""
    with app_within(served, clock=clock) as app:
        yield app


@pytest.fixture(scope="package")
def server() -> Iterator[FastAPI]:
    """The application that all tests of this folder ask."""
    with App.in_memory() as idle:
        server = create_server(idle)
        server.openapi()  # before any test has put a type of its own into the table
        yield server


@pytest.fixture(scope="package")
def url(server: FastAPI) -> Iterator[str]:
    """Where it listens."""
    with serve_in_thread(server) as url:
        yield url


@pytest.fixture
def client(app: App, server: FastAPI, url: str) -> Iterator[httpx.Client]:
    """A connection to the server, which has this test's app behind it."""
    server.state.gotgan = app
    with httpx.Client(base_url=url, timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def api(app: App, client: httpx.Client) -> Api:
    """The API with a token for each role."""
    create = app.site.tokens.create
    users = app.site.users.list().items
    tokens = {str(user.role): create(user_id=user.id, role=user.role).text for user in users}
    return Api(app, client, tokens)
