"""``gotgan world`` as a program: it listens, says how to use it, and ends quietly."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from tests.patience import PATIENCE

Capture = pytest.CaptureFixture[str]
HOST = {"Host": "finance.yahoo.com"}


@contextmanager
def running(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command on a free port, and its first line."""
    command = [sys.executable, "-m", "gotgan", "world", "--port", "0", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


def test_it_serves_a_day_with_its_faults_and_ends_quietly_though_a_client_waits() -> None:
    words = ["--json", "--day", "2025-11-06", "--fault", "throttled", "--fault", "hang@*/m/*"]
    with running(*words) as (process, said):
        listening = json.loads(said)
        url = listening["url"]
        assert listening["day"] == "2025-11-06"
        assert listening["resolve"] == f"*={url.removeprefix('http://')}"
        assert "finance.yahoo.com" in listening["hosts"]
        assert (
            httpx.get(f"{url}/topic/latest-news/", headers=HOST, timeout=PATIENCE).status_code
            == 429
        )
        patience = httpx.Timeout(30, read=0.05)
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(
                f"{url}/m/x.html", headers={"Host": "www.example-news.test"}, timeout=patience
            )
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == ("", "")
        assert process.returncode == ExitCode.OK


def test_it_says_to_people_how_to_use_it() -> None:
    with running() as (process, said):
        assert process.stdout is not None
        process.send_signal(signal.SIGTERM)
        text = said + process.stdout.read()
    assert "export GOTGAN_RESOLVE='*=127.0.0.1:" in text
    assert "' GOTGAN_DELAY=0 GOTGAN_DATA=gotgan-world\n" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--day", "2025-13-01"], "is not a date"),
        (["--day", "0001-01-01"], "no day"),
        (["--fault", "bored"], "no fault 'bored'"),
        (["--fault", "hang@nobody.test"], "no host nobody.test"),
        (["--markup", "1999"], "'1999' is not one of"),
    ],
)
def test_words_that_it_cannot_take_are_a_usage_error(
    words: list[str], sentence: str, capsys: Capture
) -> None:
    assert main(["world", *words]) == ExitCode.USAGE
    assert sentence in capsys.readouterr().err
