"""Which words of the comments are worth counting, and under which stem."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from gotgan.domains.videos.measuring.particles import (
    STRONG,
    STRONGEST,
    is_korean,
    is_verbal,
    looks_inflected,
    splits_of,
)
from gotgan.domains.videos.measuring.stopwords import stopwords

__all__ = ["stems_of"]

_LONGEST: Final = 30
_SHORTEST_PLURAL: Final = 4
_TELLING: Final = 0.05
"""Such a part of the uses of a noun has a telling particle; a slip of the pen proves nothing."""


def stems_of(counts: Mapping[str, int], often: int) -> dict[str, str]:
    """The stem of each word that has one; met ``often``, a noun may do without particles."""
    words = [word for word in counts if len(word) <= _LONGEST]
    korean = [word for word in words if is_korean(word)]
    foreign = [word for word in words if not is_korean(word)]
    return _korean_stems(korean, counts, often) | _foreign_stems(foreign, counts)


def _korean_stems(words: Iterable[str], counts: Mapping[str, int], often: int) -> dict[str, str]:
    splits = {word: splits_of(word) for word in words}
    evidence = _evidence(splits, counts)
    found: dict[str, str] = {}
    for word, parts in splits.items():
        stem = _best([stem for stem, _ in parts], evidence)
        if stem is not None:
            stem = _familiar(stem, evidence)
        if stem is None and counts[word] >= often and _stands_alone(word):
            stem = word
        if stem is not None and stem not in stopwords():
            found[word] = stem
    return found


def _evidence(
    splits: Mapping[str, list[tuple[str, int]]], counts: Mapping[str, int]
) -> dict[str, int]:
    """How many different things follow each stem that is a noun."""
    seen: defaultdict[str, int] = defaultdict(int)
    total: defaultdict[str, int] = defaultdict(int)
    strong: defaultdict[str, int] = defaultdict(int)
    for word, parts in splits.items():
        count = counts[word]
        for stem, bit in parts:
            seen[stem] |= bit
            total[stem] += count
            if bit & (STRONGEST if is_verbal(stem) else STRONG):
                strong[stem] += count
    return {
        stem: seen[stem].bit_count()
        for stem, count in strong.items()
        if seen[stem].bit_count() > 1 and count >= total[stem] * _TELLING
    }


def _best(stems: Iterable[str], evidence: Mapping[str, int]) -> str | None:
    """The stem with the most evidence."""
    best, most = None, 0
    for stem in stems:
        known = evidence.get(stem, 0)
        if known > most:
            best, most = stem, known
    return best


def _familiar(stem: str, evidence: Mapping[str, int]) -> str:
    """A stem without the 님 of politeness, where people mostly leave it out."""
    bare = stem.removesuffix("님")
    return bare if evidence.get(bare, 0) > evidence[stem] else stem


def _stands_alone(word: str) -> bool:
    """Whether a word may be a noun though no particle was ever seen after it."""
    return len(word) > 1 and not is_verbal(word) and not looks_inflected(word)


def _foreign_stems(words: Iterable[str], counts: Mapping[str, int]) -> dict[str, str]:
    stems = ((word, _singular(word.removesuffix("'s"), counts)) for word in words)
    return {word: stem for word, stem in stems if _is_word(stem)}


def _singular(word: str, counts: Mapping[str, int]) -> str:
    """A word without the s of its plural, where the singular is met as well."""
    if len(word) >= _SHORTEST_PLURAL and word.endswith("s") and word[:-1] in counts:
        return word[:-1]
    return word


def _is_word(stem: str) -> bool:
    return len(stem) > 1 and stem not in stopwords() and not stem.isdecimal() and "'" not in stem
