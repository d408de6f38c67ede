"""The code on the page about domains of other packages is that of the example."""

from __future__ import annotations

import pytest

from tests.docs.blocks import Block, blocks_of
from tests.house.repository import DOCS
from tests.scenario.rates_package import EXAMPLE

MARK = "part of "
BLOCKS = [each for each in blocks_of(DOCS / "extending.md") if (each.reason or "").startswith(MARK)]


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_a_block_is_in_the_file_that_it_names(block: Block) -> None:
    name = (block.reason or "").removeprefix(MARK)
    assert _lines(block.text) in _lines((EXAMPLE / name).read_text(encoding="utf-8"))


def test_the_page_has_all_of_the_example_but_texts() -> None:
    shown = _lines("".join(block.text for block in BLOCKS))
    files = [each for each in EXAMPLE.rglob("*") if each.suffix in {".py", ".toml"}]
    assert {each.name for each in files} == {
        "__init__.py",
        "exports.py",
        "models.py",
        "pyproject.toml",
        "service.py",
        "texts.toml",
    }
    whole = [each.read_text(encoding="utf-8") for each in files if each.name != "texts.toml"]
    lines = [line for text in whole for line in text.splitlines()]
    assert [line for line in lines if line.strip() not in shown] == []


def _lines(text: str) -> str:
    """A text without indents and blank lines: methods stand at the margin of the page."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())
