"""DescribeTable, ListTables and DeleteTable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import item
from .tables import MakeTable, Table, table_request, unique_name

MISSING = "ResourceNotFoundException"


def _listed(client: Any, **request: Any) -> Iterator[list[str]]:
    """The pages of ListTables, to the end."""
    while True:
        page = client.list_tables(**request)
        yield page["TableNames"]
        if "LastEvaluatedTableName" not in page:
            return
        request["ExclusiveStartTableName"] = page["LastEvaluatedTableName"]


@pytest.mark.parametrize(
    ("method", "members"),
    [
        ("describe_table", {}),
        ("delete_table", {}),
        ("update_table", {"BillingMode": "PAY_PER_REQUEST"}),
        ("put_item", {"Item": item(pk="a")}),
        ("get_item", {"Key": item(pk="a")}),
        ("update_item", {"Key": item(pk="a")}),
        ("delete_item", {"Key": item(pk="a")}),
        ("scan", {}),
        (
            "query",
            {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": item({":p": "a"})},
        ),
        ("describe_time_to_live", {}),
    ],
)
def test_a_table_that_is_not_there_is_not_found_by(
    client: Any, method: str, members: dict[str, Any]
) -> None:
    with refused(MISSING):
        getattr(client, method)(TableName=unique_name(), **members)


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_list_tables_gives_every_table_once_with_any_limit(
    client: Any, make_table: MakeTable, limit: int
) -> None:
    prefix = unique_name("list")
    names = {make_table(name=f"{prefix}-{n}").name for n in range(4)}
    pages = list(_listed(client, Limit=limit))
    found = [name for page in pages for name in page if name.startswith(prefix)]
    assert sorted(found) == sorted(names)
    assert all(len(page) <= limit for page in pages)


def test_a_listing_starts_after_the_name_it_is_given(client: Any, make_table: MakeTable) -> None:
    prefix = unique_name("list")
    for letter in "abc":
        make_table(name=f"{prefix}-{letter}")
    listed = _listed(client, ExclusiveStartTableName=f"{prefix}-a")
    found = [name for page in listed for name in page if name.startswith(prefix)]
    assert found == [f"{prefix}-b", f"{prefix}-c"]


def test_a_listing_may_start_at_a_name_that_is_no_table(client: Any, make_table: MakeTable) -> None:
    table = make_table(name=unique_name("list"))
    before = table.name[:-1]
    names = [name for page in _listed(client, ExclusiveStartTableName=before) for name in page]
    assert table.name in names


def test_the_last_page_of_tables_has_no_last_name(client: Any, make_table: MakeTable) -> None:
    table = make_table(name=unique_name("zzz"))
    page = client.list_tables(ExclusiveStartTableName=table.name)
    assert page["TableNames"] == []
    assert "LastEvaluatedTableName" not in page


@pytest.mark.parametrize("limit", [0, -1, 101])
def test_list_tables_takes_a_limit_of_1_to_100(client: Any, limit: int) -> None:
    with refused(INVALID):
        client.list_tables(Limit=limit)


def test_the_answer_to_a_deletion_leaves_the_definition_out(
    client: Any, make_table: MakeTable
) -> None:
    """As conformance tests that are also run against DynamoDB found."""
    deleted = client.delete_table(TableName=make_table().name)["TableDescription"]
    assert deleted["TableStatus"] == "DELETING"
    assert not {"KeySchema", "AttributeDefinitions", "CreationDateTime"} & deleted.keys()


def test_a_deleted_table_is_gone(client: Any, make_table: MakeTable) -> None:
    table = make_table()
    answer = table.delete_table()
    assert answer["TableDescription"]["TableName"] == table.name
    assert answer["TableDescription"]["TableStatus"] == "DELETING"
    client.get_waiter("table_not_exists").wait(TableName=table.name, WaiterConfig={"Delay": 1})
    with refused(MISSING):
        table.describe_table()
    assert table.name not in [name for page in _listed(client) for name in page]


def test_a_table_made_again_starts_empty(client: Any, make_table: MakeTable) -> None:
    table = make_table()
    table.put(pk="a")
    before = table.settle()["TableId"]
    table.delete_table()
    client.get_waiter("table_not_exists").wait(TableName=table.name, WaiterConfig={"Delay": 1})
    again = make_table("pk:S", name=table.name)
    assert again.get(pk="a") is None
    assert again.settle()["TableId"] != before


def test_a_protected_table_is_not_deleted_until_it_is_unprotected(make_table: MakeTable) -> None:
    table = make_table(DeletionProtectionEnabled=True)
    table.put(pk="a")
    assert table.settle()["DeletionProtectionEnabled"] is True
    with refused(INVALID, match="protected against deletion"):
        table.delete_table()
    assert table.get(pk="a") == {"pk": "a"}
    table.update_table(DeletionProtectionEnabled=False)
    assert table.settle()["DeletionProtectionEnabled"] is False
    table.delete_table()


def test_tables_keep_their_items_apart(make_table: MakeTable) -> None:
    one, two = make_table(), make_table()
    one.put(pk="a", n=1)
    two.put(pk="a", n=2)
    one.delete_item(Key=item(pk="a"))
    assert one.get(pk="a") is None
    assert two.get(pk="a") == {"pk": "a", "n": 2}


def test_a_table_is_also_found_by_its_arn(make_table: MakeTable) -> None:
    table = make_table()
    table.put(pk="a")
    by_arn = Table(table.client, table.settle()["TableArn"])
    assert by_arn.get(pk="a") == {"pk": "a"}
    assert by_arn.describe_table()["Table"]["TableName"] == table.name


def test_names_differ_by_case(client: Any, make_table: MakeTable) -> None:
    table = make_table(name=unique_name("Case"))
    with refused(MISSING):
        client.describe_table(TableName=table.name.lower())
    other = make_table(name=table.name.lower())
    assert other.settle()["TableName"] != table.settle()["TableName"]
    with refused("ResourceInUseException"):
        table.create_table(**table_request())
