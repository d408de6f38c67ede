"""A day whose collector is killed over it, and two who want the same day at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import func, select

from gotgan.clock import FixedClock
from gotgan.domains.market import logs
from gotgan.domains.market.keys import STOCK_PRICES
from gotgan.domains.market.models import CollectionLog
from gotgan.settings import Settings
from gotgan.sql import Database
from gotgan.world import ServedWorld, World, world_server
from tests.durability.market_steps import STEPS
from tests.house.repository import ROOT
from tests.sql.fixtures import database_settings, postgres, prepared_file

__all__ = ["database_settings", "postgres", "prepared_file"]

DAY = date(2025, 10, 20)
SEVEN = datetime(2025, 10, 20, 19, tzinfo=ZoneInfo("Asia/Seoul"))
SOON = 60


@pytest.fixture
def served() -> Iterator[ServedWorld]:
    with world_server(World(clock=FixedClock(SEVEN), shares={"KOSPI": 200})) as served:
        yield served


@pytest.fixture
def start(
    database_settings: Settings, served: ServedWorld
) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Collect the day in a process of its own; it stops by itself at a step, where one is named."""
    running: list[subprocess.Popen[str]] = []

    def begin(stop_at: str = "") -> subprocess.Popen[str]:
        given = {"GOTGAN_DATA": str(database_settings.data), "GOTGAN_DELAY": "0"}
        given |= {"GOTGAN_RESOLVE": f"*={served.place}", "GOTGAN_MARKETS": "KOSPI"}
        given |= {"KRX_ID": "kim", "KRX_PW": "a password", "GOTGAN_SECRET": "s" * 32}
        if database_settings.database is not None:
            given["GOTGAN_DATABASE"] = database_settings.database.reveal()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.durability.market_steps", SEVEN.isoformat(), stop_at],
            cwd=ROOT,
            env=os.environ | given,
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        process.kill()
        process.communicate()


def log_of(settings: Settings) -> CollectionLog | None:
    with Database.open(settings) as database, database.read() as connection:
        return logs.get_log(connection, DAY)


def count(settings: Settings) -> int:
    query = select(func.count()).select_from(STOCK_PRICES)
    with Database.open(settings) as database, database.read() as connection:
        return connection.execute(query).scalar_one()


@pytest.mark.parametrize("step", STEPS)
def test_whoever_is_killed_in_a_step_is_taken_over_after_the_lease(
    start: Callable[..., subprocess.Popen[str]], database_settings: Settings, step: str
) -> None:
    doomed = start(step)
    assert doomed.stdout is not None
    assert doomed.stdout.readline().strip() == step
    doomed.send_signal(signal.SIGKILL)
    doomed.wait(SOON)
    left = log_of(database_settings)
    assert left is not None
    assert left.overall_status != "success"

    waiting = start()
    assert json.loads(waiting.communicate(timeout=SOON)[0])["outcome"] == "waiting"

    _let_the_lease_run_out(database_settings)
    report = json.loads(start().communicate(timeout=SOON)[0])
    assert report["outcome"] == "success"
    after = log_of(database_settings)
    assert after is not None
    assert (after.prices.attempts, count(database_settings)) == (2, 200)


def test_of_four_processes_one_collects_the_day(
    start: Callable[..., subprocess.Popen[str]], database_settings: Settings
) -> None:
    crowd = [start() for _ in range(4)]
    said = [json.loads(each.communicate(timeout=SOON)[0])["outcome"] for each in crowd]
    assert said.count("success") == 1
    assert set(said) <= {"success", "waiting", "skipped"}
    log = log_of(database_settings)
    assert log is not None
    assert (log.prices.attempts, log.indices.attempts) == (1, 1)
    assert count(database_settings) == 200


def _let_the_lease_run_out(settings: Settings) -> None:
    """End the lease of the dead; nobody waits a quarter of an hour for a test."""
    with Database.open(settings) as database, database.begin() as connection:
        connection.exec_driver_sql("UPDATE leases SET until = '2000-01-01 00:00:00'")
