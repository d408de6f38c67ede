"""The AWS CLI, as a program of its own, with nothing changed but ``--endpoint-url``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "any",
    "AWS_SECRET_ACCESS_KEY": "any",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_PAGER": "",
}
COLOURS = "cli-colours"


@dataclass(frozen=True)
class Cli:
    """``aws dynamodb`` at one endpoint."""

    endpoint: str

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        program = Path(sys.executable).with_name("aws")
        return subprocess.run(
            [str(program), "dynamodb", *words, "--endpoint-url", self.endpoint],
            env={**os.environ, **ENVIRONMENT},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def __call__(self, *words: str) -> Any:
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout.strip() else None


@pytest.fixture(scope="module")
def aws(endpoint: str, client: Any) -> Iterator[Cli]:
    """The CLI, and a table of thirty colours that it made itself."""
    cli = Cli(endpoint)
    cli(
        "create-table",
        *("--table-name", COLOURS),
        *("--key-schema", "AttributeName=pk,KeyType=HASH", "AttributeName=sk,KeyType=RANGE"),
        "--attribute-definitions",
        "AttributeName=pk,AttributeType=S",
        "AttributeName=sk,AttributeType=N",
        *("--billing-mode", "PAY_PER_REQUEST"),
    )
    cli("wait", "table-exists", "--table-name", COLOURS)
    for start in (0, 15):
        puts = [{"PutRequest": {"Item": colour(number)}} for number in range(start, start + 15)]
        written = cli("batch-write-item", "--request-items", json.dumps({COLOURS: puts}))
        assert written["UnprocessedItems"] == {}
    yield cli
    client.delete_table(TableName=COLOURS)


def colour(number: int) -> dict[str, Any]:
    return {"pk": {"S": "colour"}, "sk": {"N": str(number)}, "name": {"S": f"no. {number}"}}


def test_it_puts_and_gets_an_item_with_bytes(aws: Cli) -> None:
    key = {"pk": {"S": "one"}, "sk": {"N": "1"}}
    item = json.dumps(
        key | {"raw": {"B": "hi"}}
    )  # the CLI takes bytes raw and shows them in base64
    aws("put-item", "--table-name", COLOURS, "--item", item)
    found = aws("get-item", "--table-name", COLOURS, "--key", json.dumps(key))
    assert found == {"Item": key | {"raw": {"B": "aGk="}}}


def test_it_queries_a_range(aws: Cli) -> None:
    found = aws(
        "query",
        *("--table-name", COLOURS),
        *("--key-condition-expression", "pk = :p AND sk BETWEEN :low AND :high"),
        "--expression-attribute-values",
        json.dumps({":p": {"S": "colour"}, ":low": {"N": "9"}, ":high": {"N": "11"}}),
    )
    assert [item["sk"]["N"] for item in found["Items"]] == ["9", "10", "11"]


def test_it_scans_through_all_pages(aws: Cli) -> None:
    only = json.dumps({":p": {"S": "colour"}})
    scan = ("scan", "--table-name", COLOURS, "--filter-expression", "pk = :p")
    found = aws(*scan, "--expression-attribute-values", only, "--page-size", "7")
    assert sorted(int(item["sk"]["N"]) for item in found["Items"]) == list(range(30))


def test_it_goes_on_where_it_stopped(aws: Cli) -> None:
    scan = ("scan", "--table-name", COLOURS, "--page-size", "4", "--max-items", "10")
    first = aws(*scan)
    assert len(first["Items"]) == 10
    second = aws(*scan, "--starting-token", first["NextToken"])
    keys = [(item["pk"]["S"], item["sk"]["N"]) for item in first["Items"] + second["Items"]]
    assert len(set(keys)) == 20


def test_it_writes_a_transaction_and_shows_why_one_was_cancelled(aws: Cli) -> None:
    item = {"pk": {"S": "transaction"}, "sk": {"N": "1"}}
    put = {
        "TableName": COLOURS,
        "Item": item,
        "ConditionExpression": "attribute_not_exists(pk)",
    }
    words = ("transact-write-items", "--transact-items", json.dumps([{"Put": put}]))
    aws(*words)
    again = aws.run(*words)
    assert again.returncode != 0
    assert "TransactionCanceledException" in again.stderr
    assert "ConditionalCheckFailed" in again.stderr


def test_it_turns_time_to_live_on(aws: Cli, client: Any) -> None:
    aws(
        "update-time-to-live",
        *("--table-name", COLOURS),
        *("--time-to-live-specification", "Enabled=true,AttributeName=until"),
    )
    described = client.describe_time_to_live(TableName=COLOURS)["TimeToLiveDescription"]
    assert described["AttributeName"] == "until"


def test_it_shows_the_refusal_of_a_table_that_is_not_there(aws: Cli) -> None:
    done = aws.run("describe-table", "--table-name", "nowhere")
    assert done.returncode != 0
    assert "ResourceNotFoundException" in done.stderr
