"""What commands of the relational side start from."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gotgan.cli import main
from tests.sql.fixtures import prepared_file
from tests.unit.cli.video_files import Run

__all__ = ["prepared_file", "videos"]


@pytest.fixture
def videos(
    tmp_path: Path,
    prepared_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """``gotgan videos`` in a folder of its own, without any key."""
    (tmp_path / "data").mkdir()
    shutil.copy(prepared_file, tmp_path / "data" / "gotgan.sqlite3")
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["videos", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run
