"""The text of an article: its lines in page order, its language and its number of words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, TypeAlias

from selectolax.lexbor import LexborNode

_ITEM: Final = "- "
_ROW: Final = "| "
_CELL: Final = "\x1f"
"""Separates two cells while a row is read."""

_BLOCKS: Final = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "blockquote"} | {"dd", "dt", "li", "tr"}
)
_NOT_TEXT: Final = frozenset(
    {"aside", "audio", "button", "figcaption", "form", "iframe", "nav", "noscript", "object"}
    | {"script", "select", "style", "svg", "template", "textarea", "video"}
)
_LINE_MARKS: Final = {"li": _ITEM, "tr": _ROW}
_CELLS: Final = frozenset({"td", "th"})
_BREAKS: Final = _BLOCKS | _CELLS | {"br"}
"""Elements that separate words even within a line."""
_AD: Final = "inarticle-ad"
_AD_BEFORE_2025: Final = "caas-da"
_LABELS: Final = frozenset({"advertisement", "story continues"})
"""Lines that the page inserts between those of the story."""

_Step: TypeAlias = tuple[LexborNode | None, str | None]
"""A node and the mark of its line, if it is in one; no node ends a line."""
_END: Final[_Step] = (None, None)

_INVISIBLE_CHARS: Final = dict.fromkeys(
    # Joiners (U+200C, U+200D) stay: Persian and emoji are spelt with them.
    chain(range(9), range(0x0E, 0x1C), (0x7F, 0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF))
)


def clean_line(words: str) -> str:
    """A line with single spaces and without invisible characters."""
    return " ".join(words.translate(_INVISIBLE_CHARS).split())


def text_lines(containers: Iterable[LexborNode]) -> list[str]:
    """The paragraphs, headings, list items and table rows of elements, each once.

    Text outside of these is labels and credits, and is left out.
    """
    seen: set[int] = set()
    writer = _Writer()
    for container in containers:
        if container.mem_id not in seen:
            _walk(container, writer, seen)
    return [line for line in writer.lines if line.casefold() not in _LABELS]


def visible_text(container: LexborNode) -> str:
    """All visible text of an element, labels and credits included."""
    texts = (node for node in container.traverse(include_text=True) if node.is_text_node)
    shown = (node for node in texts if node.parent and node.parent.tag not in _NOT_TEXT)
    return " ".join(node.text_content or "" for node in shown)


def join_lines(lines: Iterable[str], most_bytes: int) -> tuple[str, bool]:
    """The lines as one text, and whether it was cut to the limit.

    Paragraphs are separated by a blank line, list items and table rows are not.
    """
    parts: list[str] = []
    before, left = "", most_bytes
    for line in lines:
        is_same_block = before[:2] == line[:2] in {_ITEM, _ROW}
        part = ("\n" if is_same_block else "\n\n") + line if parts else line
        size = len(part.encode())
        if size > left:
            return "".join(parts) or part.encode()[:left].decode(errors="ignore"), True
        parts.append(part)
        before, left = line, left - size
    return "".join(parts), False


@dataclass
class _Writer:
    """Collects the words of a line until the line ends."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    mark: str = ""

    def add(self, words: str, mark: str) -> None:
        self.words.append(words)
        self.mark = mark

    def end(self) -> None:
        words = "".join(self.words)
        cells = words.split(_CELL) if self.mark == _ROW else [words]
        filled = [cell for cell in map(clean_line, cells) if cell]
        self.words.clear()
        if len(filled) > 1:
            self.lines.append(f"| {' | '.join(filled)} |")
        elif filled:
            self.lines.append(f"- {filled[0]}" if self.mark == _ITEM else filled[0])


def _walk(container: LexborNode, writer: _Writer, seen: set[int]) -> None:
    """Walk through an element with a stack instead of recursion; a table row is one line."""
    ahead: list[_Step] = [(container, None)]
    while ahead:
        node, mark = ahead.pop()
        if node is None:
            writer.end()
        elif node.is_text_node:
            if mark is not None:
                writer.add(node.text_content or "", mark)
        elif node.is_element_node and node.tag not in _NOT_TEXT:
            attributes = node.attributes
            is_old_ad = _AD_BEFORE_2025 in (attributes.get("class") or "").split()
            if attributes.get("data-testid") != _AD and not is_old_ad:
                seen.add(node.mem_id)
                ahead += _open_element(node, mark, writer)


def _open_element(node: LexborNode, mark: str | None, writer: _Writer) -> list[_Step]:
    """The steps after the start of an element, last first."""
    tag = node.tag or ""
    is_line = tag in _BLOCKS and mark != _ROW
    if is_line:
        writer.end()
        mark = _LINE_MARKS.get(tag, mark or "")
    elif mark is not None and tag in _BREAKS:
        writer.add(_CELL if tag in _CELLS else " ", mark)
    children: list[_Step] = [(child, mark) for child in node.iter(include_text=True)]
    return [*([_END] if is_line else []), *reversed(children)]


_TAG: Final = re.compile(r"([a-z]{2,3})(?:[-_][\w-]*)?", re.IGNORECASE)
_NO_LANGUAGE: Final = frozenset({"mul", "und", "zxx"})

_KANA: Final = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SPACELESS: Final = re.compile(f"[{_KANA}{_HAN}]")
_SCRIPTS: Final = {
    "ko": re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]"),
    "ja": re.compile(f"[{_KANA}]"),
    "zh": re.compile(f"[{_HAN}]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
}
"""Scripts of a single language; Latin, Cyrillic and Arabic are shared by many."""
_MIN_SHARES: Final = {"ja": 0.1}
"""Share of letters in the script: low for Japanese, which is mixed with Chinese characters."""
_DEFAULT_MIN_SHARE: Final = 0.3
_SAMPLE_CHARS: Final = 5_000


def declared_language(tags: Iterable[str | None]) -> str | None:
    """The first valid language tag, such as ``en`` for ``en-US`` or ``en_GB``."""
    found = (_TAG.fullmatch(tag.strip()) for tag in tags if tag)
    names = (match[1].lower() for match in found if match)
    return next((name for name in names if name not in _NO_LANGUAGE), None)


def guess_language(text: str) -> str | None:
    """The language that its script identifies; None if several languages share it."""
    letters = "".join(filter(str.isalpha, text[:_SAMPLE_CHARS]))
    for name, script in _SCRIPTS.items():
        share = _MIN_SHARES.get(name, _DEFAULT_MIN_SHARE)
        if len(script.findall(letters)) > share * len(letters):
            return name
    return None


def count_words(text: str) -> int:
    """Words with a letter or digit; each Chinese or Japanese character counts as one."""
    between_spaces = _SPACELESS.sub(" ", text).split()
    words = sum(any(map(str.isalnum, word)) for word in between_spaces)
    return words + len(_SPACELESS.findall(text))
