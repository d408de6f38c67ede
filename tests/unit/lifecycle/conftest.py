"""A bench for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.unit.lifecycle.jobs import Bench, bench


@pytest.fixture
def at() -> Iterator[Bench]:
    """A store in memory with the table of jobs, at ten o'clock."""
    with bench() as made:
        yield made
