"""boto3's client and resource, with nothing changed but the endpoint's URL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from decimal import Decimal
from typing import Any

import boto3
import pytest
from boto3.dynamodb.conditions import Attr, Key
from boto3.dynamodb.types import Binary


@pytest.fixture
def resource(session: boto3.Session, endpoint: str) -> Iterator[Any]:
    resource = session.resource("dynamodb", endpoint_url=endpoint)
    yield resource
    resource.meta.client.close()


def test_an_item_of_every_type_comes_back_to_the_client(client: Any, table: str) -> None:
    item = {
        "pk": {"S": "a"},
        "sk": {"N": "-1"},
        "b": {"B": b"\x00\xff"},
        "ss": {"SS": ["x", "y"]},
        "ns": {"NS": ["1", "2"]},
        "bs": {"BS": [b"\x00", b"\xff"]},
        "m": {"M": {"l": {"L": [{"BOOL": False}, {"NULL": True}]}}},
    }
    client.put_item(TableName=table, Item=item)
    answer = client.get_item(TableName=table, Key={"pk": item["pk"], "sk": item["sk"]})
    assert answer["Item"] == item
    assert answer["ResponseMetadata"]["RetryAttempts"] == 0


def test_moments_arrive_as_datetimes(client: Any, table: str) -> None:
    described = client.describe_table(TableName=table)["Table"]
    assert isinstance(described["CreationDateTime"], datetime)


def test_a_fault_is_the_clients_own_exception(client: Any, table: str) -> None:
    item = {"pk": {"S": "a"}, "sk": {"N": "1"}, "b": {"B": b"\x00"}}
    client.put_item(TableName=table, Item=item)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as refusal:
        client.delete_item(
            TableName=table,
            Key={"pk": {"S": "a"}, "sk": {"N": "1"}},
            ConditionExpression="attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    assert refusal.value.response["Item"] == item
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.describe_table(TableName="nowhere")


def test_a_cancelled_transaction_names_its_reasons(client: Any, table: str) -> None:
    missing = {
        "TableName": table,
        "Key": {"pk": {"S": "no"}, "sk": {"N": "0"}},
        "ConditionExpression": "attribute_exists(pk)",
    }
    with pytest.raises(client.exceptions.TransactionCanceledException) as refusal:
        client.transact_write_items(TransactItems=[{"ConditionCheck": missing}])
    reasons = refusal.value.response["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["ConditionalCheckFailed"]


def test_a_resource_writes_in_batches_and_queries_with_conditions(
    resource: Any,
    table: str,
) -> None:
    things = resource.Table(table)
    with things.batch_writer() as batch:
        for number in range(60):
            batch.put_item(Item={"pk": "a", "sk": number, "even": number % 2 == 0})
    found = things.query(
        KeyConditionExpression=Key("pk").eq("a") & Key("sk").between(10, 19),
        FilterExpression=Attr("even").eq(value=True),
        ScanIndexForward=False,
    )
    assert [item["sk"] for item in found["Items"]] == [18, 16, 14, 12, 10]
    assert found["ScannedCount"] == 10


def test_a_resource_updates_with_python_values(resource: Any, table: str) -> None:
    things = resource.Table(table)
    things.put_item(Item={"pk": "a", "sk": 1, "raw": Binary(b"\x00")})
    changed = things.update_item(
        Key={"pk": "a", "sk": 1},
        UpdateExpression="SET price = :p ADD tags :t",
        ExpressionAttributeValues={":p": Decimal("9.99"), ":t": {"new"}},
        ReturnValues="ALL_NEW",
    )
    assert changed["Attributes"] == {
        "pk": "a",
        "sk": 1,
        "raw": Binary(b"\x00"),
        "price": Decimal("9.99"),
        "tags": {"new"},
    }


def test_threads_that_count_together_lose_no_count(client: Any, table: str) -> None:
    def count(_turn: int) -> None:
        client.update_item(
            TableName=table,
            Key={"pk": {"S": "counter"}, "sk": {"N": "0"}},
            UpdateExpression="ADD hits :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(count, range(80)))
    counter = client.get_item(TableName=table, Key={"pk": {"S": "counter"}, "sk": {"N": "0"}})
    assert counter["Item"]["hits"] == {"N": "80"}
