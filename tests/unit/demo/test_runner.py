"""The demo's clock leaps to the next stop as soon as nothing is under way, and no sooner."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gotgan.app import App
from gotgan.clock import SEOUL, FixedClock, LeapingClock
from gotgan.demo.demo import demo_settings, demo_world
from gotgan.demo.runner import DemoRunner
from gotgan.demo.stops import Outages
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.models import VideoJob

MONDAY = datetime(2025, 11, 3, tzinfo=ZoneInfo(SEOUL))
LATER = MONDAY + timedelta(hours=5)
A_WHILE = 0.1


@pytest.fixture
def clock() -> LeapingClock:
    return LeapingClock(FixedClock(MONDAY), MONDAY)


@pytest.fixture
def app(tmp_path: Path, clock: LeapingClock) -> Iterator[App]:
    """An empty app of a demo that asks nobody for anything; videos come from files."""
    settings = replace(
        demo_settings(tmp_path, {"*": "127.0.0.1:9"}, "smtp://127.0.0.1:9"), youtube_key=None
    )
    with App.open(settings, clock=clock, is_demo=True) as app:
        app.prepare()
        yield app


@pytest.fixture
def walk(app: App, clock: LeapingClock) -> DemoRunner:
    return DemoRunner(app, clock, Outages(demo_world(clock)), MONDAY)


def test_the_first_stop_is_the_very_beginning(walk: DemoRunner) -> None:
    assert walk.next_stop().at == walk.next_stop(is_hurried=True).at == MONDAY


def test_the_clock_leaps_where_nothing_is_under_way(walk: DemoRunner, clock: LeapingClock) -> None:
    walk.leap_to(LATER)
    assert clock.now() == LATER


def test_the_clock_waits_for_a_run_that_is_under_way(
    app: App, walk: DemoRunner, clock: LeapingClock
) -> None:
    go = threading.Event()
    run = app.runs.start("shops.crawl", lambda _: go.wait())
    with ThreadPoolExecutor() as pool:
        leap = pool.submit(walk.leap_to, LATER)
        with pytest.raises(TimeoutError):
            leap.result(A_WHILE)
        go.set()
        leap.result()
    assert (app.runs.get(run.id).finished_at, clock.now()) == (MONDAY, LATER)


def test_the_clock_waits_for_a_job_of_videos(
    app: App, walk: DemoRunner, clock: LeapingClock
) -> None:
    app.videos.import_files([("a.csv", b"video_id,text\ndQw4w9WgXcQ,good\n")])
    job = app.videos.analyse("dQw4w9WgXcQ", analyser="builtin").job
    walk.leap_to(LATER)
    done = app.videos.job(job.job_id)
    assert (done.is_open, done.updated_at, clock.now()) == (False, MONDAY, LATER)


def test_whoever_is_told_to_stop_waits_for_nothing_more(
    walk: DemoRunner, clock: LeapingClock
) -> None:
    walk.stopping.set()
    walk.leap_to(LATER)
    walk.go_to(walk.next_stop())
    assert clock.now() == MONDAY
    assert walk.tally.summary(MONDAY).counts["news"]["lists"] == 0


class Gap:
    """Runs with somebody who has a job of videos in hand just when they were found to be idle."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._jobs = Jobs(app.clock, app.database.leases)
        self.taken: VideoJob | None = None
        self.is_taken = threading.Event()

    def follow(self, settle: Callable[[], None]) -> None:
        """Look whether anything is under way; then, the first time, begin."""
        settle()
        if self.taken is None:
            self._app.videos.import_files([("a.csv", b"video_id,text\ndQw4w9WgXcQ,good\n")])
            self._app.videos.analyse("dQw4w9WgXcQ", analyser="builtin")
            with self._app.database.begin() as connection:
                self.taken = self._jobs.claim(connection)
            self.is_taken.set()

    def give_back(self) -> None:
        """Let others have the job; LostRace where they took it already."""
        assert self.taken is not None
        with self._app.database.begin() as connection:
            self._jobs.give_back(connection, self.taken)


def test_a_job_that_is_taken_between_the_look_and_the_leap_keeps_its_lease(
    app: App, walk: DemoRunner, clock: LeapingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    gap, settle = Gap(app), walk._settle  # noqa: SLF001 - what happens between its two steps
    monkeypatch.setattr(walk, "_settle", lambda: gap.follow(settle))
    with ThreadPoolExecutor() as pool:
        leap = pool.submit(walk.leap_to, LATER)
        gap.is_taken.wait()
        with pytest.raises(TimeoutError):
            leap.result(A_WHILE)
        assert clock.now() == MONDAY
        assert app.videos.work() == 0  # nobody else can have it
        gap.give_back()
        leap.result()
    [job] = app.videos.jobs().items
    assert (job.status, job.completed_at, clock.now()) == ("completed", MONDAY, LATER)
