"""Tables that were taken over, as commands tell of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gotgan.sql import AdoptedTable

__all__ = ["table_lines"]


def table_lines(tables: Iterable[AdoptedTable]) -> Iterator[str]:
    """A line for each table that has rows, or to which something was added."""
    for each in tables:
        added = [*each.columns, *each.indexes]
        if each.rows or added:
            words = f"added {', '.join(added)}" if added else "nothing was missing"
            yield f"{each.name}: {each.rows:,} rows; {words}"
