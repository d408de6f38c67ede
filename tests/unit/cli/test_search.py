"""``gotgan search``: words without quotes, an index that is updated first, and its upkeep."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gotgan.app import App
from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.domains.news.models import Story
from gotgan.settings import Settings

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(
    tmp_path: Path,
    prepared_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """``gotgan search`` over two stories that nobody has indexed."""
    (tmp_path / "data").mkdir()
    shutil.copy(prepared_file, tmp_path / "data" / "gotgan.sqlite3")
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")
    with App.open(Settings.from_env()) as app:
        stories = [Story("삼성전자 실적 \x1b[31m발표", "https://example.com/1", ("005930",))]
        app.news.upload([*stories, Story("Chips", "https://example.com/2")])

    def run(*words: str) -> tuple[int, str]:
        code = main(["search", *words])
        return code, capsys.readouterr().out

    return run


def test_words_need_no_quotes_and_find_what_was_just_stored(run: Run) -> None:
    code, said = run("실적", "삼성")
    assert code == ExitCode.OK
    assert "삼성전자 실적 \\u001b[31m발표" in said
    assert "story 1 · index updated 0 seconds ago" in said


def test_what_is_not_there_is_said(run: Run) -> None:
    code, said = run("nowhere")
    assert (code, said.startswith("Nothing matches.")) == (ExitCode.OK, True)


def test_a_program_gets_the_marks(run: Run) -> None:
    code, said = run("find", "chips", "--kinds", "story", "--json")
    page: dict[str, Any] = json.loads(said)
    [hit] = page["items"]
    assert (code, hit["title"], hit["titleMarks"]) == (ExitCode.OK, "Chips", [[0, 5]])
    assert page["kinds"] == [{"kind": "story", "count": 1, "isBounded": False}]


def test_the_index_is_kept_by_hand(run: Run) -> None:
    assert "Documents written: 2, removed: 0, in the index: 2." in run("refresh")[1]
    assert "Documents written: 0, removed: 0, in the index: 2." in run("refresh")[1]
    assert "Documents written: 2, removed: 0, in the index: 2." in run("rebuild")[1]
