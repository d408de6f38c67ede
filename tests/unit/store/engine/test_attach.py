"""A real boto3 client on the engine, without a port, without credentials, without the network."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

import boto3
import botocore.session
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError, NoCredentialsError
from botocore.stub import Stubber

from gotgan.errors import StoreClosed, UsageError
from gotgan.store.engine import Engine
from gotgan.store.engine.attach import attach, detach

from .rawhttp import table_request

NOWHERE = "http://127.0.0.1:9"
KEY = {"pk": {"S": "a"}}


@pytest.fixture(scope="module", autouse=True)
def without_credentials() -> Iterator[None]:
    """No credentials and no settings of AWS, wherever the tests run."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
            patch.delenv(name, raising=False)
        patch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
        patch.setenv("AWS_CONFIG_FILE", os.devnull)
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        yield


@pytest.fixture(scope="module")
def session(without_credentials: None) -> boto3.Session:
    """One session for all clients: reading botocore's models is what takes the time."""
    del without_credentials
    return boto3.Session(region_name="eu-west-1")


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(None) as engine:
        engine.execute("CreateTable", table_request("things"))
        yield engine


@pytest.fixture
def client(engine: Engine, session: boto3.Session) -> Any:
    return attach(session.client("dynamodb", endpoint_url=NOWHERE), engine)


def test_a_client_needs_no_credentials_and_no_network(client: Any) -> None:
    client.put_item(TableName="things", Item=KEY | {"n": {"N": "1"}})
    assert client.get_item(TableName="things", Key=KEY)["Item"]["n"] == {"N": "1"}


def test_answers_have_the_metadata_that_botocore_gives(client: Any) -> None:
    metadata = client.list_tables()["ResponseMetadata"]
    assert metadata["HTTPStatusCode"] == 200
    assert metadata["RetryAttempts"] == 0
    assert metadata["RequestId"] == metadata["HTTPHeaders"]["x-amzn-requestid"]


def test_bytes_go_in_and_come_out_as_bytes(client: Any) -> None:
    item = KEY | {"b": {"B": b"\x00\xff"}, "bs": {"BS": [b"\x00", b"\xff"]}}
    client.put_item(TableName="things", Item=item)
    assert client.get_item(TableName="things", Key=KEY)["Item"] == item


def test_moments_are_aware_datetimes(client: Any) -> None:
    created = client.describe_table(TableName="things")["Table"]["CreationDateTime"]
    assert isinstance(created, datetime)
    assert created.tzinfo is not None


def test_a_fault_is_the_exception_that_the_client_knows_it_by(client: Any) -> None:
    item = KEY | {"b": {"B": b"\x00"}}
    client.put_item(TableName="things", Item=item)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as refusal:
        client.put_item(
            TableName="things",
            Item=KEY,
            ConditionExpression="attribute_not_exists(pk)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    response = refusal.value.response
    assert response["Error"]["Code"] == "ConditionalCheckFailedException"
    assert response["ResponseMetadata"]["HTTPStatusCode"] == 400
    assert response["Item"] == item


def test_a_cancelled_transaction_brings_its_reasons(client: Any) -> None:
    check = {"TableName": "things", "Key": KEY, "ConditionExpression": "attribute_exists(pk)"}
    with pytest.raises(client.exceptions.TransactionCanceledException) as refusal:
        client.transact_write_items(TransactItems=[{"ConditionCheck": check}])
    assert refusal.value.response["CancellationReasons"][0]["Code"] == "ConditionalCheckFailed"


def test_an_operation_that_the_engine_lacks_is_refused_and_not_sent_to_aws(client: Any) -> None:
    with pytest.raises(ClientError, match="no operation ListBackups"):
        client.list_backups()


def test_paginators_and_waiters_work(client: Any) -> None:
    for number in range(5):
        client.put_item(TableName="things", Item={"pk": {"S": str(number)}})
    pages = client.get_paginator("scan").paginate(
        TableName="things",
        PaginationConfig={"PageSize": 2},
    )
    assert sum(page["Count"] for page in pages) == 5
    client.get_waiter("table_exists").wait(TableName="things")


def test_a_resource_speaks_python_values(engine: Engine, session: boto3.Session) -> None:
    resource = attach(session.resource("dynamodb", endpoint_url=NOWHERE), engine)
    table = resource.Table("things")
    table.put_item(Item={"pk": "a", "n": Decimal("1.5"), "s": {"x", "y"}})
    assert table.get_item(Key={"pk": "a"})["Item"] == {
        "pk": "a",
        "n": Decimal("1.5"),
        "s": {"x", "y"},
    }
    with table.batch_writer() as batch:
        for number in range(30):
            batch.put_item(Item={"pk": f"batch {number}"})
    assert table.scan(Select="COUNT")["Count"] == 31


@pytest.fixture
def attached(session: boto3.Session, engine: Engine) -> Iterator[boto3.Session]:
    yield attach(session, engine)
    detach(session)


def test_every_client_of_an_attached_session_runs_on_the_engine(attached: boto3.Session) -> None:
    assert attached.client("dynamodb").list_tables()["TableNames"] == ["things"]
    assert [table.name for table in attached.resource("dynamodb").tables.all()] == ["things"]


def test_clients_made_after_a_session_was_detached_are_left_alone(attached: boto3.Session) -> None:
    detach(attached)
    with pytest.raises(NoCredentialsError):
        attached.client("dynamodb", endpoint_url=NOWHERE).list_tables()


def test_a_session_of_botocore_can_be_attached_too(engine: Engine) -> None:
    session = attach(botocore.session.Session(), engine)
    client = session.create_client("dynamodb", region_name="eu-west-1")
    assert client.list_tables()["TableNames"] == ["things"]


@pytest.mark.parametrize(
    ("service", "call"),
    [("sqs", "list_queues"), ("dax", "describe_clusters")],
)
def test_calls_to_other_services_go_where_they_went_before(
    attached: boto3.Session,
    service: str,
    call: str,
) -> None:
    with pytest.raises(NoCredentialsError):
        getattr(attached.client(service, endpoint_url=NOWHERE), call)()


def test_a_session_reads_the_streams_of_its_tables(attached: boto3.Session) -> None:
    tables = attached.client("dynamodb", endpoint_url=NOWHERE)
    streams = attached.client("dynamodbstreams", endpoint_url=NOWHERE)
    assert streams.list_streams(TableName="things")["Streams"] == []
    enabled = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    table = tables.update_table(TableName="things", StreamSpecification=enabled)
    (found,) = streams.list_streams(TableName="things")["Streams"]
    assert found["StreamArn"] == table["TableDescription"]["LatestStreamArn"]
    with pytest.raises(streams.exceptions.ResourceNotFoundException):
        streams.describe_stream(StreamArn=found["StreamArn"] + "1")


def test_other_clients_are_left_alone(client: Any, session: boto3.Session) -> None:
    assert client.list_tables()["TableNames"] == ["things"]
    with pytest.raises(NoCredentialsError):
        session.client("dynamodb", endpoint_url=NOWHERE).list_tables()


def test_a_detached_client_goes_to_the_network_again(client: Any) -> None:
    with pytest.raises((NoCredentialsError, EndpointConnectionError)):
        detach(client).list_tables()
    detach(client)


def test_a_client_can_change_over_to_another_engine(client: Any) -> None:
    with Engine(None) as empty:
        assert attach(client, empty).list_tables()["TableNames"] == []


def test_handlers_of_the_callers_own_still_see_each_call(client: Any) -> None:
    seen: list[str] = []
    client.meta.events.register(
        "before-call.dynamodb",
        lambda model, **_: seen.append(model.name),
    )
    client.list_tables()
    assert seen == ["ListTables"]


def test_a_stubbed_client_stays_stubbed(client: Any) -> None:
    with Stubber(client) as stubber:
        stubber.add_response("list_tables", {"TableNames": ["stubbed"]})
        assert client.list_tables()["TableNames"] == ["stubbed"]


def test_a_closed_engine_says_so(client: Any, engine: Engine) -> None:
    engine.close()
    with pytest.raises(StoreClosed):
        client.get_item(TableName="things", Key=KEY)


@pytest.mark.parametrize("target", ["dynamodb", None, object()])
def test_only_what_boto3_makes_can_be_attached(target: Any, engine: Engine) -> None:
    with pytest.raises(UsageError, match="DynamoDB client or resource of boto3, or a session"):
        attach(target, engine)


def test_attaching_imports_nothing_of_boto3_by_itself() -> None:
    code = "import sys, gotgan.store.engine.attach; sys.exit('botocore' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_client_of_another_service_cannot_be_attached() -> None:
    with Engine(None) as engine, pytest.raises(UsageError, match="DynamoDB client"):
        attach(boto3.client("sqs", region_name="us-east-1"), engine)


def test_a_path_is_not_taken_for_an_engine() -> None:
    client: Any = boto3.client("dynamodb", region_name="us-east-1")
    path: Any = "goods.sqlite3"
    with pytest.raises(UsageError, match=r"Engine\('goods.sqlite3'\)"):
        attach(client, path)
