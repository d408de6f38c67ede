"""Which words of the comments are worth counting, and under which stem."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from gotgan.domains.videos.measuring.particles import (
    ALONE,
    STRONG,
    STRONGEST,
    is_korean,
    is_verbal,
    splits_of,
    stands_alone,
)
from gotgan.domains.videos.measuring.stopwords import stopwords

__all__ = ["stems_of"]

_LONGEST: Final = 30
_SHORTEST_PLURAL: Final = 4
_POLITE: Final = "님"
_TELLING: Final = 0.05
"""Such a part of the uses of a noun has a telling particle; a slip of the pen proves nothing."""
_SHORTEST_MANNER: Final = 3
_MANNERS: Final = ("적", "하")
"""What makes a manner or a verb of a noun: 개인적, 구매하. In 목적 and 지하 it is part of one."""
_SHORTEST_DONE: Final = 6


def stems_of(
    counts: Mapping[str, int], often: int, known: Container[str] = frozenset()
) -> dict[str, str]:
    """The stem of each word that has one; met ``often``, a noun may do without particles.

    ``known`` are nouns that other comments have: they tell 차이인 from 디자인.
    """
    words = [word for word in counts if len(word) <= _LONGEST]
    korean = [word for word in words if is_korean(word)]
    foreign = [word for word in words if not is_korean(word)]
    return _korean_stems(korean, counts, often, known) | _foreign_stems(foreign, counts)


def _korean_stems(
    words: Iterable[str], counts: Mapping[str, int], often: int, known: Container[str]
) -> dict[str, str]:
    splits = {word: splits_of(word) for word in words}
    evidence = _evidence(splits, counts)
    found: dict[str, str] = {}
    for word, parts in splits.items():
        stem = _best([stem for stem, _ in parts], evidence)
        if stem is not None:
            stem = _familiar(stem, evidence)
        elif counts[word] >= often:
            stem = _alone(word, parts, known)
        if stem is not None and stem not in stopwords() and not _is_manner(stem):
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
    bare = stem.removesuffix(_POLITE)
    return bare if evidence.get(bare, 0) > evidence[stem] else stem


def _alone(word: str, parts: Sequence[tuple[str, int]], known: Container[str]) -> str | None:
    """What a word stands for that no other form of it explains; nothing where it says nothing."""
    is_free = stands_alone(word)
    if is_free and word in known:
        return word
    others = [(stem, bit) for stem, bit in parts if stem != word]
    if word.endswith(_POLITE):
        others.append((word.removesuffix(_POLITE), ALONE))
    if any(stem in stopwords() for stem, _ in others):
        return None
    told = (stem for stem, bit in others if stem in known and (is_free or bit & STRONG))
    return next(told, word if is_free else None)


def _is_manner(stem: str) -> bool:
    return len(stem) >= _SHORTEST_MANNER and stem.endswith(_MANNERS)


def _foreign_stems(words: Iterable[str], counts: Mapping[str, int]) -> dict[str, str]:
    stems = ((word, _singular(word.removesuffix("'s"), counts)) for word in words)
    return {word: stem for word, stem in stems if _is_word(stem)}


def _singular(word: str, counts: Mapping[str, int]) -> str:
    """A word without the s of its plural, where the singular is met as well."""
    if len(word) >= _SHORTEST_PLURAL and word.endswith("s") and word[:-1] in counts:
        return word[:-1]
    return word


def _is_word(stem: str) -> bool:
    if len(stem) == 1 or stem in stopwords() or stem.isdecimal() or "'" in stem:
        return False
    return not _is_done(stem)


def _is_done(stem: str) -> bool:
    """Whether an English word says what somebody did, as laughed; speed does not."""
    return len(stem) >= _SHORTEST_DONE and stem.endswith("ed") and not stem.endswith("eed")
