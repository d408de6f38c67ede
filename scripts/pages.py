"""What the pages that are written from the code have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["WRITTEN", "page", "table"]

WRITTEN: Final = "<!-- Written by `make docs` from the code; change the code, not this page. -->"


def page(title: str, *parts: str) -> str:
    """A page of parts, each with a line between it and the next."""
    return "\n\n".join([f"# {title}", WRITTEN, *parts]) + "\n"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in escaped)
