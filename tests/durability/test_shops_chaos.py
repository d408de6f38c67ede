"""Workers on one table who are killed at random: every shop is done, nothing is lost or doubled."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.app import App
from gotgan.clock import SystemClock
from gotgan.domains.shops import keys
from gotgan.settings import Settings
from gotgan.world import ServedWorld, ShiftedClock, World, world_server
from gotgan.world.shops import shop_products
from tests.durability.invariants import check_file
from tests.house.repository import ROOT

DOMAINS = [f"antik-{number}.shop.test" for number in range(1, 39)]
DOMAINS += ["laden.shop.test", "werkstatt.shop.test"]  # with lists of their products
PROCESSES = 4
SOON = 90


@pytest.fixture
def served() -> Iterator[ServedWorld]:
    # A day that does not end while the test runs: at midnight the shops change.
    clock = ShiftedClock(datetime(2025, 11, 6, tzinfo=UTC).date(), SystemClock())
    with world_server(World(clock=clock, shop_bytes=500)) as served:
        yield served


def started(folder: Path, served: ServedWorld, verb: str) -> subprocess.Popen[bytes]:
    settings = {
        "GOTGAN_DATA": str(folder),
        "GOTGAN_SYNCHRONOUS": "normal",
        "GOTGAN_DELAY": "0",
        "GOTGAN_RESOLVE": f"*={served.place}",
    }
    words = ["shops", verb, "--workers", "3", "--lease", "2s", "--json"]
    return subprocess.Popen(
        [sys.executable, "-m", "gotgan", *words],
        cwd=ROOT,
        env=os.environ | settings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def worked(folder: Path, served: ServedWorld, verb: str, chance: random.Random) -> None:
    """Let four processes work, kill one after the other, and start another for each."""
    crew = [started(folder, served, verb) for _ in range(PROCESSES)]
    try:
        for _ in range(6):
            time.sleep(0.5 + chance.random() * 0.7)
            victim = crew.pop(chance.randrange(len(crew)))
            victim.kill()
            victim.wait()
            crew.append(started(folder, served, verb))
        for process in crew:
            process.wait(SOON)
    finally:
        for process in crew:
            process.kill()
            process.wait()


@pytest.mark.parametrize("seed", [11])
def test_workers_that_are_killed_at_random_leave_every_shop_done_and_every_change_once(
    tmp_path: Path, served: ServedWorld, seed: int
) -> None:
    chance = random.Random(seed)
    with App.open(Settings(data=tmp_path, synchronous="normal")) as app:
        app.shops.prepare()
        app.shops.add(DOMAINS, country="DE")
    for verb in ("crawl", "scrape"):
        worked(tmp_path, served, verb, chance)
        _finish(tmp_path, served, verb)
    with App.open(Settings(data=tmp_path, synchronous="normal")) as app:
        for domain in DOMAINS:
            _check(app, served, domain)
    check_file(tmp_path / "dynamodb.sqlite3")


def _finish(folder: Path, served: ServedWorld, verb: str) -> None:
    """Once the last lease is over, one more run takes over what the dead left behind."""
    time.sleep(3)
    process = started(folder, served, verb)
    assert process.wait(SOON) == 0


def _check(app: App, served: ServedWorld, domain: str) -> None:
    shop = app.shops.get(domain)
    assert (shop.crawl_outcome, shop.scrape_outcome) == ("ok", "ok"), domain
    sold = {product.url for product in shop_products(served.world.scene, domain)}
    pages = {page.url for page in app.store.iterate(keys.pages_of(domain), at_most=None)}
    assert sold <= pages
    changes = list(app.store.iterate(keys.changes_of(domain), at_most=None))
    told = Counter(change.url for change in changes)
    assert max(told.values()) == 1
    assert sold <= set(told)
