"""kill -9 in the middle of a migration: the next run goes on, and ends as if nothing had been."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gotgan.domains.site.migration import Options, Sources, migrate, sources, verify
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.durability.invariants import check_file
from tests.house.repository import ROOT
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.site_state import settled

POSTS = 1_000
SITE = old_tables.make(11, count=POSTS)


def _opened(path: Path) -> Store:
    return Store(Embedded(Engine(path, synchronous="normal")), secret=Secret("s" * 32))


def _sources(store: Store) -> Sources:
    return Sources.named(store, **old_tables.NAMES)


def _run_and_kill(chance: random.Random, path: Path) -> bool:
    """Let a run work for a while and end it as a power cut would; whether it was faster."""
    command = [sys.executable, "-m", "tests.durability.test_site_migration", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 4)):
            process.stdout.readline()
        time.sleep(chance.random() * 0.1)  # so that the kill falls anywhere within a batch
        ended = process.poll() is not None
        process.kill()
    return ended


@pytest.fixture(scope="module")
def uninterrupted() -> dict[tuple[str, ...], dict[str, object]]:
    """What a run comes to that nobody disturbs."""
    with Store.in_memory() as store:
        migrate(store, old_tables.tables(store, SITE))
        return settled(store)


@pytest.mark.parametrize("seed", range(3))
def test_a_migration_that_was_killed_again_and_again_ends_as_one_that_was_not(
    path: Path, seed: int, uninterrupted: dict[tuple[str, ...], dict[str, object]]
) -> None:
    with _opened(path) as store:
        old_tables.tables(store, SITE)
    chance = random.Random(seed)
    for _ in range(2):
        _run_and_kill(chance, path)
        _check_that_nothing_is_there_by_half(path)
    with _opened(path) as store:
        options = Options(folder=path.parent / "migrations")
        report = migrate(store, _sources(store), options)
        assert report.total("failed") == report.total("conflicting") == 0
        assert report.total("deleted_here") == report.total("deleted_at_origin") == 0
        assert settled(store) == uninterrupted
        assert verify(store, _sources(store), options).passed
        again = migrate(store, _sources(store), options)
        assert again.total("skipped") == again.rows
    check_file(path)


def test_a_run_goes_on_behind_the_last_batch_that_was_noted(path: Path) -> None:
    with _opened(path) as store:
        old_tables.tables(store, SITE)
    assert not _run_and_kill(random.Random(1), path)
    with _opened(path) as store:
        report = migrate(store, _sources(store), Options(folder=path.parent / "migrations"))
        assert report.resumed > 0
        assert report.rows == sum(len(SITE.of(kind)) for kind in old_tables.KEYS)


def _check_that_nothing_is_there_by_half(path: Path) -> None:
    """Every post has both of its pointers, and every pointer its post."""
    with _opened(path) as store:
        items = settled(store)
    posts = {item["id"]: item for item in items.values() if item.get("Type") == "Post"}
    asked = {key[0].removeprefix("POST#") for key in items if key[0].startswith("POST#")}
    legacy = {item["legacyId"] for item in posts.values()}
    assert asked == posts.keys() | legacy


def main(place: str) -> None:
    """Migrate, and say a line after every batch."""
    path = Path(place)
    sources.BATCH_ROWS = 200  # so that there are several to be killed between
    with _opened(path) as store:
        options = Options(folder=path.parent / "migrations")
        migrate(store, _sources(store), options, lambda _: _say())


def _say() -> None:
    os.write(sys.stdout.fileno(), b"batch\n")


if __name__ == "__main__":
    main(sys.argv[1])
