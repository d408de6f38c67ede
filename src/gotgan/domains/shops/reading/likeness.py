"""How much two texts are alike."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["likeness"]

_WORD: Final = re.compile(r"\w+")
_LONGEST: Final = 300


def likeness(some: str, other: str) -> float:
    """The share of common words; nothing where it is less than half of the shorter text."""
    words, others = _words(some), _words(other)
    shared = len(words & others)
    if not shared or 2 * shared < min(len(words), len(others)):
        return 0.0
    return shared / len(words | others)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[:_LONGEST].lower()))
