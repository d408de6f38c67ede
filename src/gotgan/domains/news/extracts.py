"""What is found of an article on its page, before it is put in order."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Extract"]


@dataclass(frozen=True)
class Extract:
    """An article as a page shows it; what was not found is None."""

    extractor: str
    lines: list[str]
    """Of the story, in page order."""
    title: str | None = None
    author: str | None = None
    provider: str | None = None
    published: str | None = None
