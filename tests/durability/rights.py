"""Being another user for a while: root may write everywhere, whatever the mode of a file says."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["NOBODY", "open_folder", "read_only", "without_rights"]

NOBODY = 65534


@contextmanager
def without_rights() -> Iterator[None]:
    """Be a user without any rights."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everyone can enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
        Path(folder).chmod(0o755)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Be the owner of a folder in which nothing can be written."""
    for path in (*folder.iterdir(), folder):
        if os.getuid() == 0:
            os.chown(path, NOBODY, NOBODY)
        path.chmod(0o500 if path == folder else 0o400)
    before = sorted(path.name for path in folder.iterdir())
    try:
        with without_rights():
            yield
    finally:
        folder.chmod(0o700)
    assert sorted(path.name for path in folder.iterdir()) == before
