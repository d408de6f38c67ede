"""``gotgan-dynamodb``: its own options, and those of DynamoDB Local.

The arguments are those of the page "DynamoDB local usage notes" of AWS's developer guide; Java's
are those of AWS's image and of its compose file.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gotgan.store.engine.local import main, parse

from .rawhttp import ask, call, table_request

Capture = pytest.CaptureFixture[str]


@contextmanager
def running(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The program on a free port, and its URL."""
    command = [sys.executable, "-m", "gotgan.store.engine.local", "-port", "0", *words]
    with subprocess.Popen(
        command, cwd=folder, env=os.environ, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().split(" listens at ")[1].split()[0]
        finally:
            process.terminate()


@pytest.mark.parametrize(
    "words",
    [
        "-jar DynamoDBLocal.jar -inMemory",
        "-Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -sharedDb -inMemory",
        "-Xmx1g -jar DynamoDBLocal.jar -inMemory -port 8000",
        "-inMemory -delayTransientStatuses -disableTelemetry -cors *",
        "--memory",
    ],
)
def test_a_command_line_of_dynamodb_local_in_memory(words: str) -> None:
    options = parse(words.split())
    assert options.memory
    assert options.port == 8000
    assert options.data is None


def test_a_command_line_of_dynamodb_local_with_a_folder() -> None:
    words = "-jar DynamoDBLocal.jar -sharedDb -dbPath ./data -optimizeDbBeforeStartup -port 8001"
    options = parse(words.split())
    assert not options.memory
    assert options.data == Path("data")
    assert options.port == 8001


def test_both_spellings_mean_the_same() -> None:
    ours = parse(["--data", "goods", "--port", "1", "--cors", "https://a.example"])
    assert vars(ours) == vars(
        parse(["-dbPath", "goods", "-port", "1", "-cors", "https://a.example"])
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-inMemory -dbPath data", "not allowed with"),
        ("-port 99999", "'99999' is not a port"),
        ("-port http", "'http' is not a port"),
        ("-inmemory", "unrecognized arguments: -inmemory"),
    ],
)
def test_a_wrong_command_line_is_refused(words: str, said: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("word", ["-help", "--help", "-h"])
def test_help_names_every_argument(word: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main([word])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    for name in [
        "-cors",
        "-dbPath",
        "-delayTransientStatuses",
        "-disableTelemetry",
        "-help",
        "-inMemory",
        "-optimizeDbBeforeStartup",
        "-port",
        "-sharedDb",
        "-version",
    ]:
        assert f"{name}" in said


def test_the_version_is_that_of_the_package(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["-version"])
    assert capsys.readouterr().out.startswith("gotgan-dynamodb ")


def test_a_taken_port_is_an_error(capsys: Capture) -> None:
    import socket  # noqa: PLC0415 - for this test alone

    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["-inMemory", "-port", str(taken.getsockname()[1])]) == 2
    assert "Choose another port" in capsys.readouterr().err


def test_tables_are_kept_in_the_folder(tmp_path: Path) -> None:
    for _ in range(2):
        with running(tmp_path, "-dbPath", "goods", "-sharedDb") as (process, url):
            call(url, "CreateTable", table_request("things"))
            assert call(url, "ListTables", {}).json == {"TableNames": ["things"]}
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == 0
    assert (tmp_path / "goods" / "dynamodb.sqlite3").exists()


def test_pages_of_the_given_origins_may_call(tmp_path: Path) -> None:
    with running(tmp_path, "-inMemory", "-cors", "https://a.example, https://b.example") as (
        _,
        url,
    ):
        allowed = ask(url, headers={"Origin": "https://b.example"})
        assert allowed.headers["access-control-allow-origin"] == "https://b.example"
        assert ask(url, headers={"Origin": "https://c.example"}).status == 403
        assert ask(url, headers={"Origin": "http://localhost:3000"}).status == 200


def test_any_page_may_call_where_that_is_wanted(tmp_path: Path) -> None:
    with running(tmp_path, "-inMemory", "-cors", "*") as (_, url):
        assert ask(url, headers={"Origin": "https://c.example"}).status == 200
