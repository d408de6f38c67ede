"""A job whose worker is killed over it, and several who want the same job at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import Table, func, select

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.videos.models import VideoJob
from gotgan.domains.videos.tables import (
    ANALYSIS_RESULTS,
    COMMENT_SNAPSHOTS,
    QUOTA_LEDGER,
    VIDEO_SNAPSHOTS,
)
from gotgan.settings import Secret, Settings
from gotgan.sql import Database
from gotgan.store import Store
from gotgan.world import ServedWorld, World, world_server
from tests.durability.video_steps import STEPS
from tests.house.repository import ROOT
from tests.sql.fixtures import database_settings, postgres, prepared_file

__all__ = ["database_settings", "postgres", "prepared_file"]

NOW = datetime(2026, 11, 14, 3, tzinfo=UTC)
VIDEO = "gotganStudy"
SOON = 60

Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def served() -> Iterator[ServedWorld]:
    with world_server(World(clock=FixedClock(NOW))) as served:
        yield served


@pytest.fixture
def settings(database_settings: Settings, served: ServedWorld) -> Settings:
    return replace(
        database_settings,
        resolve=served.resolve,
        delay=0.0,
        youtube_key=Secret("a-key"),
        given_secret=Secret("s" * 32),
    )


@pytest.fixture
def job(settings: Settings) -> VideoJob:
    """A job that waits."""
    with App(settings, Store.in_memory(clock=FixedClock(NOW))) as app:
        return app.videos.analyse(VIDEO).job


@pytest.fixture
def start(settings: Settings, served: ServedWorld, job: VideoJob) -> Iterator[Start]:
    """Do the job in a process of its own; it stops by itself at a step, where one is named."""
    running: list[subprocess.Popen[str]] = []

    def begin(stop_at: str = "") -> subprocess.Popen[str]:
        given = {"GOTGAN_DATA": str(settings.data), "GOTGAN_DELAY": "0"}
        given |= {"GOTGAN_RESOLVE": f"*={served.place}", "YOUTUBE_API_KEY": "a-key"}
        given |= {"GOTGAN_SECRET": "s" * 32}
        if settings.database is not None:
            given["GOTGAN_DATABASE"] = settings.database.reveal()
        program = [sys.executable, "-m", "tests.durability.video_steps", NOW.isoformat()]
        process = subprocess.Popen(
            [*program, job.job_id, stop_at],
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


@pytest.mark.parametrize("step", STEPS)
def test_whoever_is_killed_over_a_job_is_replaced_and_nothing_is_kept_by_halves(
    start: Start, settings: Settings, job: VideoJob, step: str
) -> None:
    doomed = start(step)
    assert doomed.stdout is not None
    assert doomed.stdout.readline().strip() == step
    doomed.send_signal(signal.SIGKILL)
    doomed.wait(SOON)
    assert counted(settings, ANALYSIS_RESULTS) == 0
    had_kept, spent = counted(settings, VIDEO_SNAPSHOTS), units(settings)

    with App(settings, Store.in_memory(clock=FixedClock(NOW))) as app:
        assert app.videos.work() == 0
        let_the_lease_run_out(settings)
        assert app.videos.work() == 1
        done = app.videos.job(job.job_id)
    assert (done.status, done.attempts) == ("completed", 2)
    assert (counted(settings, ANALYSIS_RESULTS), counted(settings, VIDEO_SNAPSHOTS)) == (1, 1)
    assert counted(settings, COMMENT_SNAPSHOTS) > 50
    if had_kept:  # what an attempt has collected, the next one does not pay for
        assert units(settings) == spent


def test_of_four_processes_one_does_the_job(start: Start, settings: Settings) -> None:
    crowd = [start() for _ in range(4)]
    said = [json.loads(each.communicate(timeout=SOON)[0]) for each in crowd]
    assert {each["attempts"] for each in said} == {1}
    assert counted(settings, ANALYSIS_RESULTS) == 1
    assert counted(settings, VIDEO_SNAPSHOTS) == 1


def counted(settings: Settings, table: Table) -> int:
    query = select(func.count()).select_from(table)
    with Database.open(settings) as database, database.read() as connection:
        return connection.execute(query).scalar_one()


def units(settings: Settings) -> int:
    query = select(func.coalesce(func.sum(QUOTA_LEDGER.c.units), 0))
    with Database.open(settings) as database, database.read() as connection:
        return int(connection.execute(query).scalar_one())


def let_the_lease_run_out(settings: Settings) -> None:
    """End the lease of the dead; nobody waits a minute for a test."""
    with Database.open(settings) as database, database.begin() as connection:
        connection.exec_driver_sql("UPDATE analysis_jobs SET due_at = '2000-01-01 00:00:00'")
