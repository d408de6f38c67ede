"""The whole server on loopback, and somebody of each role at its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from gotgan.app import App
from gotgan.domains.site.service import Site
from gotgan.server import create
from tests.unit.console.site.sheets import Browser
from tests.unit.console.trial import Stage, sign_in

Enter = Callable[[str], Browser]


@pytest.fixture
def site(app: App) -> Site:
    """The site, with two categories."""
    app.site.categories.create(category_id="c1", title="News", slug="news", order=1)
    app.site.categories.create(category_id="c2", title="Notices", slug="notices", order=2)
    return app.site


@pytest.fixture
def enter(app: App, site: Site, stage: Stage) -> Iterator[Enter]:  # noqa: ARG001 - it is filled
    """Sign somebody in, in a browser of their own; an empty id is a stranger."""
    stage.plays, stage.scheme = create(app), "http"
    with ExitStack() as stack:

        def enter(user_id: str) -> Browser:
            client = stack.enter_context(httpx.Client(base_url=stage.url))
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
