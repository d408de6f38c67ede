"""What another process does to a table is noticed here: by reads, by writes, by the sweeper."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gotgan.store.engine import Client, Engine, connect
from gotgan.store.engine.ttl import Sweeper
from tests.contract.refusals import refused
from tests.contract.shapes import given, item
from tests.contract.tables import Table, create_table, everything, table_request
from tests.durability.child import add_index, drop_index
from tests.durability.invariants import check_indexes
from tests.durability.processes import Neighbour, neighbour

TTL = {"AttributeName": "expires", "Enabled": True}
NO_TTL = {"AttributeName": "expires", "Enabled": False}


@pytest.fixture(scope="module")
def shared_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("noticing") / "store.db"


@pytest.fixture(scope="module")
def other(shared_path: Path) -> Iterator[Neighbour]:
    """One process for all tests of this module; each test has tables of its own."""
    with neighbour(shared_path) as found:
        yield found


@pytest.fixture
def client(shared_path: Path, other: Neighbour) -> Iterator[Client]:  # noqa: ARG001 - it makes the file
    with connect(shared_path, synchronous="normal") as client:
        yield client


@pytest.fixture
def theirs(table: Table, other: Neighbour) -> Table:
    """The same table, as the other process has it; both know it already."""
    theirs = Table(other, table.name)
    theirs.describe_table()
    return theirs


def _groups(table: Table, group: str) -> list[dict[str, Any]]:
    request = {"KeyConditionExpression": "#g = :g", **given({"#g": "group"}, g=group)}
    return everything(table.query, IndexName="by_group", **request)


def test_a_table_that_the_other_made(client: Client, other: Neighbour) -> None:
    made = create_table(other)
    mine = Table(client, made.name)
    mine.put(pk="a")
    assert mine.get(pk="a") == made.get(pk="a") == {"pk": "a"}


def test_a_table_that_the_other_made_cannot_be_made_again(client: Client, other: Neighbour) -> None:
    made = create_table(other)
    with refused("ResourceInUseException"):
        Table(client, made.name).create_table(**table_request())


def test_a_table_that_the_other_removed(table: Table, theirs: Table) -> None:
    table.put(pk="a")
    theirs.delete_table()
    for use in (table.get, table.put):
        with refused("ResourceNotFoundException"):
            use(pk="a")
    with refused("ResourceNotFoundException"):
        table.scan()


def test_a_table_that_the_other_removed_and_made_anew_is_empty_here(
    table: Table, theirs: Table
) -> None:
    table.put(pk="old")
    theirs.delete_table()
    create_table(theirs.client, name=table.name)
    assert table.get(pk="old") is None
    table.put(pk="new")
    assert everything(theirs.scan) == [{"pk": "new"}]


def test_a_table_that_the_other_made_anew_with_another_key(table: Table, theirs: Table) -> None:
    theirs.delete_table()
    create_table(theirs.client, "id:N", name=table.name)
    table.put(id=7)
    assert table.get(id=7) == theirs.get(id=7) == {"id": 7}


def test_an_index_that_the_other_made_can_be_read_here(table: Table, theirs: Table) -> None:
    table.put(pk="a", group="g", rank=1)
    add_index(theirs)
    assert _groups(table, "g") == [{"pk": "a", "group": "g", "rank": 1}]


@pytest.mark.parametrize("way", ["put", "update", "batch", "transact"])
def test_a_write_here_enters_the_index_that_the_other_made(
    table: Table, theirs: Table, way: str
) -> None:
    table.put(pk="known")
    add_index(theirs)
    whole = {"pk": "a", "group": "g", "rank": 1}
    if way == "put":
        table.put(**whole)
    elif way == "update":
        change = {"UpdateExpression": "SET #g = :g, #r = :r"}
        names = {"#g": "group", "#r": "rank"}
        table.update_item(Key=item(pk="a"), **change, **given(names, g="g", r=1))
    elif way == "batch":
        table.fill([whole])
    else:
        put = {"Put": {"TableName": table.name, "Item": item(whole)}}
        table.client.transact_write_items(TransactItems=[put])
    assert _groups(theirs, "g") == _groups(table, "g") == [whole]
    check_indexes(table)


def test_an_item_that_does_not_fit_the_index_that_the_other_made_is_refused_here(
    table: Table, theirs: Table
) -> None:
    table.put(pk="known")
    add_index(theirs)
    with refused("ValidationException", "by_group"):
        table.put(pk="a", group=1)


def test_an_index_that_the_other_removed(table: Table, theirs: Table) -> None:
    add_index(table)
    theirs.describe_table()
    drop_index(theirs)
    with refused("ValidationException", "by_group"):
        _groups(table, "g")
    table.put(pk="a", group=1)
    assert theirs.get(pk="a") == {"pk": "a", "group": 1}


def test_an_index_that_the_other_made_anew_with_another_key(table: Table, theirs: Table) -> None:
    table.put(pk="a", group="g", rank=1, owner="o")
    add_index(table)
    drop_index(theirs)
    theirs.update_table(
        AttributeDefinitions=[{"AttributeName": "owner", "AttributeType": "S"}],
        GlobalSecondaryIndexUpdates=[
            {
                "Create": {
                    "IndexName": "by_group",
                    "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"},
                },
            },
        ],
    )
    request = {"KeyConditionExpression": "#o = :o", **given({"#o": "owner"}, o="o")}
    assert len(everything(table.query, IndexName="by_group", **request)) == 1


def test_protection_that_the_other_turned_on(table: Table, theirs: Table) -> None:
    theirs.update_table(DeletionProtectionEnabled=True)
    with refused("ValidationException", "protected"):
        table.delete_table()


def test_what_is_written_here_expires_as_the_other_decided(table: Table, theirs: Table) -> None:
    theirs.update_time_to_live(TimeToLiveSpecification=TTL)
    past = int(time.time()) - 100
    table.put(pk="old", expires=past)
    table.put(pk="new", expires=past + 10_000)
    table.client.engine.sweep()
    assert everything(table.scan) == [{"pk": "new", "expires": past + 10_000}]


def test_nothing_expires_here_after_the_other_turned_expiry_off(
    table: Table, theirs: Table
) -> None:
    table.update_time_to_live(TimeToLiveSpecification=TTL)
    theirs.update_time_to_live(TimeToLiveSpecification=NO_TTL)
    table.put(pk="old", expires=int(time.time()) - 100)
    assert table.client.engine.sweep() == 0
    assert table.get(pk="old") is not None


def test_expiry_that_another_process_turned_on_is_carried_out_here_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept = threading.Event()
    monkeypatch.setattr("gotgan.store.engine.engine.Sweeper", partial(Sweeper, seconds=0.01))

    class Watched(Engine):
        def sweep(self) -> int:
            removed = super().sweep()
            if removed:
                swept.set()
            return removed

    with Watched(path) as engine, neighbour(path) as other:
        mine = create_table(Client(engine))
        mine.put(pk="known")
        Table(other, mine.name).update_time_to_live(TimeToLiveSpecification=TTL)
        mine.put(pk="old", expires=int(time.time()) - 100)
        assert swept.wait(timeout=10)
        assert mine.get(pk="old") is None
        assert mine.get(pk="known") is not None
