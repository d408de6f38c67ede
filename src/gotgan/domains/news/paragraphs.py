"""The lines of a story: which elements make one, in page order, and how they become a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, TypeAlias

from selectolax.lexbor import LexborNode

__all__ = ["all_text_of", "cleaned", "joined", "lines_of"]

_ITEM: Final = "- "
_ROW: Final = "| "
_CELL: Final = "\x1f"
"""Stands between two cells while a row is read."""

_BLOCKS: Final = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "blockquote"} | {"dd", "dt", "li", "tr"}
)
_NOT_TEXT: Final = frozenset(
    {"aside", "audio", "button", "figcaption", "form", "iframe", "nav", "noscript", "object"}
    | {"script", "select", "style", "svg", "template", "textarea", "video"}
)
_STARTS: Final = {"li": _ITEM, "tr": _ROW}
_CELLS: Final = frozenset({"td", "th"})
_BREAKS: Final = _BLOCKS | _CELLS | {"br"}
"""Elements that part two words even in the middle of a line."""
_AD: Final = "inarticle-ad"
_AD_BEFORE_2025: Final = "caas-da"
_LABELS: Final = frozenset({"advertisement", "story continues"})
"""Lines that the page puts between the lines of the story."""

_Step: TypeAlias = tuple[LexborNode | None, str | None]
"""A node and the mark of the line that it stands in, if it is in one; no node ends a line."""
_END: Final[_Step] = (None, None)

_DROPPED: Final = dict.fromkeys(
    # Joiners (U+200C, U+200D) stay: Persian and emoji are spelt with them.
    chain(range(9), range(0x0E, 0x1C), (0x7F, 0xAD, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF))
)


def cleaned(words: str) -> str:
    """A line with single spaces and without what nobody sees."""
    return " ".join(words.translate(_DROPPED).split())


def lines_of(containers: Iterable[LexborNode]) -> list[str]:
    """The paragraphs, headings, list items and table rows in some elements, each of them once.

    Text outside of all these is left out: it is labels and credits.
    """
    seen: set[int] = set()
    writer = _Writer()
    for container in containers:
        if container.mem_id not in seen:
            _read(container, writer, seen)
    return [line for line in writer.lines if line.casefold() not in _LABELS]


def all_text_of(container: LexborNode) -> str:
    """Everything that can be read in an element, labels and credits included."""
    texts = (node for node in container.traverse(include_text=True) if node.is_text_node)
    shown = (node for node in texts if node.parent and node.parent.tag not in _NOT_TEXT)
    return " ".join(node.text_content or "" for node in shown)


def joined(lines: Iterable[str], most_bytes: int) -> tuple[str, bool]:
    """The lines as one text, and whether some had to go because it would be too long.

    A blank line stands between two paragraphs; items of a list and rows of a table follow each
    other line by line.
    """
    parts: list[str] = []
    before, left = "", most_bytes
    for line in lines:
        part = _gap(before, line) + line if parts else line
        size = len(part.encode())
        if size > left:
            return "".join(parts) or part.encode()[:left].decode(errors="ignore"), True
        parts.append(part)
        before, left = line, left - size
    return "".join(parts), False


def _gap(before: str, line: str) -> str:
    return "\n" if before[:2] == line[:2] in {_ITEM, _ROW} else "\n\n"


@dataclass
class _Writer:
    """Gathers the words of a line until the line ends."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    mark: str = ""

    def add(self, words: str, mark: str) -> None:
        self.words.append(words)
        self.mark = mark

    def end(self) -> None:
        words = "".join(self.words)
        cells = words.split(_CELL) if self.mark == _ROW else [words]
        filled = [cell for cell in map(cleaned, cells) if cell]
        self.words.clear()
        if len(filled) > 1:
            self.lines.append(f"| {' | '.join(filled)} |")
        elif filled:
            self.lines.append(f"- {filled[0]}" if self.mark == _ITEM else filled[0])


def _read(container: LexborNode, writer: _Writer, seen: set[int]) -> None:
    """Walk through an element with a stack of our own, so that none is too deep.

    A row is one line, whatever stands in its cells.
    """
    ahead: list[_Step] = [(container, None)]
    while ahead:
        node, mark = ahead.pop()
        if node is None:
            writer.end()
        elif node.is_text_node:
            if mark is not None:
                writer.add(node.text_content or "", mark)
        elif _is_story(node):
            seen.add(node.mem_id)
            ahead += _opened(node, mark, writer)


def _opened(node: LexborNode, mark: str | None, writer: _Writer) -> list[_Step]:
    """What comes after the start of an element, last things first."""
    tag = node.tag or ""
    is_line = tag in _BLOCKS and mark != _ROW
    if is_line:
        writer.end()
        mark = _STARTS.get(tag, mark or "")
    elif mark is not None and tag in _BREAKS:
        writer.add(_CELL if tag in _CELLS else " ", mark)
    children: list[_Step] = [(child, mark) for child in node.iter(include_text=True)]
    return [*([_END] if is_line else []), *reversed(children)]


def _is_story(node: LexborNode) -> bool:
    if not node.is_element_node or node.tag in _NOT_TEXT:
        return False
    attributes = node.attributes
    classes = (attributes.get("class") or "").split()
    return attributes.get("data-testid") != _AD and _AD_BEFORE_2025 not in classes
