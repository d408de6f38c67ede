"""Every block of code in the documentation runs, or says why it does not."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.pages import WRITTEN
from tests.docs.blocks import Block, blocks_of
from tests.docs.prepared import prepare
from tests.docs.sessions import Terminal
from tests.each import each
from tests.house.repository import relative, text_files

MARKDOWN = [path for path in text_files() if path.suffix == ".md"]
BLOCKS = [block for page in MARKDOWN for block in blocks_of(page)]
BY_HAND = [block for block in BLOCKS if WRITTEN not in block.page.read_text(encoding="utf-8")]
RUN = [block for block in BY_HAND if block.reason is None]
DATABASE = "postgresql://gotgan:secret@db.example.com/gotgan"
"""What pages call a database; whoever tries them has one elsewhere."""

SIMULATED = "the commands below are run on simulated data already"
LEFT_OUT: Counter[tuple[str, str | None]] = Counter(
    {
        ("README.ko.md", "needs an Airflow; make test-airflow runs the DAGs in one"): 1,
        ("README.ko.md", "the first installs Gotgan, the second serves until it is stopped"): 1,
        (
            "README.ko.md",
            "the first serves until it is stopped, the second is what runs this page",
        ): 1,
        ("README.md", "needs an Airflow; make test-airflow runs the DAGs in one"): 1,
        ("README.md", "the first installs Gotgan, the second serves until it is stopped"): 1,
        ("README.md", "the first serves until it is stopped, the second is what runs this page"): 1,
        ("deploy/README.md", "needs an AWS account"): 1,
        (
            "deploy/README.md",
            "needs an AWS account; tests check the template and run the functions",
        ): 1,
        ("docs/architecture.md", "a drawing"): 3,
        ("docs/backup.md", "a file of Litestream's"): 1,
        ("docs/backup.md", "needs a PostgreSQL server and its tools"): 1,
        ("docs/backup.md", "needs an AWS account"): 1,
        ("docs/benchmarks.md", "takes minutes"): 1,
        (
            "docs/coming-from.md",
            "each serves until it is stopped; tests parse these command lines",
        ): 1,
        ("docs/coming-from.md", "sets variables of a shell; docs/engine.md runs the same"): 1,
        (
            "docs/coming-from.md",
            "the first installs a package, the second serves until it is stopped",
        ): 1,
        ("docs/console.md", "a list of places"): 1,
        ("docs/deployment.md", "a drawing"): 1,
        ("docs/deployment.md", "a file of systemd's"): 1,
        ("docs/deployment.md", "a setting of Airflow; make test-airflow uses it"): 1,
        ("docs/deployment.md", "a statement and a setting"): 1,
        ("docs/deployment.md", "installs Airflow; make test-airflow does that"): 1,
        ("docs/deployment.md", "needs an Airflow; make test-airflow triggers the same"): 1,
        ("docs/differences-from-dynamodb.md", "takes minutes, and is run with the tests"): 1,
        ("docs/engine.md", "fetches a package; tests/fronts runs it"): 1,
        ("docs/engine.md", "needs Docker; tests read the recipe and its command lines"): 1,
        (
            "docs/engine.md",
            "the endpoint is that of the line above, which a program does not start",
        ): 1,
        ("docs/exports.md", "needs an AWS account; tests run it on a local server"): 1,
        ("docs/exports.md", "the next block runs it"): 1,
        ("docs/extending.md", "a function that is added to a module"): 1,
        ("docs/extending.md", "a line that is added to a class"): 1,
        ("docs/extending.md", "a line that is added to a file"): 1,
        ("docs/extending.md", "a list of places"): 1,
        ("docs/extending.md", "a method that is added to a class"): 1,
        (
            "docs/extending.md",
            "installs a package; tests/scenario/test_sixth_domain.py runs the commands",
        ): 1,
        ("docs/extending.md", "part of gotgan_rates/__init__.py"): 1,
        ("docs/extending.md", "part of gotgan_rates/exports.py"): 1,
        ("docs/extending.md", "part of gotgan_rates/models.py"): 1,
        ("docs/extending.md", "part of gotgan_rates/service.py"): 8,
        ("docs/extending.md", "part of gotgan_rates/texts.toml"): 1,
        ("docs/extending.md", "part of pyproject.toml"): 1,
        ("docs/lifecycles.md", "a drawing"): 1,
        ("docs/mcp.md", "installs a package"): 1,
        ("docs/site.md", "a drawing"): 1,
        ("docs/site.md", "a piece of a pyproject.toml; tests install the package above"): 1,
        ("docs/site.md", "needs the package above; tests install it and run this"): 1,
        ("docs/store.md", "what the program above prints"): 1,
        ("docs/tables.md", "a piece of a template"): 1,
        ("docs/tables.md", "needs an AWS account"): 1,
        ("docs/tutorials/company-site.md", "installs Gotgan"): 1,
        ("docs/tutorials/following-shops.ko.md", "installs Gotgan, and asks"): 1,
        ("docs/tutorials/following-shops.ko.md", SIMULATED): 1,
        ("docs/tutorials/following-shops.md", "installs Gotgan, and asks"): 1,
        ("docs/tutorials/following-shops.md", SIMULATED): 1,
        ("docs/tutorials/prices-and-news.ko.md", "installs Gotgan"): 1,
        ("docs/tutorials/prices-and-news.ko.md", SIMULATED): 1,
        ("docs/tutorials/prices-and-news.md", "installs Gotgan"): 1,
        ("docs/tutorials/prices-and-news.md", SIMULATED): 1,
        (
            "docs/tutorials/production.md",
            "needs an Airflow; make test-airflow runs the DAGs in one",
        ): 1,
        ("docs/tutorials/production.md", "installs Gotgan"): 1,
        ("docs/tutorials/youtube-comments.md", "installs Gotgan, and asks"): 1,
        ("docs/tutorials/youtube-comments.md", SIMULATED): 1,
        ("docs/videos.md", "needs the reviews, which are not in the repository"): 1,
        ("docs/ops.md", "the numbers are those of one machine"): 1,
        ("docs/world.md", "two ways to say the same"): 1,
    }
)
"""How many blocks of each page are not run, and why."""


def _pages_with(language: str) -> list[Path]:
    return sorted({block.page for block in RUN if block.language == language})


def _of(page: Path, language: str) -> list[Block]:
    return [block for block in RUN if (block.page, block.language) == (page, language)]


@pytest.mark.parametrize("page", _pages_with("python"), ids=relative)
def test_the_python_on_a_page_runs(page: Path, terminal: Terminal) -> None:
    program = "\n".join(block.text for block in _of(page, "python"))
    assert terminal.program_fault(program) == ""


@pytest.mark.parametrize("page", _pages_with("console"), ids=relative)
def test_what_is_typed_on_a_page_does_what_the_page_shows(
    page: Path, terminal: Terminal, request: pytest.FixtureRequest
) -> None:
    blocks = _of(page, "console")
    if any(DATABASE in block.text for block in blocks):
        terminal = replace(terminal, places={DATABASE: request.getfixturevalue("database")})
    prepare(page, terminal.folder)
    fault = terminal.fault(blocks)
    assert fault is None, fault


@each("block", [block for block in BLOCKS if block.language == "json"])
def test_the_json_on_a_page_is_json(block: Block) -> None:
    json.loads(block.text)


def test_a_block_is_run_or_says_why_it_is_not() -> None:
    known = {"python", "console", "json"}
    assert [str(block) for block in RUN if block.language not in known] == []


def test_nothing_is_left_out_but_what_stands_here() -> None:
    left_out = Counter(
        (relative(block.page), block.reason) for block in BY_HAND if block.reason is not None
    )
    assert left_out == LEFT_OUT
