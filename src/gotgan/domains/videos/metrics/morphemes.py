"""Nouns of Korean comments by kiwipiepy, a morphological analyser, where it is installed.

``pip install 'gotgan[korean]'`` is all that it needs. It reads whole comments, so it tells 배우 the
actor from 배우 the verb, which the rules of ``nouns`` cannot. It is slower: some 2,000 comments a
second.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, Final

from gotgan.domains.videos.metrics.nouns import NOUNS_OF_ONE, is_korean
from gotgan.domains.videos.metrics.sentiment import SCORE_VERSION
from gotgan.domains.videos.metrics.words import stopwords

Morpheme = tuple[str, str, int]
"""A form, its tag, and where it begins in the comment."""
_NOUN_TAGS: Final = frozenset({"NNG", "NNP", "XR"})
_VERSION_SUFFIX: Final = "k"
_BATCH_SIZE: Final = 2_000
_lock = threading.Lock()


@cache
def is_installed() -> bool:
    """Whether kiwipiepy can be imported."""
    return find_spec("kiwipiepy") is not None


def score_version() -> str:
    """The version of the figures; those of another way of finding nouns differ."""
    return SCORE_VERSION + (_VERSION_SUFFIX if is_installed() else "")


def korean_nouns(texts: Sequence[str]) -> list[list[Morpheme]]:
    """The nouns of each text in their order."""
    found: list[list[Morpheme]] = []
    for start in range(0, len(texts), _BATCH_SIZE):
        with _lock:  # it has threads of its own
            batch = [*_kiwi().tokenize(texts[start : start + _BATCH_SIZE])]
        found += [
            list(nouns_among((each.form, each.tag, each.start) for each in text)) for text in batch
        ]
    return found


def nouns_among(morphemes: Iterator[Morpheme]) -> Iterator[Morpheme]:
    """Korean nouns that may be keywords."""
    for form, tag, start in morphemes:
        is_word = len(form) > 1 or form in NOUNS_OF_ONE  # others of one syllable are units
        if tag in _NOUN_TAGS and is_word and form not in stopwords() and is_korean(form):
            yield form, tag, start


def noun_pairs(nouns: Sequence[Morpheme]) -> set[tuple[str, str]]:
    """Nouns side by side, in one word or in two."""
    return {
        (first, second)
        for (first, _, start), (second, _, after) in pairwise(nouns)
        if after - start - len(first) in {0, 1} and first != second
    }


@cache
def _kiwi() -> Any:
    from kiwipiepy import Kiwi  # noqa: PLC0415 - an extra; its model takes a second to load

    return Kiwi()
