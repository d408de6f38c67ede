"""Keywords, which are more frequent than in comments anywhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import Final

from gotgan.domains.videos.metrics.measurements import Keyword, Sentiment
from gotgan.domains.videos.metrics.morphemes import is_installed, korean_nouns, noun_pairs
from gotgan.domains.videos.metrics.nouns import contained_stems, is_korean, noun_stems
from gotgan.domains.videos.metrics.words import (
    Remark,
    background_share,
    known_nouns,
    tokenize,
    top_comment_ids,
)

MAX_KEYWORDS: Final = 50
_MAX_TERMS: Final = 150
"""How many of the best words and compounds topics are made of."""
_MAX_KEYWORD_CHARS: Final = 50
_FEW_REMARKS: Final = 30
"""Among fewer remarks than this, a word of two remarks counts."""
_MIN_KEYWORD_LIFT: Final = 1.5
"""A keyword is at least so many times as frequent as elsewhere."""
_COMPOUND_SHARE: Final = 0.4
"""Two words are a compound if this part of the rarer one's uses is beside the other."""
_ABSORBED_SHARE: Final = 0.7
"""A word with this part of its uses in a compound is not a keyword."""

KeywordPlaces = Mapping[str, frozenset[int]]
"""The remarks that have each term, by their numbers; the best term first."""
_Pair = tuple[str, str]


def min_count(remarks: int) -> int:
    """How many of so many remarks must have something for it to count."""
    return 2 if remarks < _FEW_REMARKS else 3 + remarks // 2_000


def locate_keywords(remarks: Sequence[Remark]) -> KeywordPlaces:
    """The words that stand out in remarks, the best first, and which remarks have them."""
    tokens, least = [tokenize(remark.text) for remark in remarks], min_count(len(remarks))
    words = Counter(chain.from_iterable(map(frozenset, tokens)))
    if is_installed():
        return _analysed_places(remarks, tokens, words)
    stems = _frequent(noun_stems(words, least, known_nouns()), words, least)
    contained = contained_stems(words, stems, known_nouns())
    singles: Counter[str] = Counter()  # a remark with two forms of a stem counts twice, until below
    for word, inner in contained.items():
        for stem in inner:
            singles[stem] += words[word]
    pairs = Counter(chain.from_iterable(_pairs(each, stems) for each in tokens))
    places = _places(_best_terms(singles, pairs, len(remarks)), tokens, stems, contained)
    return {word: found for word, found in places.items() if len(found) >= least}


def _analysed_places(
    remarks: Sequence[Remark], tokens: Sequence[Sequence[str]], words: Mapping[str, int]
) -> KeywordPlaces:
    """The same by a morphological analyser; foreign words are found as without it."""
    least = min_count(len(remarks))
    stems = noun_stems({word: words[word] for word in words if not is_korean(word)}, least)
    nouns = korean_nouns([remark.text for remark in remarks])
    terms: list[set[str]] = []
    pairs: Counter[_Pair] = Counter()
    for each, found in zip(tokens, nouns, strict=True):
        beside = _pairs(each, stems) | noun_pairs(found)
        pairs.update(beside)
        single = {form for form, _, _ in found} | {stems[word] for word in each if word in stems}
        terms.append(single | {" ".join(pair) for pair in beside})
    best = dict.fromkeys(_best_terms(Counter(chain.from_iterable(terms)), pairs, len(remarks)))
    places: dict[str, list[int]] = {word: [] for word in best}
    for at, found_terms in enumerate(terms):
        for word in found_terms & best.keys():
            places[word].append(at)
    return {word: frozenset(found) for word, found in places.items() if len(found) >= least}


def _places(
    terms: Sequence[str],
    tokens: Sequence[Sequence[str]],
    stems: Mapping[str, str],
    contained: Mapping[str, Sequence[str]],
) -> KeywordPlaces:
    """The remarks that have each term."""
    places: dict[str, list[int]] = {word: [] for word in terms}
    words = {
        word: [stem for stem in found if stem in places]
        for word, found in contained.items()
        if not places.keys().isdisjoint(found)
    }
    firsts = {first for first, space, _ in (word.partition(" ") for word in terms) if space}
    for at, each in enumerate(tokens):
        found = set[str]().union(*[words[word] for word in each if word in words])
        if not firsts.isdisjoint(each):
            found.update(places.keys() & {" ".join(pair) for pair in _pairs(each, stems)})
        for word in found:
            places[word].append(at)
    return {word: frozenset(numbers) for word, numbers in places.items()}


def build_keywords(remarks: Sequence[Remark], places: KeywordPlaces) -> tuple[Keyword, ...]:
    """The keywords as figures."""
    return tuple(
        Keyword(word, len(found), top_comment_ids(remarks, found))
        for word, found in islice(places.items(), MAX_KEYWORDS)
    )


def _frequent(stems: Mapping[str, str], words: Mapping[str, int], least: int) -> dict[str, str]:
    """The words whose stem is frequent enough to be a keyword."""
    sums: Counter[str] = Counter()
    for word, stem in stems.items():
        sums[stem] += words[word]
    return {word: stem for word, stem in stems.items() if sums[stem] >= least}


def _pairs(tokens: Sequence[str], stems: Mapping[str, str]) -> set[_Pair]:
    """Nouns side by side, the first without a particle."""
    return {
        (word, stems[after])
        for word, after in pairwise(tokens)
        if after in stems and stems.get(word) == word != stems[after]
    }


def _best_terms(singles: Mapping[str, int], pairs: Mapping[_Pair, int], remarks: int) -> list[str]:
    """The best words and compounds, the best first."""
    least = min_count(remarks)
    compounds = {
        pair: count
        for pair, count in pairs.items()
        if count >= least and count >= _COMPOUND_SHARE * min(singles[word] for word in pair)
    }
    absorbed = {
        word
        for pair, count in compounds.items()
        for word in pair
        if count >= _ABSORBED_SHARE * singles[word]
    }
    scores: dict[str, float] = {}
    for word in singles.keys() - absorbed:
        count, lift = singles[word], singles[word] / remarks / background_share(word)
        if count >= least and lift >= _MIN_KEYWORD_LIFT:
            scores[word] = count * math.log(lift)
    for pair, count in compounds.items():  # as rare elsewhere as the rarer of its words
        word, lift = " ".join(pair), count / remarks / min(map(background_share, pair))
        if lift >= _MIN_KEYWORD_LIFT and len(word) <= _MAX_KEYWORD_CHARS:
            scores[word] = count * math.log(lift)
    return sorted(scores, key=lambda word: (-scores[word], word))[:_MAX_TERMS]


def count_labels(labels: Sequence[str]) -> Sentiment:
    """How many labels there are of each kind."""
    counts = Counter(labels)
    return Sentiment(counts["positive"], counts["neutral"], counts["negative"])
