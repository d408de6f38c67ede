"""Results without a text of their own: a table of their items, or a line for each value."""

from __future__ import annotations

from typing import Any

from gotgan.cli.grid import grid, indented
from gotgan.encoding import encode

__all__ = ["table"]


def table(result: Any) -> str:
    """A result as text."""
    data: Any = encode(result)
    items = data.get("items") if isinstance(data, dict) else data
    if isinstance(items, list) and all(isinstance(each, dict) for each in items):
        shown = grid(items, items[0]) if items else "Nothing."
        cursor = data.get("cursor") if isinstance(data, dict) else None
        return shown if cursor is None else f"{shown}\n\nThere are more: --cursor {cursor}"
    return indented(data)
