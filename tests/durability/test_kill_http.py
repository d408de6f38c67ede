"""kill -9 of ``gotgan dynamodb``: what boto3 was answered is there when it runs again."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError, HTTPClientError

from tests.contract.drivers import remote
from tests.contract.tables import Table, everything
from tests.durability import steps
from tests.durability.crowd import at_once
from tests.durability.invariants import check_file, check_indexes

WRITERS = ("one", "two")


@contextmanager
def _server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    command = [sys.executable, "-m", "gotgan", "--json", "dynamodb", "--port", "0"]
    environment = os.environ | {"GOTGAN_DATA": str(folder)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process, remote(json.loads(process.stdout.readline())["endpoint"])
        finally:
            process.kill()


def _steps_until_killed(client: Any, process: subprocess.Popen[str], enough: int) -> Counter[str]:
    """Take steps from several threads, kill the server amid them; how many each was answered."""
    taken: Counter[str] = Counter()
    ready = threading.Semaphore(0)

    def step_on(writer: str) -> None:
        try:
            while True:
                steps.take_step(Table(client, steps.TABLE), writer, taken[writer])
                taken[writer] += 1
                ready.release()
        except (HTTPClientError, EndpointConnectionError):
            return

    def kill() -> None:
        for _ in range(enough):
            ready.acquire()
        process.kill()

    at_once([lambda: step_on(WRITERS[0]), lambda: step_on(WRITERS[1]), kill])
    return taken


@pytest.mark.parametrize("seed", range(2))
def test_what_was_answered_over_http_survives(tmp_path: Path, seed: int) -> None:
    with _server(tmp_path) as (process, client):
        steps.make_table(client)
        enough = random.Random(seed).randrange(5, 60)
        taken = _steps_until_killed(client, process, enough)
    assert sum(taken.values()) >= enough
    with _server(tmp_path) as (_process, client):
        table = Table(client, steps.TABLE)
        found = everything(table.scan)
        for writer in WRITERS:
            mine = {each["sk"]: each for each in found if each["pk"] == writer}
            assert mine in [steps.items_after(writer, taken[writer] + more) for more in (0, 1)]
        check_indexes(table)
    check_file(tmp_path / "dynamodb.sqlite3")
