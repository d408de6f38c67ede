"""``gotgan backup`` and ``gotgan restore``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOTGAN_DATA", "data")
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")

    def run(*words: str) -> tuple[int, str, str]:
        code = main(list(words))
        said = capsys.readouterr()
        return code, said.out, said.err

    assert run("tables", "create")[0] == ExitCode.OK
    return run


def test_a_backup_is_made_pruned_and_restored(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said, _ = run("backup", "backups")
    assert (code, said.splitlines()[1].split()[0]) == (ExitCode.OK, "dynamodb.sqlite3")
    assert "Not included: secret: does not exist yet." in said
    monkeypatch.setenv("GOTGAN_BACKUP", "backups")
    monkeypatch.setenv("GOTGAN_BACKUP_KEEP", "1")
    code, said, _ = run("backup", "--json")
    made = json.loads(said)
    [left] = Path("backups").glob("*.zip")
    assert (code, made["backup"], len(made["deleted"])) == (ExitCode.OK, str(left), 1)
    monkeypatch.setenv("GOTGAN_DATA", "new")
    code, said, _ = run("restore", str(left), "--json")
    restored = json.loads(said)
    assert (code, restored["folder"]) == (ExitCode.OK, "new")
    assert (restored["files"], restored["moment"]) == (made["files"], made["moment"])
    assert "news_items" in run("tables", "list")[1]
    assert run("restore", str(left), "--to", "another")[1].startswith("Restored another as of ")


def test_what_cannot_be_done_is_said_with_a_way_out(run: Run) -> None:
    code, _, said = run("backup")
    assert (code, said.endswith("set GOTGAN_BACKUP. [usage]\n")) == (ExitCode.USAGE, True)
    assert run("backup", "backups", "--keep", "0")[0] == ExitCode.USAGE
    assert run("restore", "missing.zip")[0] == ExitCode.USAGE
    run("backup", "backups")
    [backup] = Path("backups").glob("*.zip")
    code, _, said = run("restore", str(backup), "--json")
    assert (code, json.loads(said)["error"]["code"]) == (ExitCode.FAILED, "conflict")
