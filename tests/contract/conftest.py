"""The drivers that the contract is asked of, and the fixtures that make tables in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from .drivers import DRIVERS, Clients, remote_clients
from .tables import MakeTable, Table, create_table


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--endpoint", help="ask the DynamoDB at this URL instead of Gotgan's drivers")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "driver" in metafunc.fixturenames:
        endpoint = metafunc.config.getoption("endpoint", default=None)
        names = [endpoint] if endpoint else list(DRIVERS)
        metafunc.parametrize("driver", names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def driver(request: pytest.FixtureRequest) -> str:
    """The name of the driver under test, or the URL of an endpoint."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def clients(driver: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    """The clients of the driver."""
    folder: Path = tmp_path_factory.mktemp("contract")
    with ExitStack() as stack:
        open_driver = DRIVERS.get(driver)
        yield open_driver(stack, folder) if open_driver else remote_clients(driver)


@pytest.fixture(scope="session")
def client(clients: Clients) -> Any:
    """A client with boto3's methods and shapes."""
    return clients.tables


@pytest.fixture(scope="session")
def streams(clients: Clients) -> Any:
    """A client with the methods and shapes of boto3's for DynamoDB Streams."""
    return clients.streams


def _made(client: Any) -> Iterator[MakeTable]:
    made: list[Table] = []

    def make(key: str = "pk:S", **members: Any) -> Table:
        made.append(create_table(client, key, **members))
        return made[-1]

    yield make
    for table in made:
        _drop(table)


def _drop(table: Table) -> None:
    try:
        table.delete_table()
    except Exception as error:
        # A test may have deleted the table itself.
        if getattr(error, "response", {})["Error"]["Code"] != "ResourceNotFoundException":
            raise


@pytest.fixture
def make_table(client: Any) -> Iterator[MakeTable]:
    """Make tables that live as long as one test."""
    yield from _made(client)


@pytest.fixture(scope="module")
def make_shared_table(client: Any) -> Iterator[MakeTable]:
    """Make tables that live as long as the tests of one module."""
    yield from _made(client)


@pytest.fixture(scope="module")
def shared(make_shared_table: MakeTable) -> Table:
    """A table keyed by ``pk:S``, for tests that keep to partitions of their own."""
    return make_shared_table("pk:S")


@pytest.fixture(scope="module")
def shared_sorted(make_shared_table: MakeTable) -> Table:
    """A table keyed by ``pk:S sk:N``, for tests that keep to partitions of their own."""
    return make_shared_table("pk:S sk:N")
