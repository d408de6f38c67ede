"""An endpoint with one table, and the drivers that lead to it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server

from .aws_environment import forget_aws

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def _no_aws(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    forget_aws(monkeypatch, tmp_path)


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with Engine(None) as engine:
        yield engine


@pytest.fixture(scope="session")
def url(engine: Engine) -> Iterator[str]:
    with background_server(engine) as url:
        yield url


@pytest.fixture(scope="session")
def drivers(engine: Engine, url: str) -> Iterator[dict[str, Driver]]:
    """All ways to one engine, by name."""
    fast, plain = Aws(url, "eu-west-1"), Aws(url, "eu-west-1", shortcut=False)
    yield {"embedded": Embedded(engine), "shortened": fast, "by botocore": plain}
    fast.close()
    plain.close()


@pytest.fixture
def table(engine: Engine) -> str:
    """The name of an empty table, keyed by ``pk`` and ``sk``."""
    name = f"table-{next(_numbers)}"
    keys = {"pk": "HASH", "sk": "RANGE"}
    request: dict[str, Any] = {
        "TableName": name,
        "KeySchema": [{"AttributeName": key, "KeyType": kind} for key, kind in keys.items()],
        "AttributeDefinitions": [{"AttributeName": key, "AttributeType": "S"} for key in keys],
        "BillingMode": "PAY_PER_REQUEST",
    }
    engine.execute("CreateTable", request)
    return name
