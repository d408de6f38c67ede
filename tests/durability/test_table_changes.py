"""Tables that change while others use them: every write fits the table as it is when it lands."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable, ItemsView
from functools import partial
from itertools import count
from typing import Any

import pytest

from gotgan.store.engine import Client
from tests.contract.shapes import item
from tests.contract.tables import Index, Table, create_table, everything
from tests.durability.child import BY_GROUP, add_index, drop_index
from tests.durability.crowd import at_once, restless
from tests.durability.invariants import check_indexes


class Interrupted(UserDict[str, Any]):
    """An item that, when the engine begins to read it, lets something else happen first."""

    def __init__(self, attributes: dict[str, Any], event: Callable[[], None]) -> None:
        self._events = [event]
        super().__init__(attributes)

    def items(self) -> ItemsView[str, Any]:
        while self._events:
            self._events.pop()()
        return super().items()


def test_a_put_that_was_prepared_before_an_index_was_made_is_in_the_index(table: Table) -> None:
    late = Interrupted(item(pk="a", group="g", rank=1), partial(add_index, table))
    table.put_item(Item=late)
    assert len(everything(table.scan, IndexName="by_group")) == 1
    check_indexes(table)


def test_a_put_that_was_prepared_before_an_index_was_removed_is_stored(table: Table) -> None:
    add_index(table)
    late = Interrupted(item(pk="a", group="g", rank=1), partial(drop_index, table))
    table.put_item(Item=late)
    assert table.get(pk="a") == {"pk": "a", "group": "g", "rank": 1}


def test_a_put_that_was_prepared_before_the_table_was_made_anew_is_in_the_new_one(
    client: Client, table: Table
) -> None:
    def make_anew() -> None:
        table.delete_table()
        create_table(client, name=table.name)

    table.put(pk="old")
    table.put_item(Item=Interrupted(item(pk="new"), make_anew))
    assert everything(table.scan) == [{"pk": "new"}]


def test_indexes_that_several_threads_make_at_once_are_all_made(table: Table) -> None:
    table.fill({"pk": str(n), "group": "g", "rank": n} for n in range(30))
    names = [f"index-{number}" for number in range(4)]
    with restless():
        at_once([partial(add_index, table, Index(name, "group:S rank:N")) for name in names])
    made = table.describe_table()["Table"]["GlobalSecondaryIndexes"]
    assert sorted(index["IndexName"] for index in made) == names
    check_indexes(table)


def test_settings_that_several_threads_change_at_once_are_all_kept(table: Table) -> None:
    ttl = {"AttributeName": "expires", "Enabled": True}
    changes: list[Callable[[], object]] = [
        partial(table.update_time_to_live, TimeToLiveSpecification=ttl),
        partial(table.update_table, DeletionProtectionEnabled=True),
        partial(add_index, table),
    ]
    with restless():
        at_once(changes)
    description = table.describe_table()["Table"]
    assert description["DeletionProtectionEnabled"] is True
    assert len(description["GlobalSecondaryIndexes"]) == 1
    status = table.describe_time_to_live()["TimeToLiveDescription"]
    assert status["AttributeName"] == "expires"


def test_of_several_threads_that_make_the_same_table_one_makes_it(client: Client) -> None:
    def make(name: str) -> bool:
        try:
            create_table(client, name=name).put(pk="mine")
        except client.exceptions.ResourceInUseException:
            return False
        return True

    with restless():
        for number in range(15):
            assert at_once([partial(make, f"table-{number}")] * 4).count(True) == 1


def test_writes_go_on_while_an_index_comes_and_goes(table: Table) -> None:
    numbers = count()
    going = [True]

    def write() -> None:
        while going:
            number = next(numbers)
            table.put(pk=str(number % 40), group=f"g{number % 3}", rank=number)

    def change() -> None:
        try:
            for _ in range(4):
                add_index(table)
                check_group_is_readable(table)
                drop_index(table)
            add_index(table)
        finally:
            going.clear()

    at_once([write, write, change])
    check_indexes(table)


def check_group_is_readable(table: Table) -> None:
    found = everything(table.scan, IndexName=BY_GROUP.name)
    assert all("group" in each for each in found)


@pytest.mark.parametrize("way", ["delete", "batch", "transact"])
def test_what_a_write_cost_is_told_even_where_an_old_item_does_not_fit_an_index(
    client: Client, table: Table, way: str
) -> None:
    key = item(pk="odd")
    table.put(pk="odd", group=5)
    add_index(table)
    told = {"ReturnConsumedCapacity": "INDEXES"}
    if way == "delete":
        answer = table.delete_item(Key=key, **told)["ConsumedCapacity"]
    elif way == "batch":
        delete = {"DeleteRequest": {"Key": key}}
        [answer] = client.batch_write_item(RequestItems={table.name: [delete]}, **told)[
            "ConsumedCapacity"
        ]
    else:
        entry = {"Delete": {"TableName": table.name, "Key": key}}
        [answer] = client.transact_write_items(TransactItems=[entry], **told)["ConsumedCapacity"]
    assert answer["Table"]["CapacityUnits"] > 0
    assert "GlobalSecondaryIndexes" not in answer
    assert table.get(pk="odd") is None
