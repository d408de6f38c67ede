"""``gotgan demo`` as a program: it collects, serves, ends well, and goes on where it was."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from time import sleep
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.clock import SEOUL
from gotgan.demo.demo import Bookmark, DemoProgress
from tests.patience import PATIENCE

Capture = pytest.CaptureFixture[str]

SHORT = ("--days", "1", "--history", "1")
OUTSIDE = {
    "GOTGAN_DATA": "real",
    "GOTGAN_DATABASE": "postgresql://kim@127.0.0.1:1/real",
    "GOTGAN_DYNAMODB": "aws",
    "GOTGAN_RESOLVE": "*=127.0.0.1:1",
    "GOTGAN_ZONE": "Europe/Berlin",
    "GOTGAN_WEBHOOK": "http://127.0.0.1:1/changes",
    "HTTP_PROXY": "http://127.0.0.1:1",
    "HTTPS_PROXY": "http://127.0.0.1:1",
    "YOUTUBE_API_KEY": "own-key",
    "OPENAI_API_KEY": "own-key",
    "KRX_ID": "kim",
}
"""What somebody may have set: whoever used any of it would fail, or leave a trace."""


def command(*words: str) -> Sequence[str]:
    return [sys.executable, "-m", "gotgan", "demo", *words]


def ended(folder: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """The command, after it has ended by itself."""
    return subprocess.run(
        command(*words),
        cwd=folder,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )


@contextmanager
def begun(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The command while it is at work; killed in the end, if need be."""
    with subprocess.Popen(
        command(*words), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()
            process.communicate()


def said(process: subprocess.Popen[str], event: str) -> dict[str, Any]:
    """The first line of that event that a program says."""
    assert process.stdout is not None
    lines = (json.loads(line) for line in process.stdout)
    return next(line for line in lines if line["event"] == event)


def test_it_says_in_one_document_what_happened_and_uses_nothing_that_is_set(tmp_path: Path) -> None:
    first = ended(tmp_path, "--once", "--json", *SHORT, **OUTSIDE)
    assert (first.returncode, first.stderr) == (ExitCode.OK, "")
    told = json.loads(first.stdout)  # which is all of it
    assert (told["is_demo"], told["folder"]) == (True, "gotgan-demo")
    assert told["domains"]["news"]["new"] > 0
    assert told["domains"]["shops"]["products"] > 0
    assert told["domains"]["videos"]["analyses"] > 0
    assert told["domains"]["site"]["mails"] > 0
    assert float(told["costs"]["news"]["usd"]) > 0
    assert [path.name for path in tmp_path.iterdir()] == ["gotgan-demo"]


def test_it_serves_on_another_port_and_calls_itself_a_demo_on_every_page(tmp_path: Path) -> None:
    _come_near_midnight(tmp_path / "gotgan-demo")
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        begun(tmp_path, "--json", "--port", str(taken.getsockname()[1]), *SHORT) as process,
    ):
        listening = said(process, "listening")
        assert listening["is_demo"] is True
        assert httpx.URL(listening["url"]).port != taken.getsockname()[1]
        with httpx.Client(base_url=listening["url"], timeout=PATIENCE) as browser:
            for path in ("/sign-in", "/", "/nowhere"):
                page = browser.get(path, follow_redirects=True)
                assert '<p class="demo" role="note">' in page.text
            assert browser.get("/v1/health").headers["X-Gotgan-Demo"] == "true"
        assert said(process, "demo.day")["domains"]["news"]["lists"] > 0
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == ExitCode.OK


def _come_near_midnight(folder: Path) -> None:
    """A demo whose first days are over, and whose next one ends in an hour."""
    folder.mkdir()
    midnight = datetime.combine(datetime.now(UTC).date(), time(), ZoneInfo(SEOUL))
    reached = DemoProgress(midnight - timedelta(days=2), midnight - timedelta(hours=1))
    Bookmark(folder).write(reached)


def test_it_goes_on_after_it_was_ended_in_the_midst_of_the_first_days(tmp_path: Path) -> None:
    _end_early(tmp_path, signal.SIGINT, ExitCode.OK)
    _end_early(tmp_path, signal.SIGKILL, -signal.SIGKILL)
    after = ended(tmp_path, "--once", *SHORT)
    assert after.returncode == ExitCode.OK
    assert "This is a demo" in after.stdout
    found = re.search(r"news +list pages \d+ · new (\d+) · duplicates", after.stdout)
    assert found is not None
    assert int(found[1]) > 0


def _end_early(folder: Path, number: signal.Signals, expected: int) -> None:
    at_work = [folder / "gotgan-demo" / name for name in ("demo.json.lock", "gotgan.sqlite3-wal")]
    with begun(folder, *SHORT) as process:
        while not all(path.exists() for path in at_work):
            assert process.poll() is None
            sleep(0.02)
        process.send_signal(number)
        assert process.wait(PATIENCE) == expected


def test_two_demos_in_one_folder_do_not_run_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    folder = tmp_path / "gotgan-demo"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)
    with Bookmark(folder).lock():
        assert main(["demo", "--once"]) == ExitCode.USAGE
    assert "is running in another process" in capsys.readouterr().err


def test_a_folder_that_says_nothing_of_a_demo_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    note = tmp_path / "gotgan-demo" / "demo.json"
    note.parent.mkdir()
    note.write_text("mine")
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--once"]) == ExitCode.USAGE
    assert "Remove the folder gotgan-demo to start again" in capsys.readouterr().err
    assert note.read_text() == "mine"
