"""A house in memory at an hour of a Thursday, to which a test brings what it tells of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from tests.unit.day.made import NOW


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves; it begins at 18:30 in Seoul."""
    return FixedClock(NOW)


@pytest.fixture
def app(clock: FixedClock) -> Iterator[App]:
    """Gotgan in memory, with a category for days."""
    with App.in_memory(clock=clock) as app:
        app.site.categories.create(id="c001", title="Days", slug="days")
        app.site.categories.create(id="c002", title="Other", slug="other")
        yield app
