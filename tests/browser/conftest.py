"""A server, a Chromium, and pages whose every complaint fails the test."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from gotgan.app import App
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from gotgan.world import World, world_server
from tests.browser.axe import Axe
from tests.browser.watching import Watched
from tests.programs import Unavailable, chromium, npm_package

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

OpenPage = Callable[..., Watched]


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """Gotgan in memory, with a user of each role and its own simulated web.

    It lives as long as what a module puts into it: a worker that takes over tests of a module
    after those of others starts that module again, on an empty store.
    """
    with ExitStack() as stack:
        web = stack.enter_context(world_server(World(padding=0)))
        settings = Settings(given_secret=Secret("x" * 32), resolve=web.resolve, delay=0)
        app = stack.enter_context(App.in_memory(settings=settings))
        app.site.users.create(id="u001", display_name="김대연", role="admin")
        app.site.users.create(id="u002", display_name="Edda", role="editor")
        app.site.users.create(id="u003", display_name="Vera", role="viewer")
        yield app


@pytest.fixture(scope="module")
def address(app: App) -> Iterator[str]:
    """Where the server is."""
    with serve_in_thread(create_server(app)) as url:
        yield url


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The Chromium of these tests.

    It ends with the package: as long as it runs, so does an event loop in this thread.
    """
    try:
        path = chromium()
    except Unavailable as error:
        _skip(error)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe() -> Axe:
    """What looks for barriers on a page."""
    try:
        return Axe(npm_package("axe-core", "4.14.0", "axe.min.js"))
    except Unavailable as error:
        _skip(error)


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Open pages, each in a browser of its own; what they complain about fails the test."""
    opened: list[tuple[BrowserContext, Watched]] = []

    def open_one(**options: object) -> Watched:
        context = browser.new_context(base_url=address, **options)  # type: ignore[arg-type]
        opened.append((context, Watched(context.new_page())))
        return opened[-1][1]

    yield open_one
    for context, _ in opened:
        context.close()
    assert [complaint for _, page in opened for complaint in page.complaints] == []


def _skip(error: Unavailable) -> NoReturn:
    # Skip on a machine without it; where every check counts, that is a failure.
    if os.environ.get("CI") == "true":
        pytest.fail(str(error))
    pytest.skip(str(error))
