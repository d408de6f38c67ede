"""Paginators and waiters, as boto3's clients have them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gotgan.errors import StoreError
from gotgan.store.engine import Client, connect
from gotgan.store.engine.client import Waiter
from tests.contract.tables import Table, create_table

AT_ONCE = {"Delay": 0, "MaxAttempts": 3}


@pytest.fixture
def client() -> Iterator[Client]:
    with connect(None) as client:
        yield client


@pytest.fixture
def table(client: Client) -> Table:
    table = create_table(client, "pk:S sk:N")
    table.fill({"pk": "a", "sk": number} for number in range(7))
    return table


def _numbers(page: dict[str, Any]) -> list[int]:
    return [int(item["sk"]["N"]) for item in page["Items"]]


def _query(table: Table) -> dict[str, Any]:
    return {
        "TableName": table.name,
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": {"S": "a"}},
    }


@pytest.mark.parametrize("limit", [{"Limit": 3}, {"PaginationConfig": {"PageSize": 3}}])
def test_it_goes_through_all_pages(client: Client, table: Table, limit: dict[str, Any]) -> None:
    pages = client.get_paginator("query").paginate(**_query(table), **limit)
    assert [_numbers(page) for page in pages] == [[0, 1, 2], [3, 4, 5], [6]]


def test_all_pages_can_be_had_as_one(client: Client, table: Table) -> None:
    pages = client.get_paginator("scan").paginate(TableName=table.name, Limit=2)
    whole = pages.build_full_result()
    assert _numbers(whole) == list(range(7))
    assert whole["Count"] == whole["ScannedCount"] == 7


def test_what_was_left_out_can_be_had_with_the_token(client: Client, table: Table) -> None:
    def part(**config: Any) -> dict[str, Any]:
        pages = client.get_paginator("query").paginate(**_query(table), PaginationConfig=config)
        return pages.build_full_result()

    first = part(MaxItems=4, PageSize=3)
    assert _numbers(first) == [0, 1, 2, 3]
    assert first["Count"] == 4
    rest = part(StartingToken=first["NextToken"])
    assert _numbers(rest) == [4, 5, 6]
    assert "NextToken" not in rest


def test_so_many_items_and_no_more(client: Client, table: Table) -> None:
    config = {"MaxItems": 4, "PageSize": 3}
    pages = client.get_paginator("query").paginate(**_query(table), PaginationConfig=config)
    assert [_numbers(page) for page in pages] == [[0, 1, 2], [3]]


def test_it_can_begin_behind_a_key(client: Client, table: Table) -> None:
    config = {"StartingToken": {"pk": {"S": "a"}, "sk": {"N": "4"}}}
    pages = client.get_paginator("query").paginate(**_query(table), PaginationConfig=config)
    assert [_numbers(page) for page in pages] == [[5, 6]]


def test_names_of_tables_come_in_pages_too(client: Client) -> None:
    names = [f"table-{number}" for number in range(5)]
    for name in names:
        create_table(client, name=name)
    whole = client.get_paginator("list_tables").paginate(Limit=2).build_full_result()
    assert whole["TableNames"] == names


def test_a_waiter_returns_when_it_is_so(client: Client, table: Table) -> None:
    client.get_waiter("table_exists").wait(TableName=table.name)
    table.delete_table()
    client.get_waiter("table_not_exists").wait(TableName=table.name)


@pytest.mark.parametrize(
    ("waiter", "wish"), [("table_exists", "exist"), ("table_not_exists", "go away")]
)
def test_a_waiter_gives_up_in_the_end(client: Client, table: Table, waiter: str, wish: str) -> None:
    name = table.name if waiter == "table_not_exists" else "missing"
    with pytest.raises(StoreError, match=f"in vain .* {name} to {wish}"):
        client.get_waiter(waiter).wait(TableName=name, WaiterConfig=AT_ONCE)


def test_a_waiter_asks_again(client: Client, table: Table) -> None:
    asked: list[str] = []

    def describe(TableName: str) -> dict[str, Any]:  # noqa: N803 - boto3's name
        asked.append(TableName)
        if len(asked) == 2:
            table.delete_table()
        return client.describe_table(TableName=TableName)

    Waiter(describe, present=False).wait(TableName=table.name, WaiterConfig=AT_ONCE)
    assert asked == [table.name] * 2
