"""The demo's clock leaps to the next stop as soon as nothing is under way, and no sooner."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from gotgan.app import App
from gotgan.clock import SEOUL, FixedClock, LeapingClock
from gotgan.demo.outage import Outage
from gotgan.demo.surroundings import demo_settings, demo_world
from gotgan.demo.walking import Walk

MONDAY = datetime(2025, 11, 3, tzinfo=ZoneInfo(SEOUL))
LATER = MONDAY + timedelta(hours=5)
A_WHILE = 0.1


@pytest.fixture
def clock() -> LeapingClock:
    return LeapingClock(FixedClock(MONDAY), MONDAY)


@pytest.fixture
def app(tmp_path: Path, clock: LeapingClock) -> Iterator[App]:
    """An empty app of a demo that asks nobody for anything; videos come from files."""
    settings = replace(demo_settings(tmp_path, {"*": "127.0.0.1:9"}), youtube_key=None)
    with App.open(settings, clock=clock, is_demo=True) as app:
        app.prepare()
        yield app


@pytest.fixture
def walk(app: App, clock: LeapingClock) -> Walk:
    return Walk(app, clock, Outage(demo_world(clock)), MONDAY)


def test_the_first_stop_is_the_very_beginning(walk: Walk) -> None:
    assert walk.next_stop().at == walk.next_stop(is_hurried=True).at == MONDAY


def test_the_clock_leaps_where_nothing_is_under_way(walk: Walk, clock: LeapingClock) -> None:
    walk.leap_to(LATER)
    assert clock.now() == LATER


def test_the_clock_waits_for_a_run_that_is_under_way(
    app: App, walk: Walk, clock: LeapingClock
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


def test_the_clock_waits_for_a_job_of_videos(app: App, walk: Walk, clock: LeapingClock) -> None:
    app.videos.import_files([("a.csv", b"video_id,text\ndQw4w9WgXcQ,good\n")])
    job = app.videos.analyse("dQw4w9WgXcQ", analyser="builtin").job
    walk.leap_to(LATER)
    done = app.videos.job(job.job_id)
    assert (done.is_open, done.updated_at, clock.now()) == (False, MONDAY, LATER)


def test_whoever_is_told_to_stop_waits_for_nothing_more(walk: Walk, clock: LeapingClock) -> None:
    walk.stopping.set()
    walk.leap_to(LATER)
    walk.go_to(walk.next_stop())
    assert clock.now() == MONDAY
    assert walk.tally.happened(MONDAY).counts["news"]["lists"] == 0
