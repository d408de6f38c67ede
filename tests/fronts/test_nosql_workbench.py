"""NoSQL Workbench is a desktop program that cannot run here: these are the calls that it makes."""

from __future__ import annotations

import http.client
from typing import Any
from urllib.parse import urlsplit

import boto3
import pytest


@pytest.fixture
def workbench(session: boto3.Session, endpoint: str) -> Any:
    """A client that names its region as Workbench does for a connection to this machine."""
    return session.client("dynamodb", endpoint_url=endpoint, region_name="localhost")


def test_it_asks_first_whether_its_page_may_call(endpoint: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=30)
    asked = "authorization,content-type,x-amz-content-sha256,x-amz-date,x-amz-target"
    headers = {
        "Origin": "file://",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": asked,
    }
    connection.request("OPTIONS", "/", headers=headers)
    response = connection.getresponse()
    connection.close()
    assert response.status == 200
    assert response.headers["access-control-allow-origin"] == "file://"
    assert response.headers["access-control-allow-methods"] == "POST"
    assert response.headers["access-control-allow-headers"] == asked


def test_it_lists_the_tables_and_describes_each(workbench: Any, table: str) -> None:
    names = workbench.list_tables(Limit=100)["TableNames"]
    assert table in names
    described = workbench.describe_table(TableName=table)["Table"]
    assert described["TableStatus"] == "ACTIVE"
    assert [part["AttributeName"] for part in described["KeySchema"]] == ["pk", "sk"]


def test_what_one_region_wrote_another_region_reads(
    workbench: Any, client: Any, table: str
) -> None:
    item = {"pk": {"S": "a"}, "sk": {"N": "1"}}
    client.put_item(TableName=table, Item=item)
    assert workbench.scan(TableName=table)["Items"] == [item]
