"""Colours: on a terminal alone, and only for signs and states."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.colour import add_colours
from gotgan.cli.reader import reader

Capture = pytest.CaptureFixture[str]
ESCAPE = "\x1b["
GREEN, YELLOW, RED, PLAIN = "\x1b[32m", "\x1b[33m", "\x1b[31m", "\x1b[0m"


@pytest.fixture(autouse=True)
def _environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))


def _run(words: list[str], capsys: Capture) -> str:
    main(words)
    return "".join(capsys.readouterr())


@pytest.mark.parametrize("words", [["setup"], ["nonsense"]])
def test_a_terminal_has_colours_and_a_pipe_has_none(
    words: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = _run(words, capsys)
    assert ESCAPE not in plain
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    assert ESCAPE in _run(words, capsys)
    assert ESCAPE not in _run([*words, "--json"], capsys)
    monkeypatch.setenv("TERM", "dumb")
    assert _run(words, capsys) == plain
    monkeypatch.delenv("TERM")
    monkeypatch.setenv("NO_COLOR", "1")
    assert _run(words, capsys) == plain


def test_colours_can_be_forced(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert f"{YELLOW}  !{PLAIN} " in _run(["setup"], capsys)
    assert "\x1b[1mgotgan:" in _run(["nonsense"], capsys)
    assert ESCAPE not in _run(["setup", "--json"], capsys)


@pytest.mark.parametrize(
    ("text", "painted"),
    [
        ("2025-11-06: failed: why", f"2025-11-06: {RED}failed{PLAIN}: why"),
        ("  prices  success: 7", "  prices  success: 7"),
        ("head\n  prices  success: 7", f"head\n  prices  {GREEN}success{PLAIN}: 7"),
        ("job  done\na    done\nb    skipped", None),
        ("next    ✕ 07:05 news", f"next    {RED}✕{PLAIN} 07:05 news"),
        ("  ✓ key\n  ! shop", f"  {GREEN}✓{PLAIN} key\n{YELLOW}  !{PLAIN} shop"),
        ("Talks failed, sources say", "Talks failed, sources say"),
        ("Stop ! now", "Stop ! now"),
    ],
)
def test_signs_and_states_are_coloured_and_other_words_are_not(
    text: str, painted: str | None
) -> None:
    if painted is None:
        painted = f"job  done\na    {GREEN}done{PLAIN}\nb    {YELLOW}skipped{PLAIN}"
    assert add_colours(text) == painted


def test_states_are_coloured_in_the_language_of_the_reader() -> None:
    with reader("ko"):
        assert add_colours("x: 실패") == f"x: {RED}실패{PLAIN}"
