"""Results without a text of their own: a table of their items, or a line for each value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gotgan.cli.grid import grid, indented
from gotgan.cli.moments import localised
from gotgan.encoding import encode

__all__ = ["table"]


def table(result: Any, columns: Sequence[str] | None = None) -> str:
    """A result as text; of a list some columns, or all that its first item has."""
    data: Any = encode(result)
    items = data.get("items") if isinstance(data, dict) else data
    if isinstance(items, list) and all(isinstance(each, dict) for each in items):
        if columns is not None:
            items = [{name: localised(each.get(name, "")) for name in columns} for each in items]
        shown = grid(items, items[0]) if items else "Nothing."
        cursor = data.get("cursor") if isinstance(data, dict) else None
        return shown if cursor is None else f"{shown}\n\nThere are more: --cursor {cursor}"
    return "Done." if data is None else indented(data)
