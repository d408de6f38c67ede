"""Words that have no place in the repository."""

from __future__ import annotations

import re
from pathlib import Path

from tests.each import each
from tests.house.repository import relative, text_files

FORBIDDEN = {
    "a path of somebody's machine": r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+)\b",
    "a package registry": r"pypi\.org|pythonhosted|npmjs\.|debian\.org|artifactory",
    "a promise instead of work": r"\b(?:TODO|FIXME|XXX|HACK|NotImplementedError)\b",
    "a number of a tracker": r"(?i)\b(?:issue|ticket|pull request) ?#?\d",
    "a writing machine": r"\b(?:LLM|ChatGPT|Claude|Copilot|Anthropic)\b",
}
FILES = [path for path in text_files() if path != Path(__file__)]


@each("path", FILES, relative)
def test_a_file_has_only_words_that_belong_here(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = {why: re.findall(pattern, text) for why, pattern in FORBIDDEN.items()}
    assert {why: words for why, words in found.items() if words} == {}
