"""CSV, written in one place, so that no cell runs as a formula in a spreadsheet.

A cell that a spreadsheet would take for a formula gets a leading apostrophe. Numbers do not, so
that they can be added up. A cell that has such an apostrophe already gets another one:
``unescaped`` is the exact inverse.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from gotgan.plain_json import to_json

_FORMULA: Final = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")  # noqa: RUF001 - full-width signs
_ESCAPED: Final = re.compile(f"'{_FORMULA.pattern}")
_NUMBER: Final = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def csv_lines(columns: Sequence[str], records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The header, then a line for each record; a missing value or None is an empty cell."""
    line = io.StringIO(newline="")
    writer = csv.writer(line)
    rows = ([_cell(record.get(name)) for name in columns] for record in records)
    for row in chain([map(escape_cell, columns)], rows):
        writer.writerow(row)
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def escape_cell(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula."""
    is_safe = _FORMULA.match(text) is None or _NUMBER.fullmatch(text) is not None
    return text if is_safe else f"'{text}"


def unescape_cell(cell: str) -> str:
    """The original text of a cell of ``csv_lines``."""
    return cell[1:] if _ESCAPED.match(cell) else cell


def _cell(value: Any) -> str:
    """Texts are escaped; anything else is JSON."""
    if value is None:
        return ""
    return escape_cell(value) if isinstance(value, str) else to_json(value).decode()
