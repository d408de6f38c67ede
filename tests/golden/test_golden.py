"""OpenAPI document, help, JSON output and forms are as in the golden files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click import Context

from gotgan.app import App
from gotgan.cli import main
from gotgan.cli.commands import LazyGroup, root
from gotgan.cli.output import ExitCode
from gotgan.clock import FixedClock, SystemClock
from gotgan.server import create_server
from gotgan.world import World, world_server
from tests.golden.files import FOLDER, as_json, check
from tests.golden.forms import every_form
from tests.golden.scripts import SCRIPTS, korean
from tests.golden.terminal import Terminal
from tests.sql.fixtures import prepared_file
from tests.unit.console.whole import filled_console

__all__ = ["prepared_file"]

GROUPS = {"gotgan": [""]} | {
    group: [words for words, _, _ in root.every_command() if words.split()[0] == group]
    for group in root.list_commands(Context(root))
}
"""The commands whose help is in one file, by the name of the file."""
NESTED_GROUPS = {words for words, _, each in root.every_command() if isinstance(each, LazyGroup)}
NOW = datetime(2025, 10, 20, 8, 30, tzinfo=UTC)
"""Monday, 17:30 in Seoul."""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FixedClock:
    """The clock of all code in this process."""
    clock = FixedClock(NOW)
    monkeypatch.setattr(SystemClock, "now", lambda _self: clock.now())
    return clock


@pytest.fixture
def terminal(
    clock: FixedClock,
    tmp_path: Path,
    prepared_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Terminal]:
    """A terminal with an empty data folder, a clean environment and a small simulated web."""
    for name in [name for name in os.environ if name != "PATH"]:
        monkeypatch.delenv(name)
    (tmp_path / "data").mkdir()
    shutil.copy(prepared_file, tmp_path / "data" / "gotgan.sqlite3")
    monkeypatch.chdir(tmp_path)
    world = World(clock=clock, padding=0, shop_bytes=500, shares={"KOSPI": 3, "KOSDAQ": 2})
    with world_server(world) as served:
        monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
        monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")
        monkeypatch.setenv("GOTGAN_RESOLVE", f"*={served.place}")
        monkeypatch.setenv("GOTGAN_DELAY", "0")
        monkeypatch.setenv("GOTGAN_SECRET", "s" * 32)
        monkeypatch.setenv("KRX_ID", "family")
        monkeypatch.setenv("KRX_PW", "open sesame")
        monkeypatch.setenv("YOUTUBE_API_KEY", "world")
        yield Terminal(tmp_path, clock, capsys)


def test_the_openapi_document_is_unchanged() -> None:
    with App.in_memory() as app:
        document = create_server(app).openapi()
    document["info"]["version"] = "<version>"
    check("openapi.json", as_json(document))


@pytest.mark.parametrize("group", GROUPS)
def test_the_help_of_every_command_is_unchanged(
    group: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for command in [root, *(each for _, _, each in root.every_command())]:
        # click caches the option of the first context, which other tests make without the root
        monkeypatch.setattr(command, "_help_option", None, raising=False)
    for words in GROUPS[group]:
        assert main([*words.split(), "--help"]) == ExitCode.OK
    check(f"help/{group}.txt", capsys.readouterr().out)


def test_the_help_of_every_group_is_unchanged_in_korean(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    for group in GROUPS:
        words = [] if group == "gotgan" else [group]
        assert main([*words, "--help"]) == ExitCode.OK
    check("ko/help.txt", capsys.readouterr().out)


def test_results_are_unchanged_in_korean(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    check("ko/results.txt", "\n".join(korean(terminal)))


@pytest.mark.parametrize("group", SCRIPTS)
def test_the_json_output_of_every_command_is_unchanged(terminal: Terminal, group: str) -> None:
    SCRIPTS[group](terminal)
    check(f"json/{group}.json", as_json(terminal.log))
    run_commands = [
        f"{each['command']} " for each in terminal.log if each["exit"] != ExitCode.USAGE
    ]
    leaves = [words for words in GROUPS[group] if words not in NESTED_GROUPS]
    missed = [
        leaf for leaf in leaves if not any(run.startswith(f"{leaf} ") for run in run_commands)
    ]
    assert missed == [], f"add them to tests/golden/scripts.py: {missed}"


def test_the_forms_of_the_console_are_unchanged() -> None:
    with filled_console() as (_app, client):
        client.follow_redirects = True
        check("forms.json", as_json(every_form(client)))


def test_no_golden_file_is_left_over() -> None:
    files = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    known = {f"help/{group}.txt" for group in GROUPS} | {f"json/{group}.json" for group in SCRIPTS}
    known |= {"ko/help.txt", "ko/results.txt"}
    kept = {name for name in files if name.endswith((".json", ".txt"))}
    pages = {"forms.json", "pages/en.txt", "pages/ko.txt"}
    assert kept - known == {"openapi.json", *pages}
