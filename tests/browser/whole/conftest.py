"""A week of the demo, served; and an address of every page that its console has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import LeapingClock, SystemClock
from gotgan.demo import open_demo
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.verbs import silent
from tests.browser.whole.walking import walked
from tests.patience import PATIENCE

DAYS = 7
NOW = datetime(2026, 11, 14, 3, tzinfo=UTC)
"""The pictures show the same week whenever they are taken."""


@pytest.fixture(scope="package")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The app of a demo that has collected its first week."""
    folder = tmp_path_factory.mktemp("demo")
    with open_demo(folder, DAYS, LeapingClock(SystemClock(), NOW)) as demo:
        demo.set_up(90, silent)
        demo.hurry_until(demo.ends(DAYS), lambda *_: None)
        yield demo.app


@pytest.fixture(scope="package")
def address(app: App) -> Iterator[str]:
    """Where the server is."""
    with serve_in_thread(create_server(app)) as url:
        yield url


@pytest.fixture(scope="package")
def pages(app: App, address: str) -> Mapping[str, str]:
    """Each page by its route, with an address at which the demo shows it."""
    with httpx.Client(base_url=address, timeout=PATIENCE, follow_redirects=True) as client:
        code = app.site.tokens.sign_in_code(app.site.users.owner().id)
        client.post("/sign-in", data={"code": code}).raise_for_status()
        return walked(client)
