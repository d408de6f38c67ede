"""What an article page shows to its readers."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Shown"]


@dataclass(frozen=True)
class Shown:
    """An article as it was found on a page; what was not found is None."""

    extractor: str
    lines: list[str]
    """Of the story, in page order."""
    title: str | None = None
    author: str | None = None
    provider: str | None = None
    published: str | None = None
