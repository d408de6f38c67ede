"""The client around the operations: errors, paginators, waiters."""

from __future__ import annotations

from typing import Any

import pytest

from .shapes import item
from .tables import MakeTable, Table, unique_name


def test_errors_are_classes_of_the_client(client: Any, shared: Table) -> None:
    key = item(pk=unique_name())
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_table(TableName=unique_name())
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        shared.put_item(Item=key, ConditionExpression="attribute_exists(pk)")
    with pytest.raises(client.exceptions.TransactionCanceledException):
        client.transact_write_items(
            TransactItems=[
                {
                    "ConditionCheck": {
                        "TableName": shared.name,
                        "Key": key,
                        "ConditionExpression": "attribute_exists(pk)",
                    }
                }
            ]
        )
    with pytest.raises(client.exceptions.ClientError):
        shared.get_item(Key={})


def test_an_error_says_its_code_its_message_and_the_operation(client: Any) -> None:
    with pytest.raises(client.exceptions.ClientError) as caught:
        client.describe_table(TableName=unique_name())
    error = caught.value
    assert error.response["Error"]["Code"] == "ResourceNotFoundException"
    assert error.response["Error"]["Message"].startswith("Requested resource not found")
    assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    assert error.operation_name == "DescribeTable"
    assert "ResourceNotFoundException" in str(error)
    assert "DescribeTable" in str(error)


def test_every_answer_has_its_metadata(shared: Table) -> None:
    answer = shared.put_item(Item=item(pk=unique_name()))
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 200


def test_tables_are_found_by_the_paginator(client: Any, make_table: MakeTable) -> None:
    made = {make_table().name for _ in range(3)}
    pages = client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2})
    names = [name for page in pages for name in page["TableNames"]]
    assert made <= set(names)
    assert len(names) == len(set(names))


def test_a_waiter_returns_when_the_table_is_there(client: Any, make_table: MakeTable) -> None:
    table = make_table()
    client.get_waiter("table_exists").wait(TableName=table.name, WaiterConfig={"Delay": 1})
    table.delete_table()
    client.get_waiter("table_not_exists").wait(TableName=table.name, WaiterConfig={"Delay": 1})


def test_answers_may_be_changed_without_changing_the_store(shared: Table) -> None:
    key = unique_name()
    stored = item(pk=key, m={"a": [1]}, s={"x"})
    shared.put_item(Item=stored)
    stored["m"]["M"]["a"]["L"].clear()
    found = shared.get_item(Key=item(pk=key))["Item"]
    found["m"]["M"]["a"]["L"].append({"S": "more"})
    found["s"]["SS"].append("y")
    assert shared.get(pk=key) == {"pk": key, "m": {"a": [1]}, "s": {"x"}}
