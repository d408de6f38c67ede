"""``/livez``, ``/readyz`` and ``/v1/health``: what they check, and what they say of it."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from gotgan import health
from gotgan.app import App
from gotgan.listener import serve_in_thread
from gotgan.scheduler import loop
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server as serving_dynamodb
from tests.patience import PATIENCE
from tests.sql.fixtures import postgres
from tests.sql.servers import Postgres

__all__ = ["postgres"]

NONE_BEFORE = 0.0


@pytest.fixture(autouse=True)
def _always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "FRESH_S", NONE_BEFORE)
    monkeypatch.setattr(health, "TIMEOUT_S", PATIENCE)


@contextmanager
def served(app: App) -> Iterator[httpx.Client]:
    """A client of a server."""
    with (
        serve_in_thread(create_server(app)) as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        yield client


def checked(client: httpx.Client) -> dict[str, str]:
    """What each check says; all three routes must agree."""
    ready, enveloped = client.get("/readyz"), client.get("/v1/health")
    assert client.get("/livez").json() == {"status": "ok"}
    checks: dict[str, str] = ready.json()["checks"]
    is_ready = set(checks.values()) == {"ok"}
    assert ready.status_code == enveloped.status_code == (200 if is_ready else 503)
    assert ready.json()["status"] == ("ok" if is_ready else "failing")
    body = enveloped.json()
    assert (body["data"]["checks"] if is_ready else body["error"]["details"]) == checks
    assert is_ready or body["error"]["code"] == "not_ready"
    return checks


def failing(client: httpx.Client) -> set[str]:
    """The names of the checks that fail."""
    return {name for name, status in checked(client).items() if status != "ok"}


def test_a_folder_is_checked_by_files_disk_and_versions(tmp_path: Path) -> None:
    with App.open(Settings(data=tmp_path)) as app, served(app) as client:
        names = ["store", "database", "migrations", "disk"]
        assert checked(client) == dict.fromkeys(names, "ok")


def test_a_database_that_is_away_is_not_ready_until_it_is_back(
    postgres: Postgres, tmp_path: Path
) -> None:
    with (
        postgres.fresh(prepared=True) as settings,
        App.open(replace(settings, data=tmp_path)) as app,
        served(app) as client,
    ):
        assert failing(client) == set()
        with postgres.away(settings):
            assert failing(client) == {"database", "migrations"}
        assert failing(client) == set()


def test_tables_of_another_version_are_not_ready(tmp_path: Path) -> None:
    with App.open(Settings(data=tmp_path)) as app, served(app) as client:
        assert failing(client) == set()
        with app.database.begin() as connection:
            connection.execute(text("UPDATE gotgan_version SET version_num = '0001'"))
        assert checked(client)["migrations"] == "outdated"


def test_an_endpoint_is_read_and_never_written(tmp_path: Path) -> None:
    with Engine(None) as engine, serving_dynamodb(engine) as endpoint:
        settings = Settings(data=tmp_path, dynamodb=endpoint, given_secret=Secret("s" * 32))
        with App.open(settings) as app:
            app.prepare()
            before = app.store.total()
            with served(app) as client:
                assert failing(client) == set()
            after = app.store.total()
            assert after.reads > before.reads
            assert after.writes == before.writes


def test_a_scheduler_is_checked_where_one_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with App.open(Settings(data=tmp_path)) as app:
        scheduler = app.scheduler()
        with served(app) as client:
            assert checked(client)["scheduler"] == "ok"  # it has not been started
            monkeypatch.setattr(scheduler, "tick", lambda **_: 1 / 0)
            with scheduler:
                assert checked(client)["scheduler"] == "ok"
                monkeypatch.setattr(loop, "_LATE_S", 0.0)
                assert checked(client)["scheduler"] == "late"


def test_a_disk_that_takes_no_more_is_not_ready(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "gotgan", "up", "--port", "0", "--json", "--no-schedule"]
    environment = os.environ | {"GOTGAN_DATA": str(tmp_path)}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            url = json.loads(process.stdout.readline())["url"]
            with httpx.Client(base_url=url, timeout=PATIENCE) as client:
                # As on a full disk: files that are there can be read, and cannot grow.
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
                assert failing(client) == {"store", "database"}
        finally:
            process.kill()
