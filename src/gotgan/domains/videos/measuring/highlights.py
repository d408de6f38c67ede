"""Remarks that many people like, without saying the same thing twice."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from gotgan.domains.videos.measuring.measured import NotableComment
from gotgan.domains.videos.measuring.remarks import Remark
from gotgan.domains.videos.measuring.words import tokens_of

__all__ = ["highlights_of"]

_MOST_HIGHLIGHTS: Final = 10
_LOOKED_AT: Final = 100
"""So many of the most liked are looked at; below them nobody would speak of a highlight."""
_ALIKE: Final = 0.5
"""Two remarks say the same where they have such a part of their words in common."""


def highlights_of(remarks: Sequence[Remark]) -> tuple[NotableComment, ...]:
    """The most liked remarks that differ, one for each author."""
    chosen: list[tuple[Remark, AbstractSet[str]]] = []
    for remark in remarks[:_LOOKED_AT]:
        words = frozenset(tokens_of(remark.text))
        if remark.comment.likes > 0 and not any(_repeats(remark, words, *each) for each in chosen):
            chosen.append((remark, words))
    return tuple(remark.found for remark, _ in chosen[:_MOST_HIGHLIGHTS])


def _repeats(
    remark: Remark, words: AbstractSet[str], other: Remark, others: AbstractSet[str]
) -> bool:
    """Whether a remark is by the same author as another one, or says the same."""
    author = remark.comment.author
    if author is not None and author == other.comment.author:
        return True
    return len(words & others) >= _ALIKE * max(len(words | others), 1)
