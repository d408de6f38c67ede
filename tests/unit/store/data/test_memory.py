"""Dumping and loading a table takes no more memory when the table is larger."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gotgan.store.data.dump import dump
from gotgan.store.data.load import load
from gotgan.store.data.load_sources import source_at
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.house.repository import ROOT
from tests.unit.store.data.tables import make

resource = pytest.importorskip("resource", reason="this system does not count memory that way")

ITEMS = 50_000
MEGABYTE = 1 << 20


def _peak() -> float:
    """The most memory that this process ever had, in MB."""
    kilobytes: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / 1024


def _write_source(path: Path, count: int) -> None:
    with path.open("w") as file:
        for n in range(count):
            item = {"pk": {"S": f"p{n}"}, "sk": {"S": "a"}, "text": {"S": f"{n:05d}" * 200}}
            file.write(json.dumps({"Item": item}) + "\n")


def _measure(folder: Path) -> list[float]:
    """The peaks after a small load and dump, after the large load, and after the large dump."""
    peaks = []
    with Engine(folder / "db", synchronous="normal") as engine:
        driver = RetryingDriver(Embedded(engine))
        for name, count in (("small", ITEMS // 10), ("large", ITEMS)):
            _write_source(folder / f"{name}.json", count)
            make(driver, name)
            load(driver, name, source_at(folder / f"{name}.json"), overwrite=True)
            peaks.append(_peak())
            assert dump(driver, name, folder / name, segments=1).items == count
            peaks.append(_peak())
    return peaks


def test_a_table_ten_times_as_large_takes_hardly_more_memory(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.unit.store.data.test_memory", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    _, small, large_load, large_dump = json.loads(done.stdout)
    size = (tmp_path / "large.json").stat().st_size / MEGABYTE
    assert size > 45
    # What is held as Python values takes several times its size as text.
    assert large_load - small < size / 2
    assert large_dump - small < size / 2


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_measure(Path(sys.argv[1]))))
