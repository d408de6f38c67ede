"""A file of its own for each test, and a client on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gotgan.store.engine import Client, connect
from tests.contract.tables import Table, create_table


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store's file is, or will be."""
    return tmp_path / "store.db"


@pytest.fixture
def client(path: Path) -> Iterator[Client]:
    """A client on the file; what a crash leaves is asked with kill -9 elsewhere."""
    with connect(path, synchronous="normal") as client:
        yield client


@pytest.fixture
def table(client: Client) -> Table:
    """A table keyed by ``pk:S``."""
    return create_table(client)
