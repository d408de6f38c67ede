"""The fixtures for pytest, in runs of pytest of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gotgan.errors import UsageError
from gotgan.store.engine import Client, Engine

from .rawhttp import table_request

SETUP = """
import pytest

THINGS = {
    "TableName": "things",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


@pytest.fixture(scope="session")
def dynamodb_setup():
    def set_up(client):
        client.create_table(**THINGS)
        client.put_item(TableName="things", Item={"pk": {"S": "first"}})

    return set_up


def keys(client):
    return [item["pk"]["S"] for item in client.scan(TableName="things")["Items"]]
"""


def run(folder: Path, source: str, *words: str) -> str:
    """Run pytest on a file, with no other plugin, and return what it prints."""
    (folder / "test_it.py").write_text(source)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "gotgan.store.engine.pytest_plugin"]
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [*command, *words, "test_it.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_every_test_starts_with_what_the_setup_made(tmp_path: Path) -> None:
    source = """
def test_it_writes(dynamodb_client):
    dynamodb_client.put_item(TableName="things", Item={"pk": {"S": "second"}})
    assert sorted(keys(dynamodb_client)) == ["first", "second"]
    dynamodb_client.create_table(**THINGS | {"TableName": "others"})

def test_it_drops_the_table(dynamodb_client):
    dynamodb_client.delete_table(TableName="things")
    assert dynamodb_client.list_tables()["TableNames"] == []

def test_it_finds_nothing_of_that(dynamodb_client, dynamodb_resource):
    assert dynamodb_client.list_tables()["TableNames"] == ["things"]
    assert keys(dynamodb_client) == ["first"]
    assert dynamodb_resource.Table("things").item_count == 1
"""
    assert "3 passed" in run(tmp_path, SETUP + source)


def test_code_that_makes_its_own_client_runs_on_the_engine(tmp_path: Path) -> None:
    source = """
import boto3

def test_the_default_session(dynamodb_session):
    assert keys(boto3.client("dynamodb")) == ["first"]
    assert boto3.DEFAULT_SESSION is dynamodb_session

def test_it_is_the_default_for_one_test():
    assert boto3.DEFAULT_SESSION is None
"""
    assert "2 passed" in run(tmp_path, SETUP + source)


def test_another_process_is_served_over_http(tmp_path: Path) -> None:
    source = """
import subprocess, sys

PROGRAM = '''
import boto3
boto3.client("dynamodb").put_item(TableName="things", Item={"pk": {"S": "theirs"}})
'''

def test_it_writes(dynamodb_endpoint, dynamodb_client):
    assert dynamodb_endpoint.startswith("http://127.0.0.1:")
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)
    assert sorted(keys(dynamodb_client)) == ["first", "theirs"]

def test_it_is_rolled_back(dynamodb_client):
    assert keys(dynamodb_client) == ["first"]
"""
    assert "2 passed" in run(tmp_path, SETUP + source)


def test_a_run_that_does_not_use_it_loads_nothing_of_the_engine(tmp_path: Path) -> None:
    source = """
import sys

def test_what_is_loaded():
    assert "gotgan.store.engine.pytest_plugin" in sys.modules
    loaded = {name for name in sys.modules if name.startswith("gotgan.")}
    assert loaded == {"gotgan.store", "gotgan.store.engine", "gotgan.store.engine.pytest_plugin"}
    assert "boto3" not in sys.modules
"""
    assert "1 passed" in run(tmp_path, source)


def test_the_fixtures_describe_themselves(tmp_path: Path) -> None:
    said = run(tmp_path, "", "--fixtures")
    assert "dynamodb_client" in said
    assert "A client of boto3 on the engine, without a port." in said


def test_rolled_back_blocks_may_be_nested() -> None:
    with Engine(None) as engine:
        client = Client(engine)
        client.create_table(**table_request("things"))
        with engine.rolled_back():
            client.put_item(TableName="things", Item={"pk": {"S": "outer"}})
            with engine.rolled_back():
                client.put_item(TableName="things", Item={"pk": {"S": "inner"}})
                client.create_table(**table_request("others"))
            assert client.scan(TableName="things")["Items"] == [{"pk": {"S": "outer"}}]
            client.delete_table(TableName="things")
        assert client.scan(TableName="things")["Items"] == []
        assert client.list_tables()["TableNames"] == ["things"]


def test_a_table_that_is_made_after_a_roll_back_has_nothing_of_the_one_before() -> None:
    with Engine(None) as engine:
        client = Client(engine)
        with engine.rolled_back():
            client.create_table(**table_request("things"))
            client.put_item(TableName="things", Item={"pk": {"S": "a"}, "sk": {"S": "a"}})
        client.create_table(**table_request("others"))
        with pytest.raises(client.exceptions.ResourceNotFoundException):
            client.scan(TableName="things")
        assert client.scan(TableName="others")["Items"] == []


def test_a_block_that_fails_is_rolled_back_too() -> None:
    def fail(client: Client) -> None:
        client.create_table(**table_request("things"))
        raise ZeroDivisionError

    with Engine(None) as engine:
        client = Client(engine)
        with pytest.raises(ZeroDivisionError), engine.rolled_back():
            fail(client)
        assert client.list_tables()["TableNames"] == []


def test_a_file_is_not_rolled_back(tmp_path: Path) -> None:
    with (
        Engine(tmp_path / "goods.sqlite3") as engine,
        pytest.raises(UsageError, match="in memory"),
        engine.rolled_back(),
    ):
        pass
