"""Tables are made and compared the same over HTTP, at Gotgan's endpoint and at others'."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from gotgan.store.drivers.aws import Aws
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from gotgan.store.outputs.creation import CreateReport, create
from gotgan.store.outputs.drift import drift
from gotgan.store.outputs.live import TableWait
from gotgan.store.tables import Names, Table
from tests.oracle.peers import PEERS, running
from tests.programs import Unavailable

from .declared import everything, news, shops, site
from .live_tables import look

LACKING = {"gotgan": {"stream"}, "dynalite": {"stream", "time to live"}}
"""What a server cannot do, and what therefore differs."""
ADDING = ["gotgan", "moto", "dynoxide"]
"""dynalite takes a request for another index, and makes none."""
PATIENCE = TableWait(seconds=30)


def _gotgan(stack: ExitStack) -> str:
    return stack.enter_context(background_server(stack.enter_context(Engine(None))))


def _peer(stack: ExitStack, name: str) -> str:
    try:
        return f"http://127.0.0.1:{stack.enter_context(running(PEERS[name])).port}"
    except Unavailable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="module", params=["gotgan", "dynalite", "moto", "dynoxide"])
def server(request: pytest.FixtureRequest) -> str:
    """The name of the server under test."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def driver(server: str) -> Iterator[Aws]:
    with ExitStack() as stack:
        driver = Aws(_gotgan(stack) if server == "gotgan" else _peer(stack, server))
        stack.callback(driver.close)
        yield driver


def _names(table: Table, suffix: str) -> Names:
    return Names(tables={table.name: f"{table.name}-{suffix}"})


@pytest.mark.parametrize("declare", [news, site, shops, everything])
def test_a_table_is_made_as_declared_and_found_to_fit(
    server: str, driver: Aws, declare: Callable[[], Table]
) -> None:
    table = declare()
    names = _names(table, "made")
    made = create(driver, table, names, patience=PATIENCE)
    assert made.new
    assert {each.where for each in made.differences} <= LACKING.get(server, set())
    again = create(driver, table, names, patience=PATIENCE)
    assert again == CreateReport(names.of(table), new=False, differences=made.differences)


@pytest.mark.parametrize("server", ADDING, indirect=True)
def test_missing_indexes_are_found_and_added(driver: Aws) -> None:
    bare = Table("aura-historia-data", pk="pk", sk="sk")
    names = _names(bare, "bare")
    create(driver, bare, names, patience=PATIENCE)
    assert create(driver, shops(), names, patience=PATIENCE).indexes == ()
    added = create(driver, shops(), names, add_indexes=True, patience=PATIENCE)
    assert added.indexes == ("GSI1", "GSI2", "GSI3", "GSI4")
    assert drift(shops(), *look(driver, names.of(bare)), names) == ()
