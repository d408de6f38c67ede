"""``gotgan settings`` shows every setting and where it came from, and no secret."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.settings import Settings
from tests.unit.test_settings_listing import HIDDEN, SECRETS

Run = Callable[..., str]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command, in an environment with every secret."""
    for name, text in SECRETS.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setenv("GOTGAN_LOG", "debug")

    def run(*words: str) -> str:
        assert main(["settings", *words]) == ExitCode.OK
        said = capsys.readouterr()
        return said.out + said.err

    return run


def test_every_setting_has_a_line(run: Run) -> None:
    said = run()
    assert [item.metadata["variable"] for item in fields(Settings)
            if item.metadata["variable"] not in said] == []  # fmt: skip


def test_no_secret_is_shown_in_words_or_in_json(run: Run) -> None:
    for said in (run(), run("--json"), run("--origin", "environment")):
        assert HIDDEN not in said
    assert "set, not shown" in run()
    told = {each["variable"]: each for each in json.loads(run("--json"))["items"]}
    assert (told["KRX_PW"]["value"], told["KRX_PW"]["isSecret"]) == (None, True)
    assert told["GOTGAN_LOG"]["origin"] == "environment"


def test_settings_are_chosen_by_where_they_came_from(run: Run) -> None:
    chosen = run("--origin", "environment")
    assert "GOTGAN_LOG" in chosen
    assert "GOTGAN_ZONE" not in chosen
    assert run("--origin", "program") == "Nothing is set.\n"


def test_a_zone_without_days_is_told_whose_days_are_counted(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "day of Seoul" not in run()
    monkeypatch.setenv("GOTGAN_ZONE", "Europe/Berlin")
    assert "a day without --zone is a day of Seoul" in run()


def test_settings_are_shown_without_opening_the_store_or_the_database(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data"
    monkeypatch.setenv("GOTGAN_DATA", str(folder))
    monkeypatch.setenv("GOTGAN_DATABASE", "postgresql://gotgan@127.0.0.1:1/none")
    assert "GOTGAN_DATA " in run("--origin", "environment")
    assert not folder.exists()


def test_a_setting_that_cannot_be_used_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOTGAN_SECRET", "short")
    assert main(["settings"]) != ExitCode.OK
    said = capsys.readouterr()
    assert "GOTGAN_SECRET is not valid" in said.err
    assert "short" not in said.err + said.out
