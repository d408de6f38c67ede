"""The documentation is true: written from the code where it can be, and whole."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import click

from gotgan.cli.commands import root
from gotgan.settings import Settings
from scripts.reference import pages
from tests.each import each
from tests.house.repository import DOCS, ROOT, python_files, relative, text_files

MARKDOWN = [path for path in text_files() if path.suffix == ".md"]
COMMANDS = {words: (line, command) for words, line, command in root.every_command()}
LINK = re.compile(r"\[[^\]]+\]\((?!https?://)([^)#]*)(?:#([^)]*))?\)")
LARGEST_PICTURE = 300_000
MOST_PAGES = 30
"""Pages of docs/ that are maintained by hand; more are not kept true and are hard to survey."""
RECORDS = DOCS / "decisions"
"""Records of decisions are written once and then left alone."""
EXAMPLES = [ROOT / "my_site.py"]
"""Files that a reader of the pages makes."""
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def _anchors(page: Path) -> set[str]:
    """The names of its headings, as they are linked to."""
    titles = HEADING.findall(page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def _is_there(place: Path, anchor: str) -> bool:
    return place.exists() and (not anchor or anchor in _anchors(place))


def test_the_page_about_the_architecture_draws_the_layers_of_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = contracts["tool"]["importlinter"]["contracts"][0]["layers"]
    drawing = re.findall(r"```text\n(.*?)```", (DOCS / "architecture.md").read_text(), re.DOTALL)[0]
    names = iter(
        name for line in drawing.splitlines() for name in line.partition("  ")[0].split(", ")
    )
    for layer in layers:
        modules = layer.split(" | ")
        assert {next(names) for _ in modules} == set(modules)
    assert [*names] == []


@each("path", pages(), relative)
def test_a_reference_page_says_what_the_code_says(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == pages()[path], "run make docs"


def test_few_pages_are_maintained_by_hand() -> None:
    written = {path for path in DOCS.rglob("*.md") if RECORDS not in path.parents}
    written = {path for path in written if not path.name.endswith(".ko.md")}  # translations
    assert len(written - pages().keys()) <= MOST_PAGES


@each("item", fields(Settings), lambda item: item.name)
def test_a_setting_is_in_the_documentation(item: object) -> None:
    variable = item.metadata["variable"]  # type: ignore[attr-defined]
    assert f"| `{variable}` |" in (DOCS / "settings.md").read_text(encoding="utf-8")


@each("words", COMMANDS)
def test_a_command_its_arguments_and_its_options_are_in_the_documentation(words: str) -> None:
    page = (DOCS / "cli.md").read_text(encoding="utf-8")
    section = page.partition(f"## gotgan {words}\n")[2].partition("\n## ")[0]
    context = click.Context(COMMANDS[words][1])
    for one in COMMANDS[words][1].params:
        is_option = isinstance(one, click.Option)
        assert (f"| `{one.opts[0]}" if is_option else one.make_metavar(context)) in section


@each("words", COMMANDS)
def test_every_command_speaks_json(words: str) -> None:
    assert "--json" in [word for one in COMMANDS[words][1].params for word in one.opts]


@each("words", COMMANDS)
def test_the_help_calls_a_command_what_it_calls_itself(words: str) -> None:
    line, command = COMMANDS[words]
    assert command.get_short_help_str(limit=100) == line


@each("path", MARKDOWN, relative)
def test_a_link_leads_somewhere(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))
    places = [(path.parent / target if target else path, anchor) for target, anchor in links]
    assert [each for each in places if not _is_there(*each)] == []


@each("path", [path for path in MARKDOWN if path.name != "CHANGELOG.md"], relative)
def test_a_python_file_that_a_page_names_exists(path: Path) -> None:
    named = set(re.findall(r"`([a-z_/]+\.py)`", path.read_text(encoding="utf-8")))
    known = [f"/{relative(file)}" for file in (*python_files(), *EXAMPLES)]
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in known)] == []


@each("folder", [DOCS, DOCS / "decisions", DOCS / "tables"], relative)
def test_the_index_of_a_folder_names_its_pages(folder: Path) -> None:
    index = (folder / "README.md").read_text(encoding="utf-8")
    there = {path.name for path in folder.glob("*.md")} - {"README.md"}
    assert {name for name in there if f"({name})" not in index} == set()


def test_a_picture_is_small_and_stands_on_a_page() -> None:
    shown = "".join(path.read_text(encoding="utf-8") for path in MARKDOWN)
    pictures = list(DOCS.glob("images/*"))
    assert [relative(path) for path in pictures if f"images/{path.name})" not in shown] == []
    assert [relative(path) for path in pictures if path.stat().st_size > LARGEST_PICTURE] == []


def test_every_make_target_is_one_that_the_contributors_page_knows() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE)
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [name for name in targets if name != "help" and f"`make {name}`" not in page] == []
