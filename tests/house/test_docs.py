"""The documentation is true: written from the code where it can be, run where it is code."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click
import pytest

from gotgan.cli.frame import root
from gotgan.settings import Settings
from scripts.reference import pages
from tests.house.repository import DOCS, ROOT, relative, text_files

MARKDOWN = [path for path in text_files() if path.suffix == ".md"]
COMMANDS = {words: (line, command) for words, line, command in root.every_command()}
LINK = re.compile(r"\[[^\]]+\]\((?!https?://|#)([^)#]+)(?:#[^)]*)?\)")
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _programs() -> list[Path]:
    return [path for path in MARKDOWN if PYTHON.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", pages(), ids=relative)
def test_a_reference_page_says_what_the_code_says(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == pages()[path], "run make docs"


@pytest.mark.parametrize("item", fields(Settings), ids=lambda item: item.name)
def test_a_setting_is_in_the_documentation(item: object) -> None:
    variable = item.metadata["variable"]  # type: ignore[attr-defined]
    assert f"| `{variable}` |" in (DOCS / "settings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_its_arguments_and_its_options_are_in_the_documentation(words: str) -> None:
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    section = page.partition(f"## gotgan {words}\n")[2].partition("\n## ")[0]
    context = click.Context(COMMANDS[words][1])
    for one in COMMANDS[words][1].params:
        is_option = isinstance(one, click.Option)
        assert (f"| `{one.opts[0]}" if is_option else one.make_metavar(context)) in section


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_speaks_json(words: str) -> None:
    assert "--json" in [word for one in COMMANDS[words][1].params for word in one.opts]


@pytest.mark.parametrize("words", COMMANDS)
def test_the_help_calls_a_command_what_it_calls_itself(words: str) -> None:
    line, command = COMMANDS[words]
    assert command.get_short_help_str(limit=100) == line


@pytest.mark.parametrize("path", MARKDOWN, ids=relative)
def test_a_link_leads_somewhere(path: Path) -> None:
    targets = LINK.findall(path.read_text(encoding="utf-8"))
    assert [target for target in targets if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("folder", [DOCS, DOCS / "decisions", DOCS / "tables"], ids=relative)
def test_the_index_of_a_folder_names_its_pages(folder: Path) -> None:
    index = (folder / "README.md").read_text(encoding="utf-8")
    there = {path.name for path in folder.glob("*.md")} - {"README.md"}
    assert {name for name in there if f"({name})" not in index} == set()


@pytest.mark.parametrize("path", _programs(), ids=relative)
def test_the_python_on_a_page_runs(path: Path, tmp_path: Path) -> None:
    program = "\n".join(PYTHON.findall(path.read_text(encoding="utf-8")))
    command = [sys.executable, "-W", "error", "-c", program]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_every_make_target_is_one_that_the_contributors_page_knows() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE)
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [name for name in targets if name != "help" and f"`make {name}`" not in page] == []
