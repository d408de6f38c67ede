"""dynamodb-admin, the web page for DynamoDB, run against the endpoint as a person would use it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest

from gotgan.domains.shops.models import SHOPS, Shop
from gotgan.store.outputs.definition import create_request
from gotgan.store.schema import schema_of

from .npm import node_program

KEY = "a,1"


@pytest.fixture(scope="module")
def admin(endpoint: str) -> Iterator[str]:
    """The URL of a running dynamodb-admin."""
    program = node_program("dynamodb-admin", "5.3.3", "dist/dynamodb-admin.js")
    command = [*program, "--host", "127.0.0.1", "--port", "0", "--dynamo-endpoint", endpoint]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield _address(process)
        finally:
            process.terminate()
            process.communicate(timeout=30)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        found = re.search(r"listening on (http://\S+)", line)
        if found:
            return found[1]
    raise AssertionError("dynamodb-admin ended before it listened")


def fetch(url: str, method: str = "GET", body: Any = None) -> str:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(url, data, headers, method=method), timeout=30) as response:  # noqa: S310
        text: str = response.read().decode()
        return text


def test_it_lists_the_tables(admin: str, table: str) -> None:
    assert table in fetch(admin)
    listed = json.loads(fetch(f"{admin}/api/tables"))
    assert table in [each["TableName"] for each in listed]


def test_it_opens_a_table(admin: str, table: str) -> None:
    page = fetch(f"{admin}/tables/{table}")
    assert table in page
    assert "pk" in page
    assert "PAY_PER_REQUEST" in fetch(f"{admin}/tables/{table}/meta")


def test_it_puts_an_item_and_reads_changes_and_deletes_it(
    admin: str,
    client: Any,
    table: str,
) -> None:
    item = {"pk": "a", "sk": 1, "note": "from the page", "deep": {"list": [1, True, None]}}
    assert json.loads(fetch(f"{admin}/tables/{table}/add-item", "PUT", item)) == {
        "pk": "a",
        "sk": 1,
    }
    assert "from the page" in fetch(f"{admin}/tables/{table}/items/{KEY}")
    changed = fetch(f"{admin}/tables/{table}/items/{KEY}", "PUT", item | {"note": "changed"})
    assert json.loads(changed)["note"] == "changed"
    stored = client.get_item(TableName=table, Key={"pk": {"S": "a"}, "sk": {"N": "1"}})["Item"]
    assert stored["note"] == {"S": "changed"}
    fetch(f"{admin}/tables/{table}/items/{KEY}", "DELETE")
    assert client.scan(TableName=table)["Count"] == 0


def test_it_scans_and_queries_in_pages(admin: str, client: Any, table: str) -> None:
    for number in range(6):
        client.put_item(TableName=table, Item={"pk": {"S": "a"}, "sk": {"N": str(number)}})
    page = json.loads(fetch(f"{admin}/tables/{table}/items?pageSize=4"))
    assert len(page["Items"]) == 4
    rest = json.loads(fetch(f"{admin}/tables/{table}/items?pageSize=4&startKey={page['nextKey']}"))
    assert len(rest["Items"]) == 2
    filters = "%7B%22pk%22%3A%7B%22operator%22%3A%22%3D%22%2C%22value%22%3A%22a%22%7D%7D"
    found = fetch(f"{admin}/tables/{table}/items?operationType=query&filters={filters}")
    assert len(json.loads(found)["Items"]) == 6


def test_it_makes_and_purges_and_deletes_a_table(admin: str, client: Any) -> None:
    definition = {
        "TableName": "made-in-a-page",
        "HashAttributeName": "id",
        "HashAttributeType": "S",
        "ReadCapacityUnits": 3,
        "WriteCapacityUnits": 3,
    }
    fetch(f"{admin}/create-table", "POST", {"TableDefinition": definition})
    client.put_item(TableName="made-in-a-page", Item={"id": {"S": "a"}})
    fetch(f"{admin}/tables/made-in-a-page/all", "DELETE")
    assert client.scan(TableName="made-in-a-page")["Count"] == 0
    assert "made-in-a-page" in fetch(f"{admin}/tables/made-in-a-page/ttl")
    fetch(f"{admin}/tables/made-in-a-page", "DELETE")
    assert "made-in-a-page" not in client.list_tables()["TableNames"]


def test_it_shows_the_table_of_the_shops(admin: str, client: Any) -> None:
    client.create_table(**create_request(SHOPS))
    shop = Shop(domain="example.com", core_domain_name="example", shop_country="DE")
    client.put_item(TableName=SHOPS.name, Item=schema_of(Shop).item(shop))
    assert "GSI1" in fetch(f"{admin}/tables/{SHOPS.name}")
    [item] = json.loads(fetch(f"{admin}/tables/{SHOPS.name}/items?pageSize=4"))["Items"]
    assert (item["pk"], item["gsi2_sk"]) == ("SHOP#example.com", "NEVER#")
    assert "GSI2" in fetch(f"{admin}/tables/{SHOPS.name}/meta")
    client.delete_table(TableName=SHOPS.name)
