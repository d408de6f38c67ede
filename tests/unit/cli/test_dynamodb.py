"""``gotgan dynamodb`` as a program: it listens, says so, keeps what it answered, and ends well."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest

from gotgan.cli import main
from gotgan.cli.dynamodb import SAMPLE_ITEMS, SAMPLE_TABLE
from gotgan.cli.output import ExitCode

Capture = pytest.CaptureFixture[str]


@contextmanager
def running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command on a free port, and what it said when it listened."""
    command = [sys.executable, "-m", "gotgan", "dynamodb", "--port", "0", *words]
    environment = os.environ | {"GOTGAN_DATA": str(folder)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline()
        finally:
            process.terminate()
            process.communicate(timeout=30)


def client_of(said: str) -> Any:
    return boto3.client(
        "dynamodb",
        endpoint_url=json.loads(said)["endpoint"],
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",
    )


def test_it_says_in_json_where_it_listens(tmp_path: Path) -> None:
    with running(tmp_path, "--json") as (_process, said):
        listening = json.loads(said)
    assert listening["event"] == "listening"
    assert listening["endpoint"].startswith("http://127.0.0.1:")
    assert listening["file"] == str(tmp_path / "dynamodb.sqlite3")
    assert listening["sample"] is None


def test_it_says_to_people_what_to_try(tmp_path: Path) -> None:
    with running(tmp_path, "--sample") as (process, said):
        assert process.stdout is not None
        process.send_signal(signal.SIGTERM)
        text = said + process.stdout.read()
    for word in ("http://127.0.0.1:", "aws dynamodb scan", "dynamodb-admin", "boto3", SAMPLE_TABLE):
        assert word in text


def test_the_sample_is_made_once_and_then_left_alone(tmp_path: Path) -> None:
    key = {"shelf": {"S": "jars"}, "goods": {"S": "kimchi"}}
    eaten = {**key, "kind": {"S": "fermented"}, "kilos": {"N": "0"}}
    with running(tmp_path, "--json", "--sample") as (_process, said):
        client = client_of(said)
        assert client.scan(TableName=SAMPLE_TABLE)["Count"] == len(SAMPLE_ITEMS)
        client.put_item(TableName=SAMPLE_TABLE, Item=eaten)
    with running(tmp_path, "--json", "--sample") as (_process, said):
        client = client_of(said)
        assert client.scan(TableName=SAMPLE_TABLE)["Count"] == len(SAMPLE_ITEMS)
        assert client.get_item(TableName=SAMPLE_TABLE, Key=key)["Item"] == eaten


def test_the_samples_index_holds_what_can_spoil_in_order(tmp_path: Path) -> None:
    with running(tmp_path, "--json", "--sample", "--memory") as (_process, said):
        found = client_of(said).query(
            TableName=SAMPLE_TABLE,
            IndexName="by_kind",
            KeyConditionExpression="kind = :kind",
            ExpressionAttributeValues={":kind": {"S": "dried"}},
        )
    goods = [item["goods"]["S"] for item in found["Items"]]
    assert goods == ["dried persimmons", "garlic", "red peppers"]


def test_memory_leaves_no_file_behind(tmp_path: Path) -> None:
    with running(tmp_path / "data", "--json", "--memory") as (_process, said):
        assert json.loads(said)["file"] is None
        assert client_of(said).list_tables()["TableNames"] == []
    assert not (tmp_path / "data").exists()


def test_the_folder_can_be_given_as_an_option(tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    with running(tmp_path / "other", "--json", "--data", str(chosen)) as (_process, said):
        assert json.loads(said)["file"] == str(chosen / "dynamodb.sqlite3")
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path, "--json") as (process, _said):
        process.send_signal(number)
        assert process.wait(timeout=30) == ExitCode.OK


def test_a_port_that_is_taken_is_a_sentence_with_a_remedy(tmp_path: Path, capsys: Capture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["dynamodb", "--data", str(tmp_path), "--port", port]) != ExitCode.OK
    shown = capsys.readouterr().err
    assert f"127.0.0.1:{port}" in shown
    assert "port" in shown
    assert "Traceback" not in shown


def test_a_folder_that_cannot_be_made_is_a_sentence_with_a_remedy(
    tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "file").touch()
    assert main(["dynamodb", "--data", str(tmp_path / "file" / "in")]) == ExitCode.FAILED
    assert "GOTGAN_DATA" in capsys.readouterr().err


def test_a_foreign_file_is_refused_and_left_as_it_is(tmp_path: Path, capsys: Capture) -> None:
    foreign = tmp_path / "dynamodb.sqlite3"
    foreign.write_text("a letter to somebody\n" * 40)
    assert main(["dynamodb", "--data", str(tmp_path), "--port", "0"]) == ExitCode.FAILED
    assert "[store.foreign]" in capsys.readouterr().err
    assert foreign.read_text() == "a letter to somebody\n" * 40


def test_a_folder_and_memory_exclude_each_other(tmp_path: Path, capsys: Capture) -> None:
    assert main(["dynamodb", "--memory", "--data", str(tmp_path)]) == ExitCode.USAGE
    assert "leave one of them out" in capsys.readouterr().err


def test_a_misspelt_setting_is_noticed_before_anything_is_done(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOTGAN_DATTA", "x")
    assert main(["dynamodb", "--data", str(tmp_path / "new")]) == ExitCode.FAILED
    assert "Did you mean GOTGAN_DATA?" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_an_address_that_others_can_reach_is_a_warning(tmp_path: Path) -> None:
    with running(tmp_path, "--json", "--memory", "--host", "0.0.0.0") as (process, _said):  # noqa: S104 - that is what is tested
        assert process.stderr is not None
        warning = json.loads(process.stderr.readline())
    assert (warning["level"], warning["event"]) == ("warning", "dynamodb.exposed")
