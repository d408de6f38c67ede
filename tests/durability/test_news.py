"""News that two processes store at once, and bodies whose worker is killed over them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news.claims import LEASE
from gotgan.domains.news.models import Story
from gotgan.domains.news.polls import POLL_LEASE
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.world import FaultKind, ServedWorld, World, world_server
from gotgan.world.news.stories import NEWSPAPER
from tests.durability.invariants import check_file
from tests.house.repository import ROOT

COUNT = 300
FEED = f"https://{NEWSPAPER}/rss.xml"
SOON = 30


@pytest.fixture
def served() -> Iterator[ServedWorld]:
    with world_server(World(padding=0)) as served:
        yield served


def command(folder: Path, served: ServedWorld | None, *words: str) -> subprocess.Popen[str]:
    """A command of ours in a process of its own."""
    settings = {"GOTGAN_DATA": str(folder), "GOTGAN_SYNCHRONOUS": "normal", "GOTGAN_DELAY": "0"}
    if served is not None:
        settings["GOTGAN_RESOLVE"] = f"*={served.place}"
    return subprocess.Popen(
        [sys.executable, "-m", "gotgan", "news", *words, "--json"],
        cwd=ROOT,
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        text=True,
    )


def opened(folder: Path, served: ServedWorld, clock: FixedClock) -> App:
    """The same files, seen from here at another time."""
    engine = Engine(folder / "dynamodb.sqlite3", synchronous="normal")
    settings = Settings(data=folder, resolve=served.resolve, delay=0)
    return App(settings, Store(Embedded(engine), secret=Secret("s" * 32), clock=clock))


def test_of_two_processes_that_upload_the_same_list_each_story_is_stored_by_one(
    tmp_path: Path,
) -> None:
    stories = [{"title": f"S {n}", "url": f"https://a.test/{n}"} for n in range(COUNT)]
    (tmp_path / "stories.json").write_text(json.dumps(stories))
    words = ("upload", str(tmp_path / "stories.json"), "--source")
    running = [command(tmp_path, None, *words, source) for source in ("one", "other")]
    said = [json.loads(process.communicate(timeout=SOON)[0]) for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert sum(len(report["new"]) for report in said) == COUNT
    assert sum(report["duplicates"] for report in said) == COUNT
    with App.open(Settings(data=tmp_path)) as app:
        by_source = [app.news.find(story["url"]).source for story in stories]
    assert {report["source"]: len(report["new"]) for report in said if report["new"]} == {
        source: by_source.count(source) for source in set(by_source)
    }
    check_file(tmp_path / "dynamodb.sqlite3")


def test_a_body_whose_worker_was_killed_is_fetched_by_the_next_when_the_lease_is_over(
    tmp_path: Path, served: ServedWorld
) -> None:
    clock = FixedClock(datetime.now(UTC))
    with opened(tmp_path, served, clock) as app:
        app.news.prepare()
        urls = [f"https://finance.yahoo.com/news/story-{n:09}.html" for n in range(6)]
        app.news.upload([Story("A headline", url) for url in urls])
    served.world.fail("finance.yahoo.com", "/news/*", FaultKind.HANG)
    worker = command(tmp_path, served, "bodies")
    _wait_for(lambda: [seen for seen in served.world.requests if seen.fault is FaultKind.HANG])
    worker.kill()
    worker.communicate(timeout=SOON)
    served.world.heal()
    with opened(tmp_path, served, clock) as app:
        held = app.news.count_queued()
        assert held > 0
        assert app.news.bodies().tried == 6 - held  # what is held stays so
        clock.advance(LEASE + timedelta(minutes=1))
        report = app.news.bodies()
        assert (report.tried, report.outcomes) == (held, {"gone": held})
        attempts = [
            body.attempts for body in app.news.bodies_of(app.news.list(), text=True).values()
        ]
        assert Counter(attempts) == Counter([2] * held + [1] * (6 - held))
    check_file(tmp_path / "dynamodb.sqlite3")


def test_a_worker_that_is_interrupted_gives_back_what_it_had(
    tmp_path: Path, served: ServedWorld
) -> None:
    clock = FixedClock(datetime.now(UTC))
    with opened(tmp_path, served, clock) as app:
        app.news.prepare()
        app.news.upload([Story("A headline", "https://finance.yahoo.com/news/a-000000001.html")])
    served.world.fail("finance.yahoo.com", "/news/*", FaultKind.HANG)
    worker = command(tmp_path, served, "bodies")
    _wait_for(lambda: [seen for seen in served.world.requests if seen.fault is FaultKind.HANG])
    worker.send_signal(2)
    worker.communicate(timeout=SOON)
    assert worker.returncode == 130
    with opened(tmp_path, served, clock) as app:
        assert app.news.count_queued() == 0


def test_of_two_processes_that_add_the_same_source_one_adds_it(
    tmp_path: Path, served: ServedWorld
) -> None:
    words = ("sources", "add", FEED)
    running = [command(tmp_path, served, *words) for _ in range(2)]
    said = [json.loads(process.communicate(timeout=SOON)[0]) for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert sorted(each["isNew"] for each in said) == [False, True]
    assert said[0]["source"] == said[1]["source"]


def test_a_source_whose_worker_was_killed_is_polled_by_the_next_when_the_lease_is_over(
    tmp_path: Path, served: ServedWorld
) -> None:
    clock = FixedClock(datetime.now(UTC))
    with opened(tmp_path, served, clock) as app:
        app.news.prepare()
        added = app.news.sources.add(FEED).source
    served.world.fail(NEWSPAPER, "/rss.xml", FaultKind.HANG)
    worker = command(tmp_path, served, "poll")
    _wait_for(lambda: [seen for seen in served.world.requests if seen.fault is FaultKind.HANG])
    worker.kill()
    worker.communicate(timeout=SOON)
    served.world.heal()
    with opened(tmp_path, served, clock) as app:
        assert app.news.poll().sources == ()  # what is held stays so
        clock.advance(POLL_LEASE + timedelta(minutes=1))
        report = app.news.poll()
        assert (len(report.sources), report.failed) == (1, 0)
        assert app.news.sources.get(added.name).stored == report.new > 0
    check_file(tmp_path / "dynamodb.sqlite3")


def _wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
