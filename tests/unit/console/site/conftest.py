"""A site with something on it, before anybody comes to its pages."""

from __future__ import annotations

import pytest

from gotgan.app import App
from gotgan.domains.site.service import Site
from tests.unit.console.conftest import Enter


@pytest.fixture
def site(app: App) -> Site:
    """The site, with two categories."""
    app.site.categories.create(id="c1", title="News", slug="news", order=1)
    app.site.categories.create(id="c2", title="Notices", slug="notices", order=2)
    return app.site


@pytest.fixture
def enter(site: Site, enter: Enter) -> Enter:  # noqa: ARG001 - it is filled
    """Sign somebody in, in a browser of their own."""
    return enter
