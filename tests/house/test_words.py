"""Words that have no place in the repository."""

from __future__ import annotations

import re
from pathlib import Path

from tests.each import each
from tests.house.repository import SOURCE, relative, text_files

FORBIDDEN = {
    "a path of somebody's machine": r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+)\b",
    "a package registry": r"pypi\.org|pythonhosted|npmjs\.|debian\.org|artifactory",
    "a promise instead of work": r"\b(?:TODO|FIXME|XXX|HACK|NotImplementedError)\b",
    "a number of a tracker": r"(?i)\b(?:issue|ticket|pull request) ?#?\d",
    "a writing machine": r"\b(?:LLM|ChatGPT|Claude|Copilot|Anthropic)\b",
}
AVOIDED = re.compile(
    r"(?i)\b(?:whoever|nobody|somebody|anew|told|by itself|cannot be had|of its own|made up for"
    r"|goes well|once more|comes round|under way|begun|is no json)\b"
)
"""Words of a dialect; the field has plain ones for each."""
ARGUED = {
    "src/gotgan/domains/videos/analysers/prompt.py": "a prompt has a version and is not reworded",
    "src/gotgan/domains/videos/metrics": "words of comments",
    "src/gotgan/world/videos": "words of comments",
}
PRODUCT = ("CHANGELOG", "CONTRIBUTING", "Makefile", "README", "docs/", "examples/", "src/")
HISTORY = "docs/decisions/"
FILES = [path for path in text_files() if path != Path(__file__)]


@each("path", FILES, relative)
def test_a_file_has_only_words_that_belong_here(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = {why: re.findall(pattern, text) for why, pattern in FORBIDDEN.items()}
    assert {why: words for why, words in found.items() if words} == {}


def _is_product_text(path: Path) -> bool:
    name = relative(path)
    is_argued = any(name.startswith(each) for each in ARGUED)
    return name.startswith(PRODUCT) and not name.startswith(HISTORY) and not is_argued


@each("path", [*filter(_is_product_text, FILES), *SOURCE.rglob("*.html")], relative)
def test_a_text_is_in_plain_words(path: Path) -> None:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    found = [f"{number}: {words[0]}" for number, line in lines if (words := AVOIDED.search(line))]
    assert found == []
