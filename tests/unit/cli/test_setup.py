"""``gotgan setup`` says what is there, what is missing, and how to get it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode

HIDDEN = "the-text-that-nobody-may-read-anywhere"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of its own."""
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")


def test_on_the_first_day_it_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup"]) == ExitCode.OK
    said = capsys.readouterr().out
    assert said.startswith("news\n  ! contact: Set GOTGAN_CONTACT")
    assert "      export GOTGAN_CONTACT=…\n" in said
    assert "  – webhook: " in said
    assert "\n\nsite\n  ! company: " in said
    assert "✓" not in said


def test_what_is_set_is_ticked_off_without_being_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRX_ID", "kim")
    monkeypatch.setenv("KRX_PW", HIDDEN)
    main(["setup"])
    said = capsys.readouterr().out
    assert "market\n  ✓ login\n" in said
    main(["setup", "--json"])
    told = capsys.readouterr().out
    steps = {f"{step['domain']}.{step['name']}": step for step in json.loads(told)["items"]}
    assert steps["market.login"]["isSet"] is True
    assert steps["shops.shop"]["reason"] == "no_shops"
    assert HIDDEN not in said + told
