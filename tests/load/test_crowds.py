"""A crowd of idle and slow clients beside a normal one, which is answered all the same."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.patience import PATIENCE

COMMANDS = {"up": ("/v1/health", "--no-schedule"), "dynamodb": ("/", "--memory")}
REQUESTS = 300
FEW_FILES = (1_024, 1_024)


@contextmanager
def running(name: str, folder: Path) -> Iterator[str]:
    """A server that may open 1,024 files, and its URL."""
    command = [sys.executable, "-m", "gotgan", name, "--port", "0", "--json", *COMMANDS[name][1:]]
    with (
        (folder / "log").open("w") as log,
        program(
            command, stderr=log, env=os.environ | {"GOTGAN_DATA": str(folder / "data")}
        ) as process,
    ):
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, FEW_FILES)
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        yield said.get("url") or said["endpoint"]


@contextmanager
def crowded(url: str) -> Iterator[None]:
    """All clients of the crowd are there."""
    place = urlsplit(url)
    command = [sys.executable, "-m", "tests.load.crowd", str(place.hostname), str(place.port)]
    with program(command) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "all\n"
        yield


@contextmanager
def program(command: list[str], **options: object) -> Iterator[subprocess.Popen[str]]:
    """A program for as long as a block runs."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_normal_client_is_answered_within_a_second(name: str, tmp_path: Path) -> None:
    path = COMMANDS[name][0]
    with running(name, tmp_path) as url, crowded(url), httpx.Client(timeout=PATIENCE) as client:
        took = sorted(_asked(client, url + path) for _ in range(REQUESTS))
    assert took[REQUESTS * 99 // 100] < 1
    assert (tmp_path / "log").stat().st_size < 10_000


def _asked(client: httpx.Client, url: str) -> float:
    """Ask over a new connection, and return how many seconds it took."""
    started = time.perf_counter()
    assert client.get(url, headers={"Connection": "close"}).status_code == 200
    return time.perf_counter() - started
