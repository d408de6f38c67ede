"""A site in memory whose clock is moved by hand, and in whose calls a test can meddle."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.service import Site
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.unit.domains.site.meddling import Meddling

MORNING = datetime(2025, 11, 10, 9, tzinfo=UTC)
SECRET = Secret("of these tests, and 32 letters long")


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves."""
    return FixedClock(MORNING)


@pytest.fixture
def meddling(clock: FixedClock) -> Meddling:
    """The way to the database, on which a test can lie in wait."""
    return Meddling(Embedded(Engine(None, clock=clock)))


@pytest.fixture
def store(meddling: Meddling, clock: FixedClock) -> Iterator[Store]:
    """A store in memory."""
    with Store(meddling, secret=SECRET, clock=clock) as store:
        yield store


@pytest.fixture
def site(store: Store) -> Site:
    """A site with an admin ``u001`` and the categories ``c001`` and ``c002``."""
    site = Site(store, Settings(given_secret=SECRET))
    site.prepare()
    site.users.create(id="u001", display_name="김대연", role="admin")
    site.categories.create(id="c001", title="회사 소식", slug="news")
    site.categories.create(id="c002", title="Reports", slug="reports")
    return site
