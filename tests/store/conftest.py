"""A store on each driver, with tables of its own for each test."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Protocol

import pytest

from gotgan.clock import Clock, FixedClock
from gotgan.settings import Secret
from gotgan.store import Names, Store, Table
from gotgan.store.drivers import Driver
from gotgan.store.outputs.definition import create_request
from gotgan.store.outputs.live import TableWait, await_active
from tests.programs import Unavailable
from tests.store.deviations import Where
from tests.store.drivers import DRIVERS
from tests.store.library import LIBRARY

_numbers = itertools.count(1)

# Far ahead, so that no database removes by its own clock what expires in a test.
NOON = datetime(2100, 1, 1, 12, tzinfo=UTC)


class MakeStore(Protocol):
    """Makes a store with fresh tables."""

    def __call__(self, *tables: Table, clock: Clock | None = None) -> Store: ...


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Ask every database; of a module that ``NEEDS`` a feature those that have it."""
    if "where" in metafunc.fixturenames:
        needed = getattr(metafunc.module, "NEEDS", None)
        names = [name for name in DRIVERS if needed is None or not Where(name).lacks(needed)]
        metafunc.parametrize("where", names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def where(request: pytest.FixtureRequest) -> Where:
    """The database under test."""
    return Where(request.param)


@pytest.fixture(scope="session")
def driver(where: Where, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driver]:
    """The driver under test; a peer that cannot be had here is skipped."""
    with ExitStack() as stack:
        try:
            opened = DRIVERS[where.name](stack, tmp_path_factory.mktemp("store"))
        except Unavailable as error:
            # Skip on a machine without it; where every check counts, that is a failure.
            if os.environ.get("CI") == "true":
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield opened


@pytest.fixture(scope="session")
def make_store(driver: Driver) -> MakeStore:
    """Make stores whose tables and indexes are called otherwise than declared."""

    def make(*tables: Table, clock: Clock | None = None) -> Store:
        names = renamed(*tables)
        for table in tables:
            create(driver, table, names)
        return Store(driver, secret=Secret("of these tests"), names=names, clock=clock)

    return make


@pytest.fixture
def store(make_store: MakeStore) -> Store:
    """A store with the library's table."""
    return make_store(LIBRARY)


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves."""
    return FixedClock(NOON)


def create(driver: Driver, table: Table, names: Names) -> None:
    """What ``Store.create`` comes to, without its questions: they take longer than most tests."""
    driver.call("CreateTable", create_request(table, names))
    await_active(driver, names.of(table), TableWait())


def renamed(*tables: Table) -> Names:
    """Names that nothing else has."""
    number = next(_numbers)
    return Names(
        {table.name: f"{table.name}-{number}" for table in tables},
        {(table.name, index): f"{index}.{number}" for table in tables for index in table.indexes},
    )
