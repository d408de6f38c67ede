"""The pages of a domain of another package, which are derived from its verbs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from gotgan.app import App
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from gotgan.world import World, world_server
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.looking import wrong_with
from tests.browser.watching import sign_in
from tests.scenario.rates_package import EXAMPLE, installed, write_metadata

PATHS = ("/rates", "/rates?limit=2", "/rates/get", "/rates/get?currency=KRW")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Gotgan in memory with the package, and an admin."""
    with ExitStack() as stack:
        folder = write_metadata(tmp_path_factory.mktemp("site-packages"))
        stack.enter_context(installed(EXAMPLE, folder))
        web = stack.enter_context(world_server(World(padding=0)))
        settings = Settings(given_secret=Secret("x" * 32), resolve=web.resolve, delay=0)
        app = stack.enter_context(App.in_memory(settings=settings))
        app.site.users.create(id="u001", display_name="김대연", role="admin")
        yield app


@pytest.fixture(scope="module")
def address(app: App) -> Iterator[str]:
    """Where the server is."""
    with serve_in_thread(create_server(app)) as url:
        yield url


def test_a_run_is_watched_and_the_list_follows(open_page: OpenPage, app: App) -> None:
    watched = open_page(locale="en")
    sign_in(watched, app, "u001")
    page = watched.page
    page.goto("/rates")
    page.get_by_role("button", name="Run").click()
    expect(page.locator("#run-collect")).to_contain_text("Already stored")
    expect(page.locator("#derived-list tbody tr")).to_have_count(6)


def test_the_pages_fit_their_windows_and_keep_nobody_out(
    open_page: OpenPage, app: App, axe: Axe
) -> None:
    app.verb("rates.collect")()
    assert wrong_with(open_page, app, axe, PATHS) == {}
