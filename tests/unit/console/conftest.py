"""A console on loopback: with trial pages, or the whole server, a fresh one for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from tests.patience import PATIENCE
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import Stage, open_trial, sign_in

NOON = datetime(2100, 1, 1, 12, tzinfo=UTC)

Enter = Callable[[str], Browser]


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves."""
    return FixedClock(NOON)


@pytest.fixture
def smtp() -> str | None:
    """The mail server that is set: none, unless a test is given one."""
    return None


@pytest.fixture
def settings(smtp: str | None) -> Settings:
    """How Gotgan is set."""
    return Settings(given_secret=Secret("x" * 32), smtp=Secret(smtp) if smtp else None)


@pytest.fixture
def app(clock: FixedClock, settings: Settings) -> Iterator[App]:
    """Gotgan in memory, with a user of each role, named after it."""
    with App.in_memory(clock=clock, settings=settings) as app:
        app.site.users.create(id="v", display_name="Vera", role="viewer")
        app.site.users.create(id="e", display_name="Edda", role="editor")
        app.site.users.create(id="a", display_name="Anna", role="admin")
        yield app


@pytest.fixture(scope="package")
def stage() -> Iterator[Stage]:
    """The one server of these tests, which plays what each of them gives it."""
    stage = Stage()
    with serve_in_thread(stage) as stage.url:
        yield stage


@pytest.fixture
def client(app: App, stage: Stage) -> Iterator[httpx.Client]:
    """A browser's place: it keeps cookies, and follows no redirect by itself."""
    stage.plays, stage.scheme = open_trial(app), "http"
    with httpx.Client(base_url=stage.url, timeout=PATIENCE) as client:
        yield client


@pytest.fixture
def enter(app: App, stage: Stage) -> Iterator[Enter]:
    """Sign somebody in to the whole server, in a browser of their own; without an id a stranger."""
    stage.plays, stage.scheme = create_server(app), "http"
    with ExitStack() as stack:

        def enter(user_id: str) -> Browser:
            client = stack.enter_context(httpx.Client(base_url=stage.url, timeout=PATIENCE))
            if user_id:
                sign_in(client, app, user_id)
            return Browser(client)

        yield enter


@pytest.fixture
def editor(enter: Enter) -> Browser:
    """An editor at the pages."""
    return enter("e")


@pytest.fixture
def admin(enter: Enter) -> Browser:
    """An admin at the pages."""
    return enter("a")


@pytest.fixture
def viewer(enter: Enter) -> Browser:
    """A viewer at the pages."""
    return enter("v")
