"""Markdown as HTML, within bounds: what would take the parser too long is left to others.

The parser takes linear time, but a few bytes can be a lot of work: a wide table with empty rows, or
nothing but brackets. Its work is estimated before each of its two passes, in steps of about ten
microseconds. 300 kB of prose with a thousand links is below half of what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

__all__ = ["MOST_STEPS", "block_steps", "inline_steps", "to_html"]

MOST_STEPS: Final = 20_000
"""How much work a post may be; one with more is not an article but data, or an attack."""

# Each level costs another look at each line. Ten lists in each other is more than a reader can
# follow.
_DEEPEST: Final = 20
_MOST_LINES: Final = 10_000

_PER_LEVEL: Final = 0.3
_PER_CONTAINER: Final = 3
_PER_CELL: Final = 2
_CONTAINERS: Final = re.compile(r"(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+")
_CONTAINER: Final = re.compile(r">|[-+*]|\d+[.)]")
_DELIMITERS: Final = re.compile(r"[ \t>]*[-:|][-:| \t]*")

# What each character costs that is more than text, where it is dearest.
_MARKS: Final = {
    **dict.fromkeys("\n&*\\]_`~", 1.0),
    **dict.fromkeys("#$%+-:=>@^{}!", 0.2),
    "[": 2.0,
    "<": 3.0,
}
_PER_IMAGE: Final = 3.0
_PER_LOOK: Final = 0.03
_MOST_OPEN: Final = 2 * _DEEPEST
_LINK_NESTING: Final = 32
"""So many open brackets the parser follows in the address of a link."""
_CHARACTERS_PER_STEP: Final = 70
_PER_ENCODED: Final = 3.0

# An emoji of one character is twelve in an address. What grows more is one address repeated.
_MOST_GROWTH: Final = 12
_ALLOWANCE: Final = 10_000


class _TooMuch(Exception):
    """Ends the parser before its second pass."""


def to_html(text: str) -> str | None:
    """HTML that nobody has judged yet; None where the text would be too much work."""
    blocks = block_steps(text)
    if blocks > MOST_STEPS:
        return None
    parser = _parser()
    environment: dict[str, Any] = {"blocks": blocks}
    try:
        tokens = parser.parse(text, environment)
    except _TooMuch:
        return None
    if any(map(_cut_off, tokens)):
        return None
    _shorten(tokens, _MOST_GROWTH * len(text) + _ALLOWANCE)
    _name_alignments(tokens)
    return str(parser.renderer.render(tokens, parser.options, environment))


def block_steps(text: str) -> float:
    """The work of finding the blocks: lines at each level, quotations, items and cells."""
    if text.count("\n") + text.count("\r") > _MOST_LINES:
        return float("inf")
    deepest = containers = cells = rows = 0
    lines = text.splitlines()
    for line in reversed(lines):
        rows = rows + 1 if line.strip() else 0
        if found := _CONTAINERS.match(line):
            within = len(_CONTAINER.findall(found[0]))
            containers += within
            deepest = max(deepest, within + _indentation(line) // 2)
        if "|" in line and _DELIMITERS.fullmatch(line):
            cells += (line.count("|") + 1) * (rows + 1)
    levels = min(deepest, _DEEPEST)
    return len(lines) * (1 + levels * _PER_LEVEL) + containers * _PER_CONTAINER + cells * _PER_CELL


def inline_steps(text: str) -> float:
    """The work of finding what is within a block: emphasis, links, code, entities.

    An open bracket has all that follows looked through for its end, until too many are open.
    """
    counts = {mark: found for mark in _MARKS if (found := text.count(mark))}
    marks = sum(_MARKS[mark] * found for mark, found in counts.items())
    opened = min(counts.get("[", 0), _MOST_OPEN) * sum(counts.values()) * _PER_LOOK
    images = text.count("![") * _PER_IMAGE
    return marks + opened + images + sum(_link_steps(word) for word in text.split() if "](" in word)


def _link_steps(word: str) -> float:
    """The work of following and encoding the addresses in a word: they have no spaces."""
    links = word.count("](")
    encoded = 0.0 if word.isascii() else links * _PER_ENCODED
    return encoded + len(word) * min(links, _LINK_NESTING) / _CHARACTERS_PER_STEP


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


@cache
def _parser() -> MarkdownIt:
    options = {"html": False, "maxNesting": _DEEPEST}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.core.ruler.after("block", "bounds", _expect_little)
    # A parser sorts its rules at its first use, and two threads must not do that at once.
    parser.render("first use", {"blocks": 0})
    return parser


def _expect_little(state: StateCore) -> None:
    """Stop between the two passes, where the second would take too long."""
    steps = state.env["blocks"]
    for token in state.tokens:
        steps += inline_steps(token.content) if token.type == "inline" else 0
        if steps > MOST_STEPS:
            raise _TooMuch


def _cut_off(token: Token) -> bool:
    """Whether the parser left out what is in here, because it stands too deep."""
    return token.level >= _DEEPEST - 1 and token.type in {"blockquote_open", "list_item_open"}


def _shorten(tokens: list[Token], budget: int) -> None:
    """Take the attributes from the tokens behind the point where they have become too long.

    A reference is written once and used often: a long address and thousands of uses of it would
    make gigabytes of a small post.
    """
    for token in _all(tokens):
        budget -= sum(len(str(value)) for value in token.attrs.values())
        if budget < 0:
            token.attrs.clear()


def _name_alignments(tokens: list[Token]) -> None:
    """The columns of a table are aligned by a class, for no style gets through."""
    for token in tokens:
        style = token.attrs.pop("style", None)
        if style is not None:
            token.attrs["class"] = str(style).replace("text-align:", "align-")


def _all(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or [])
