"""A store whose clock is moved by hand, long after the old tables were written."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.migration import Options
from gotgan.store import Store


@pytest.fixture
def clock() -> FixedClock:
    """A clock in 2026."""
    return FixedClock(datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    """An empty store."""
    with Store.in_memory(clock=clock) as store:
        yield store


@pytest.fixture
def options(tmp_path: Path) -> Options:
    """With a folder for the state."""
    return Options(folder=tmp_path / "migrations")
