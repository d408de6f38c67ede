"""``gotgan tables follow``: what it prints, and how it begins and ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.store.engine import Client, connect
from gotgan.store.engine.http import background_server
from tests.contract.shapes import item
from tests.contract.tables import Table, create_table

Capture = pytest.CaptureFixture[str]
ENABLED = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
DISABLED = {"StreamEnabled": False}


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))
    with connect(tmp_path / "dynamodb.sqlite3", synchronous="normal") as client:
        yield client


@pytest.fixture
def table(client: Client) -> Table:
    return create_table(client, "shelf:S goods:S", name="goods", StreamSpecification=ENABLED)


@contextmanager
def following(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The command on the table, once it follows it."""
    command = [sys.executable, "-m", "gotgan", "tables", "follow", "goods", *words]
    environment = os.environ | {"GOTGAN_DATA": str(folder), "PYTHONUNBUFFERED": "1"}
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "Following goods. Ctrl-C stops it.\n"
        try:
            yield process
        finally:
            process.kill()


def test_people_read_what_is_different(table: Table, capsys: Capture) -> None:
    key = {"shelf": "jars", "goods": "kimchi"}
    table.put(**key, kilos=30, kind="fermented")
    table.put(**key, kilos=28, note="half\x1b[31m", places=["cellar"])
    table.delete_item(Key=item(key))
    assert main(["tables", "follow", "goods", "--from", "start", "--once"]) == ExitCode.OK
    inserted, modified, removed = (
        line.split("  ", 1)[1] for line in capsys.readouterr().out.splitlines()
    )
    assert inserted == "INSERT  shelf=jars  goods=kimchi  kilos=30  kind=fermented"
    assert modified == (
        "MODIFY  shelf=jars  goods=kimchi  kilos: 30 → 28  -kind  +note=half\\u001b[31m"
        '  +places=["cellar"]'
    )
    assert removed.startswith("REMOVE  shelf=jars  goods=kimchi  kilos=28")


def test_programs_read_an_object_per_line(table: Table, capsys: Capture) -> None:
    table.put(shelf="jars", goods="kimchi", raw=b"\x00")
    table.delete_item(Key=item(shelf="jars", goods="kimchi"))
    words = ["--json", "tables", "follow", "goods", "--from", "start", "--once"]
    assert main(words) == ExitCode.OK
    inserted, removed = map(json.loads, capsys.readouterr().out.splitlines())
    assert (inserted["event"], removed["event"]) == ("INSERT", "REMOVE")
    assert inserted["keys"] == {"shelf": "jars", "goods": "kimchi"}
    assert inserted["new"] == removed["old"] == {**inserted["keys"], "raw": "AA=="}
    assert inserted["old"] is removed["new"] is None
    assert inserted["expired"] is False
    assert int(inserted["sequence"]) < int(removed["sequence"])
    assert inserted["at"].endswith("Z")


def test_only_keys_are_shown_where_the_stream_has_no_more(client: Client, capsys: Capture) -> None:
    keys_only = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    table = create_table(client, name="goods", StreamSpecification=keys_only)
    for n in range(2):
        table.put(pk="a", n=n)
    assert main(["tables", "follow", "goods", "--from", "start", "--once"]) == ExitCode.OK
    lines = [line.split("  ", 1)[1] for line in capsys.readouterr().out.splitlines()]
    assert lines == ["INSERT  pk=a", "MODIFY  pk=a"]


def test_a_table_without_a_stream_names_the_option_that_enables_one(
    client: Client, capsys: Capture
) -> None:
    create_table(client, name="goods")
    assert main(["tables", "follow", "goods", "--once"]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert "Table goods has no stream" in said
    assert "gotgan tables follow goods --enable" in said
    assert main(["tables", "follow", "goods", "--once", "--enable"]) == ExitCode.OK
    described = client.describe_table(TableName="goods")["Table"]
    assert described["StreamSpecification"] == ENABLED


def test_it_prints_changes_as_they_come_until_the_stream_is_disabled(
    tmp_path: Path, table: Table
) -> None:
    table.put(shelf="before", goods="a")
    with following(tmp_path) as process:
        assert process.stdout is not None
        table.put(shelf="after", goods="a")
        assert process.stdout.readline().endswith("INSERT  shelf=after  goods=a\n")
        table.update_table(StreamSpecification=DISABLED)
        rest, said = process.communicate(timeout=30)
        assert (rest, said) == ("", "The stream of goods was disabled.\n")
        assert process.returncode == ExitCode.OK


def test_ctrl_c_ends_it_well(tmp_path: Path, table: Table) -> None:
    with following(tmp_path) as process:
        assert process.stdout is not None
        table.put(shelf="a", goods="b")
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == ("", "")
        assert process.returncode == ExitCode.OK


def test_any_dynamodb_of_the_settings_is_followed(
    client: Client, table: Table, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    table.put(shelf="jars", goods="kimchi")
    with background_server(client.engine) as url:
        monkeypatch.setenv("GOTGAN_DYNAMODB", url)
        assert main(["tables", "follow", "goods", "--from", "start", "--once"]) == ExitCode.OK
    assert capsys.readouterr().out.endswith("INSERT  shelf=jars  goods=kimchi\n")


def test_what_time_to_live_removed_is_marked(client: Client, table: Table, capsys: Capture) -> None:
    expiry = {"AttributeName": "expires", "Enabled": True}
    table.update_time_to_live(TimeToLiveSpecification=expiry)
    table.put(shelf="a", goods="b", expires=int(time.time()) - 100)
    assert client.engine.sweep() == 1
    assert main(["tables", "follow", "goods", "--from", "start", "--once"]) == ExitCode.OK
    assert capsys.readouterr().out.endswith("  (expired)\n")
