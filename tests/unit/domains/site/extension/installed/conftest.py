"""A whole server in memory, and the resource of the package that is installed."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.app import App
from gotgan.domains.site.service import Site
from tests.unit.console.conftest import app, clock, enter, settings, smtp, stage

__all__ = ["app", "clock", "enter", "settings", "smtp", "stage"]


@pytest.fixture
def events(app: App) -> Any:
    """The events of the app."""
    return app.site.resource(Site.extensions()["events"])
