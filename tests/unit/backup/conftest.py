"""A data folder with something in each file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gotgan.settings import Settings
from gotgan.store.engine import connect
from tests.contract.tables import create_table
from tests.sql.fixtures import prepared_file

__all__ = ["prepared_file", "settings"]


@pytest.fixture
def settings(tmp_path: Path, prepared_file: Path) -> Settings:
    """Settings whose data folder has both SQLite files and a secret."""
    settings = Settings(data=tmp_path / "data", synchronous="normal")
    settings.secret()
    shutil.copy(prepared_file, settings.sqlite_file())
    with connect(settings.dynamodb_file(), synchronous="normal") as client:
        create_table(client, name="goods").put(pk="rice")
    return settings
