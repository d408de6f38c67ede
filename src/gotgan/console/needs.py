"""Something that is not as it should be, as the front page tells it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Need"]


@dataclass(frozen=True)
class Need:
    """What is wrong, and the page where it is mended."""

    text: str
    """The text that says what it is."""
    link: str
    """The text of the link to where it is mended."""
    path: str
    count: int = 0
