"""What pages are run with: programs that start at once, and a web."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from gotgan.clock import LeapingClock, SystemClock
from gotgan.world import World, world_server
from tests.docs.sessions import MOMENT, Terminal
from tests.house.repository import ROOT
from tests.sql.fixtures import postgres
from tests.sql.servers import Postgres

__all__ = ["database", "door", "postgres", "programs", "terminal", "web"]

_ASKING = Path(__file__).with_name("asking.py")


@pytest.fixture(scope="session")
def door() -> Iterator[Path]:
    """Where the warm process listens."""
    with tempfile.TemporaryDirectory() as folder:  # a socket's path may not be long
        path = Path(folder) / "door"
        command = [sys.executable, "-m", "tests.docs.warm", str(path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            try:
                assert process.stdout.readline() == b"open\n"
                yield path
            finally:
                process.terminate()


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of ``gotgan`` and ``python``, as the pages call them."""
    folder = tmp_path_factory.mktemp("programs")
    for name in ("gotgan", "python"):
        path = folder / name
        path.write_text(f"#!{sys.executable} -SE\n{_ASKING.read_text()}")
        path.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def web() -> Iterator[str]:
    """The place of a small world."""
    clock = LeapingClock(SystemClock(), MOMENT)
    world = World(clock=clock, shares={"KOSPI": 60, "KOSDAQ": 5}, shop_bytes=2_000)
    with world_server(world) as served:
        yield served.place


@pytest.fixture
def terminal(programs: Path, door: Path, web: str, tmp_path: Path) -> Terminal:
    """A terminal in an empty folder."""
    folder = tmp_path / "reader"
    folder.mkdir()
    return Terminal(programs, door, web, folder)


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    """The address of an empty database in PostgreSQL."""
    with postgres.fresh(prepared=False) as settings:
        assert settings.database is not None
        yield settings.database.reveal()
