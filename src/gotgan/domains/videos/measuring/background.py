"""How common words are in comments anywhere: what a word has to beat to stand out."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["known_nouns", "share_of"]

_FILES: Final = ("background_ko.txt", "background_en.txt")
_OF: Final = 100_000
"""Both files count in so many comments."""
_RARE: Final = 10 / _OF
"""What a word is taken for that neither file has; both end a little above it."""


def share_of(word: str) -> float:
    """In which part of all comments a word is met, wherever they stand."""
    return _shares().get(word, _RARE)


def known_nouns() -> Container[str]:
    """The words that are met often enough anywhere to be counted."""
    return _shares().keys()


@cache
def _shares() -> Mapping[str, float]:
    return {word: share for name in reversed(_FILES) for word, share in _read(name)}


def _read(name: str) -> Iterator[tuple[str, float]]:
    """Each line is a count, and the words that are met about as often."""
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            count, *words = line.split()
            yield from ((word, int(count) / _OF) for word in words)
