"""Items as a table for people: the keys first, one line each, safe to show in any terminal."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

from gotgan.plain_json import encoded, pretty

__all__ = ["cut", "grid", "indented", "safe"]

_WIDEST: Final = 40
_ELLIPSIS: Final = "…"
_ZERO_WIDTH: Final = frozenset("\u200b\u200c\u200d\u2060\ufeff")
"""Harmless to a terminal, and part of many emoji; marks that change the direction are not here."""


def grid(items: Sequence[dict[str, Any]], first: Iterable[str]) -> str:
    """Rows under a head; what is too long for a column is cut."""
    names = _columns(items, first)
    rows = [
        [safe(name) for name in names],
        *([_cell(item, name) for name in names] for item in items),
    ]
    shown = [[cut(cell) for cell in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(*shown, strict=True)]
    return "\n".join(_line(row, widths) for row in shown)


def indented(item: dict[str, Any]) -> str:
    """A whole item as JSON over several lines."""
    text = pretty(item)
    return "\n".join(safe(line) for line in text.split("\n"))


def _columns(items: Sequence[dict[str, Any]], first: Iterable[str]) -> list[str]:
    names = dict.fromkeys(first)
    for item in items:
        names |= dict.fromkeys(sorted(item))
    return list(names)


def _cell(item: dict[str, Any], name: str) -> str:
    if name not in item:
        return ""
    value = item[name]
    return safe(value if isinstance(value, str) else encoded(value).decode())


def safe(text: str) -> str:
    """A text without anything that could move the cursor or colour the screen."""
    if text.isprintable():
        return text
    return "".join(letter if _is_safe(letter) else _escaped(letter) for letter in text)


def _is_safe(letter: str) -> bool:
    return letter.isprintable() or letter in _ZERO_WIDTH


def _escaped(letter: str) -> str:
    return json.dumps(letter)[1:-1] if letter != "\x7f" else "\\u007f"


def cut(text: str, widest: int = _WIDEST) -> str:
    """A text that takes no more columns than that."""
    if _width(text) <= widest:
        return text
    while _width(text) >= widest:
        text = text[: min(len(text) - 1, widest)]
    return text + _ELLIPSIS


def _width(text: str) -> int:
    """How many columns of a terminal a text takes: most letters of East Asia take two."""
    seen = (letter for letter in text if letter not in _ZERO_WIDTH)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in seen)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True))
    return "  ".join(cells).rstrip()
