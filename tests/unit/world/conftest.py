"""A world at noon, and one server on which every test plans its faults at paths of its own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from gotgan.clock import FixedClock
from gotgan.world import ServedWorld, World, world_server
from gotgan.world.scene import Scene

NOON = datetime(2025, 11, 6, 12, 0, tzinfo=UTC)


@pytest.fixture
def scene() -> Scene:
    return Scene(seed=7, now=NOON, padding=2_000)


@pytest.fixture(scope="package")
def served() -> Iterator[ServedWorld]:
    with world_server(World(clock=FixedClock(NOON), padding=2_000)) as served:
        yield served
