"""Text that is safe to show in any terminal, and results as tables."""

from __future__ import annotations

import json
import shlex
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

from gotgan.cli.format import localized
from gotgan.cli.reader import tr

_MAX_COLUMN_WIDTH: Final = 40
_ZERO_WIDTH: Final = frozenset("\u200b\u200c\u200d\u2060\ufeff")
"""Harmless to a terminal, and part of many emoji; marks that change the direction are not here."""


def result_table(
    result: Any, columns: Sequence[str] | None = None, create: str | None = None
) -> str:
    """A result as text; of a list some columns, or all that its first item has.

    An empty list names the command that creates an item, where there is one.
    """
    from gotgan.encoding import encode

    data: Any = encode(result)
    items = data.get("items") if isinstance(data, dict) else data
    if isinstance(items, list) and all(isinstance(each, dict) for each in items):
        if columns is not None:
            items = [{name: localized(each.get(name, "")) for name in columns} for each in items]
        text = grid(items, items[0]) if items else _empty_text(create)
        return with_cursor(text, data.get("cursor") if isinstance(data, dict) else None)
    return tr("Done.") if data is None else json_text(data)


def _empty_text(create: str | None) -> str:
    if create is None:
        return tr("No results.")
    return tr("No results. Create one: {command}", command=create)


def with_cursor(text: str, cursor: str | None) -> str:
    """A page, and how to get the next one."""
    if cursor is None:
        return text
    more = tr("There are more: --cursor {cursor}", cursor=shlex.quote(cursor))
    return f"{text}\n\n{more}"


def page_table(
    rows: Sequence[dict[str, Any]], columns: Sequence[str], nothing: str, cursor: str | None
) -> str:
    """A page of a list as a table, or the sentence that there is nothing."""
    return with_cursor(text_table(rows, columns) if rows else nothing, cursor)


def text_table(rows: Sequence[dict[str, Any]], columns: Iterable[str]) -> str:
    """Rows under headings in the language of the reader; the last column is never cut.

    What is in the rows is translated already.
    """
    names = [*columns]
    translated = [{tr(name): row.get(name, "") for name in names} for row in rows]
    return grid(translated, map(tr, names), whole=tr(names[-1]))


def padded(text: str, width: int) -> str:
    """A text with spaces behind it, so that it takes that many columns of a terminal."""
    return text + " " * (width - text_width(text))


def grid(items: Sequence[dict[str, Any]], first: Iterable[str], whole: str = "") -> str:
    """Rows under a head, with these columns first; long values are cut, but not of ``whole``."""
    names = dict.fromkeys(first)
    for item in items:
        names |= dict.fromkeys(sorted(item))
    rows = [
        [truncate(safe_text(name)) for name in names],
        *([_cell(item, name, is_whole=name == whole) for name in names] for item in items),
    ]
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def json_text(item: dict[str, Any]) -> str:
    """A whole item as JSON over several lines."""
    from gotgan.plain_json import to_pretty_json

    return safe_lines([to_pretty_json(item)])


def _cell(item: dict[str, Any], name: str, *, is_whole: bool) -> str:
    from gotgan.plain_json import to_json

    value = item.get(name, "")
    text = safe_text(value if isinstance(value, str) else to_json(value).decode())
    return text if is_whole else truncate(text)


def safe_lines(texts: Iterable[str]) -> str:
    """Safe texts below each other; each may have several lines."""
    return "\n".join(safe_text(line) for text in texts for line in text.split("\n"))


def safe_text(text: str) -> str:
    """A text without anything that could move the cursor or colour the screen."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or letter in _ZERO_WIDTH else _escape(letter)
        for letter in text
    )


def _escape(letter: str) -> str:
    return json.dumps(letter)[1:-1] if letter != "\x7f" else "\\u007f"


def truncate(text: str, widest: int = _MAX_COLUMN_WIDTH) -> str:
    """A text that takes no more columns than that."""
    if text_width(text) <= widest:
        return text
    while text_width(text) >= widest:
        text = text[: min(len(text) - 1, widest)]
    return f"{text}…"


def text_width(text: str) -> int:
    """How many columns of a terminal a text takes: most letters of East Asia take two."""
    letters = (letter for letter in text if letter not in _ZERO_WIDTH)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in letters)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = (
        cell + " " * (width - text_width(cell)) for cell, width in zip(row, widths, strict=True)
    )
    return "  ".join(cells).rstrip()
