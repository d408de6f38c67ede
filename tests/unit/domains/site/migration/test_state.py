"""The file that a migration remembers itself by, and what is said where it cannot be used."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import orjson
import pytest

from gotgan.domains.site.migration import messages
from gotgan.domains.site.migration.report import MigrationTally
from gotgan.domains.site.migration.rows import Note
from gotgan.domains.site.migration.state import open_state
from gotgan.errors import MigrationError, UsageError
from gotgan.messages import render


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("gotgan.domains.site.migration.state.BUSY_TIMEOUT_S", 0.0)
    return tmp_path / "state.sqlite3"


@contextmanager
def _written(path: Path) -> Iterator[None]:
    """Somebody else is in the middle of writing to the file."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


def test_a_state_that_another_process_makes_says_so(path: Path) -> None:
    with (
        _written(path),
        pytest.raises(UsageError, match="Another migration is running"),
        open_state(path, keep=True),
    ):
        pytest.fail("it was opened")


def test_a_state_that_another_process_writes_says_so(path: Path) -> None:
    with open_state(path, keep=True) as state:
        state.note(first=1)
    with _written(path):
        with open_state(path, keep=True) as state:
            assert state.fact("first") == 1
        with (
            pytest.raises(UsageError, match="Wait until it ends"),
            open_state(path, keep=True) as state,
        ):
            state.note(second=2)


def test_a_file_that_is_no_state_says_so(path: Path) -> None:
    path.write_bytes(b"something else entirely, and long enough to be a file" * 9)
    with (
        pytest.raises(MigrationError, match="not the state of a migration"),
        open_state(path, keep=True),
    ):
        pytest.fail("it was opened")


def test_a_file_that_cannot_be_opened_is_not_called_something_else(path: Path) -> None:
    path.mkdir()
    with pytest.raises(MigrationError, match="cannot be used"), open_state(path, keep=True):
        pytest.fail("it was opened")


def test_decisions_of_an_earlier_run_are_still_messages() -> None:
    tally = MigrationTally()
    tally.decide([Note(messages.SLUG_SHARED(), "c2: news → news-2")])
    noted = orjson.loads(orjson.dumps(tally.record()))
    noted["decisions"]["a sentence of an earlier version"] = {"count": 1, "examples": []}
    restored = MigrationTally.restored(noted)
    shared, old = restored.decisions
    assert restored.decisions[shared] == tally.decisions[messages.SLUG_SHARED()]
    assert render(shared, "ko") == "두 분류의 슬러그가 같음"
    assert old == "a sentence of an earlier version"
