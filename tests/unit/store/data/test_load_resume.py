"""A load that was stopped, however, goes on where it was."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import BadDump, UsageError
from gotgan.store.data.atomic_files import lock_file
from gotgan.store.data.dump import dump
from gotgan.store.data.item_json import to_lines
from gotgan.store.data.load import LoadCounts, load, progress_file
from gotgan.store.data.load_sources import source_at
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.unit.store.data.killed import run_and_kill
from tests.unit.store.data.tables import (
    everything,
    fill,
    in_order,
    make,
    numbered,
    patient,
    text_of,
    write_lines,
)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(None) as engine:
        yield engine


@pytest.fixture
def driver(engine: Engine) -> RetryingDriver:
    return patient(Embedded(engine))


class Breaking(Embedded):
    """Breaks off after so many calls that write."""

    left = 3

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation in {"PutItem", "BatchWriteItem"}:
            if self.left == 0:
                raise BrokenError
            self.left -= 1
        return super().call(operation, request)


class BrokenError(Exception):
    """The process would have died here."""


@pytest.mark.parametrize("name", ["in.json", "in.json.gz"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_a_load_that_broke_off_goes_on_where_it_was(
    engine: Engine, tmp_path: Path, name: str, overwrite: bool
) -> None:
    raw, path = to_lines(numbered(500)), tmp_path / name
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    breaking = Breaking(engine)
    breaking.parallel, breaking.left = 1, 10 if overwrite else 250
    make(breaking, "things")
    progress = progress_file(path, "things")
    with pytest.raises(BrokenError):
        load(patient(breaking), "things", source_at(path), overwrite=overwrite, progress=progress)
    breaking.left = 1000
    done = load(
        patient(breaking), "things", source_at(path), overwrite=overwrite, progress=progress
    )
    assert done.resumed == 200
    assert done.counts.read == 500
    assert everything(breaking, "things") == in_order(numbered(500))
    assert sorted(each.name for each in tmp_path.iterdir()) == [name]


def test_a_folder_of_parts_goes_on_in_the_part_where_it_was(engine: Engine, tmp_path: Path) -> None:
    driver = patient(Embedded(engine))
    fill(driver, make(driver, "old"), numbered(500))
    dump(driver, "old", tmp_path / "out", segments=3, compress=True)
    breaking = Breaking(engine)
    breaking.parallel, breaking.left = 1, 14
    make(breaking, "new")
    place = tmp_path / "progress"
    source = source_at(tmp_path / "out")
    with pytest.raises(BrokenError):
        load(patient(breaking), "new", source, overwrite=True, progress=place)
    done = load(driver, "new", source, overwrite=True, progress=place)
    assert (done.resumed, done.counts.read) == (300, 500)
    assert everything(driver, "new") == in_order(numbered(500))


def test_bad_lines_are_put_aside_once_although_the_load_broke_off(
    engine: Engine, tmp_path: Path
) -> None:
    lines = b"".join(to_lines([item]) + b"bad\n" for item in numbered(200))
    (tmp_path / "in.json").write_bytes(lines)
    source, aside, progress = source_at(tmp_path / "in.json"), tmp_path / "bad", tmp_path / "prog"
    breaking = Breaking(engine)
    breaking.parallel, breaking.left = 1, 130
    make(breaking, "things")
    with pytest.raises(BrokenError):
        load(patient(breaking), "things", source, progress=progress, bad_lines=aside)
    with aside.open("ab") as file:
        file.write(b"what a killed process wrote behind its progress\n" * 100)
    breaking.left = 1000
    done = load(patient(breaking), "things", source, progress=progress, bad_lines=aside)
    assert (done.counts.read, done.counts.failed) == (400, 200)
    assert text_of(aside) == ["bad"] * 200


def test_a_source_that_was_changed_is_not_gone_on_with(engine: Engine, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.json", numbered(300))
    breaking = Breaking(engine)
    breaking.parallel, breaking.left = 1, 150
    make(breaking, "things")
    with pytest.raises(BrokenError):
        load(patient(breaking), "things", source_at(path), progress=tmp_path / "prog")
    write_lines(path, reversed(numbered(300)))
    with pytest.raises(BadDump, match="was changed"):
        load(patient(breaking), "things", source_at(path), progress=tmp_path / "prog")


def test_a_line_may_be_mended_behind_the_place_where_it_goes_on(
    driver: RetryingDriver, tmp_path: Path
) -> None:
    driver.parallel = 1
    lines = to_lines(numbered(150)) + b"bad\n" + to_lines(numbered(200)[150:])
    (tmp_path / "in.json").write_bytes(lines)
    make(driver, "things")
    with pytest.raises(BadDump, match="line 151"):
        load(driver, "things", source_at(tmp_path / "in.json"), progress=tmp_path / "prog")
    write_lines(tmp_path / "in.json", numbered(200))
    done = load(driver, "things", source_at(tmp_path / "in.json"), progress=tmp_path / "prog")
    assert (done.resumed, done.counts) == (150, LoadCounts(read=200, new=200))


def test_progress_of_another_load_is_not_used(engine: Engine, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "in.json", numbered(300))
    breaking = Breaking(engine)
    breaking.parallel, breaking.left = 1, 150
    make(breaking, "things")
    make(breaking, "others")
    place = tmp_path / "prog"
    with pytest.raises(BrokenError):
        load(patient(breaking), "things", source_at(path), progress=place)
    with pytest.raises(UsageError, match="another table"):
        load(patient(breaking), "others", source_at(path), progress=place)
    with pytest.raises(UsageError, match="other options"):
        load(patient(breaking), "things", source_at(path), progress=place, overwrite=True)
    place.write_text("{}")
    with pytest.raises(BadDump, match="not the progress"):
        load(patient(breaking), "things", source_at(path), progress=place)


@pytest.mark.parametrize("task", ["load", "overwrite"])
def test_killed_again_and_again_it_ends_with_every_item(tmp_path: Path, task: str) -> None:
    database, path = tmp_path / "db", write_lines(tmp_path / "in.json", numbered(3000))
    with Engine(database, synchronous="normal") as engine:
        make(Embedded(engine), "things")
    chance = random.Random(task)
    for _ in range(3):
        run_and_kill(chance, task, database, "things", path)
    with Engine(database, synchronous="normal") as engine:
        driver = patient(Embedded(engine))
        done = load(
            driver,
            "things",
            source_at(path),
            overwrite=task == "overwrite",
            progress=progress_file(path, "things"),
        )
        assert 0 < done.resumed < done.counts.read == 3000
        assert everything(driver, "things") == in_order(numbered(3000))


def test_one_progress_is_for_one_load_at_a_time(driver: RetryingDriver, tmp_path: Path) -> None:
    source = source_at(write_lines(tmp_path / "in.json", numbered(3)))
    make(driver, "things")
    with (
        lock_file(tmp_path / "prog", "a load"),
        pytest.raises(UsageError, match="is running in another process"),
    ):
        load(driver, "things", source, progress=tmp_path / "prog")
    assert load(driver, "things", source, progress=tmp_path / "prog").counts.new == 3
