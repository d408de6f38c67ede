"""Words that stand out: met in more of these comments than in comments anywhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gotgan.domains.videos.measuring.background import known_nouns, share_of
from gotgan.domains.videos.measuring.measured import Keyword
from gotgan.domains.videos.measuring.nouns import stems_of
from gotgan.domains.videos.measuring.remarks import Remark, evidence_of
from gotgan.domains.videos.measuring.words import tokens_of

__all__ = ["MOST_KEYWORDS", "Places", "keywords_of", "least_count", "places_of"]

MOST_KEYWORDS: Final = 50
_LONGEST: Final = 50
_FEW: Final = 30
"""Among fewer remarks than this, what two people say counts; elsewhere it is chance."""
_LIFT: Final = 1.5
"""A keyword is met so many times as often as elsewhere, at least."""
_TOGETHER: Final = 0.4
"""Two words are a compound where such a part of the rarer one's uses is beside the other."""
_SWALLOWED: Final = 0.7
"""A word that mostly stands in a compound is no keyword of its own."""

Places = Mapping[str, frozenset[int]]
"""In which remarks each keyword stands; the best keyword first."""
_Pair = tuple[str, str]


@dataclass(frozen=True)
class _Counted:
    """The words of all remarks, and how many remarks have which stem and which compound."""

    tokens: Sequence[Sequence[str]]
    stems: Mapping[str, str]
    singles: Mapping[str, int]
    pairs: Mapping[_Pair, int]


def least_count(remarks: int) -> int:
    """In how many remarks something has to be met to count, among so many."""
    return 2 if remarks < _FEW else 3 + remarks // 2_000


def places_of(remarks: Sequence[Remark]) -> Places:
    """The keywords of remarks, and where they stand."""
    counted = _counted([tokens_of(remark.text) for remark in remarks], least_count(len(remarks)))
    chosen = _chosen(counted, len(remarks))
    places: dict[str, list[int]] = {word: [] for word in chosen}
    for at, tokens in enumerate(counted.tokens):
        for word in _terms(tokens, counted.stems) & places.keys():
            places[word].append(at)
    return {word: frozenset(found) for word, found in places.items()}


def keywords_of(remarks: Sequence[Remark], places: Places) -> tuple[Keyword, ...]:
    """The keywords as figures."""
    return tuple(
        Keyword(word, len(found), evidence_of(remarks, found)) for word, found in places.items()
    )


def _counted(tokens: Sequence[Sequence[str]], least: int) -> _Counted:
    words = Counter(word for each in tokens for word in set(each))
    stems = _frequent(stems_of(words, least, known_nouns()), words, least)
    singles: Counter[str] = Counter()
    pairs: Counter[_Pair] = Counter()
    for each in tokens:
        singles.update({stems[word] for word in each if word in stems})
        pairs.update(set(_pairs(each, stems)))
    return _Counted(tokens, stems, singles, pairs)


def _frequent(stems: Mapping[str, str], words: Mapping[str, int], least: int) -> dict[str, str]:
    """Those words whose stem is met often enough to be a keyword."""
    sums: Counter[str] = Counter()
    for word, stem in stems.items():
        sums[stem] += words[word]
    return {word: stem for word, stem in stems.items() if sums[stem] >= least}


def _pairs(tokens: Sequence[str], stems: Mapping[str, str]) -> Iterator[_Pair]:
    """Nouns side by side, the first without a particle."""
    for first, second in pairwise(tokens):
        if second in stems and stems.get(first) == first != stems[second]:
            yield first, stems[second]


def _terms(tokens: Sequence[str], stems: Mapping[str, str]) -> set[str]:
    """The stems and the compounds of one remark."""
    singles = {stems[word] for word in tokens if word in stems}
    return singles | {" ".join(pair) for pair in _pairs(tokens, stems)}


def _chosen(counted: _Counted, remarks: int) -> list[str]:
    """The best words and compounds, the best first."""
    least = least_count(remarks)
    compounds = {
        pair: count
        for pair, count in counted.pairs.items()
        if count >= least and count >= _TOGETHER * min(counted.singles[word] for word in pair)
    }
    scores = dict(_single_scores(counted.singles, remarks, _swallowed(compounds, counted.singles)))
    scores |= _compound_scores(compounds, remarks)
    return sorted(scores, key=lambda word: (-scores[word], word))[:MOST_KEYWORDS]


def _swallowed(compounds: Mapping[_Pair, int], singles: Mapping[str, int]) -> set[str]:
    return {
        word
        for pair, count in compounds.items()
        for word in pair
        if count >= _SWALLOWED * singles[word]
    }


def _single_scores(
    singles: Mapping[str, int], remarks: int, swallowed: Iterable[str]
) -> Iterator[tuple[str, float]]:
    for word in singles.keys() - swallowed:
        count, lift = singles[word], singles[word] / remarks / share_of(word)
        if count >= least_count(remarks) and lift >= _LIFT:
            yield word, count * math.log(lift)


def _compound_scores(compounds: Mapping[_Pair, int], remarks: int) -> dict[str, float]:
    """A compound is as rare elsewhere as the rarer of its words."""
    found = {}
    for pair, count in compounds.items():
        word, lift = " ".join(pair), count / remarks / min(map(share_of, pair))
        if lift >= _LIFT and len(word) <= _LONGEST:
            found[word] = count * math.log(lift)
    return found
