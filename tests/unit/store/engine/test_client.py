"""The client in this process: boto3's methods, shapes and errors, without botocore."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest

from gotgan.errors import StoreClosed, StoreError, UsageError
from gotgan.store.engine import Client, StreamsClient, connect
from gotgan.store.engine.engine import OPERATIONS
from gotgan.store.engine.faults import BY_CODE
from gotgan.store.engine.shapes import STREAM_OPERATIONS
from tests.contract.shapes import item
from tests.contract.tables import Table, create_table
from tests.each import each


@pytest.fixture
def client() -> Iterator[Client]:
    with connect(None) as client:
        yield client


def _method(operation: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation).lower()


@each("operation", sorted(OPERATIONS))
def test_every_operation_is_a_method(client: Client, operation: str) -> None:
    of_streams = operation in STREAM_OPERATIONS
    owner = StreamsClient(client.engine) if of_streams else client
    assert callable(getattr(owner, _method(operation)))


def test_an_answer_has_boto3s_metadata(client: Client) -> None:
    assert client.list_tables() == {
        "TableNames": [],
        "ResponseMetadata": {
            "RequestId": "in-process",
            "HTTPStatusCode": 200,
            "HTTPHeaders": {},
            "RetryAttempts": 0,
        },
    }


def test_every_exception_of_boto3s_client_can_be_caught(client: Client) -> None:
    for service, operations, owner in (
        ("dynamodb", OPERATIONS.keys() - STREAM_OPERATIONS, client),
        ("dynamodbstreams", STREAM_OPERATIONS, StreamsClient(client.engine)),
    ):
        model = boto3.client(service, region_name="us-east-1").meta.service_model
        names = {
            shape.name
            for operation in operations
            for shape in model.operation_model(operation).error_shapes
        }
        assert names
        assert {name for name in names if not hasattr(owner.exceptions, name)} == set()


def test_every_kind_of_bytes_is_taken_in_a_transaction_with_a_token(client: Client) -> None:
    table = create_table(client, "pk:S")
    put = {"TableName": table.name, "Item": {"pk": {"S": "a"}, "b": {"B": bytearray(b"x")}}}
    for _ in range(2):
        client.transact_write_items(TransactItems=[{"Put": put}], ClientRequestToken="once")
    assert client.get_item(TableName=table.name, Key=item(pk="a"))["Item"]["b"] == {"B": b"x"}


def test_a_refusal_has_the_shape_of_botocores(client: Client) -> None:
    with pytest.raises(client.exceptions.ResourceNotFoundException) as caught:
        client.get_item(TableName="missing", Key=item(pk="a"))
    error = caught.value
    assert error.response["Error"] == {
        "Code": "ResourceNotFoundException",
        "Message": "Requested resource not found",
    }
    assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    assert error.operation_name == "GetItem"
    assert isinstance(error, client.exceptions.ClientError)
    assert isinstance(error, StoreError)


def test_every_code_has_its_class(client: Client) -> None:
    for code, fault in BY_CODE.items():
        assert getattr(client.exceptions, code) is fault


def test_a_closed_client_says_so(client: Client) -> None:
    table = create_table(client)
    client.close()
    for use in (table.scan, table.describe_table, client.list_tables):
        with pytest.raises(StoreClosed, match="closed"):
            use()
    with pytest.raises(StoreClosed):
        table.put(pk="a")


def test_what_was_written_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    with connect(tmp_path / "store.db") as client:
        create_table(client, name="goods").put(pk="a", data=b"\x00", many={1, 2})
    with connect(str(tmp_path / "store.db")) as client:
        found = Table(client, "goods").get(pk="a")
    assert found == {"pk": "a", "data": b"\x00", "many": {1, 2}}


def test_two_stores_in_memory_know_nothing_of_each_other(client: Client) -> None:
    create_table(client, name="goods")
    with connect(None) as other:
        assert other.list_tables()["TableNames"] == []


def test_what_has_no_pages_has_no_paginator(client: Client) -> None:
    with pytest.raises(UsageError, match=r"get_item has no pages\. These have: list_tables"):
        client.get_paginator("get_item")


def test_an_unknown_waiter_is_named_with_those_that_there_are(client: Client) -> None:
    with pytest.raises(
        UsageError, match=r"table_exist\. There are: table_exists, table_not_exists"
    ):
        client.get_waiter("table_exist")


def test_a_misspelt_parameter_is_no_wish(client: Client) -> None:
    with pytest.raises(UsageError, match="no parameter TabelName"):
        client.scan(TabelName="goods")


def test_botocore_is_not_imported() -> None:
    program = (
        "import sys; from gotgan.store.engine import connect; connect(None).list_tables();"
        " assert not {'boto3', 'botocore'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
