"""An endpoint on a file, for the clients of all these tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server

_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an endpoint whose engine keeps a file."""
    path = tmp_path_factory.mktemp("fronts") / "dynamodb.sqlite3"
    with Engine(path) as engine, background_server(engine) as url:
        yield url


@pytest.fixture(scope="session")
def session() -> boto3.Session:
    """A session with the credentials that any will do."""
    return boto3.Session(
        aws_access_key_id="any",
        aws_secret_access_key="any",
        region_name="us-east-1",
    )


@pytest.fixture(scope="session")
def client(session: boto3.Session, endpoint: str) -> Iterator[Any]:
    """boto3's client at the endpoint."""
    client = session.client("dynamodb", endpoint_url=endpoint)
    yield client
    client.close()


@pytest.fixture
def table(client: Any) -> Iterator[str]:
    """The name of a table keyed by ``pk`` and ``sk``, for one test."""
    name = f"table-{next(_numbers)}"
    client.create_table(
        TableName=name,
        KeySchema=[
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"},
        ],
        AttributeDefinitions=[
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    client.get_waiter("table_exists").wait(TableName=name)
    yield name
    client.delete_table(TableName=name)
