"""What several remarks are about: keywords that are met together. Many remarks are about none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from gotgan.domains.videos.measuring.keywords import Places, least_count
from gotgan.domains.videos.measuring.measured import Sentiment, TopicCluster
from gotgan.domains.videos.measuring.remarks import Remark, evidence_of

__all__ = ["sentiment_of", "topics_of"]

_MOST_TOPICS: Final = 10
_MOST_WORDS: Final = 5
_LEAST_COUNT: Final = 3
_SHARED: Final = 0.3
"""Words belong together where such a part of the rarer one's remarks has both."""
_LIFT: Final = 2.0
"""And where that is so many times what chance would give."""
_SAME: Final = 0.6
"""A topic that has such a part of its remarks in common with a better one is no other topic."""


def topics_of(remarks: Sequence[Remark], places: Places) -> tuple[TopicCluster, ...]:
    """The topics of remarks, the one with most of them first."""
    topics: list[tuple[tuple[str, ...], AbstractSet[int]]] = []
    free = dict(places)
    for seed in places:
        if seed not in free or len(topics) == _MOST_TOPICS:
            continue
        words = (seed, *_related(seed, free, len(remarks)))
        members = _members(words, free)
        is_new = not any(_is_same(members, other) for _, other in topics)
        if is_new and len(members) >= _least(words, len(remarks)):
            topics.append((words, members))
            free = {word: found for word, found in free.items() if word not in words}
    topics.sort(key=lambda topic: -len(topic[1]))
    return tuple(_topic(remarks, words, members) for words, members in topics)


def sentiment_of(labels: Sequence[str]) -> Sentiment:
    """How many labels there are of each kind."""
    counts = Counter(labels)
    return Sentiment(counts["positive"], counts["neutral"], counts["negative"])


def _least(words: Sequence[str], remarks: int) -> int:
    """How many remarks make a topic; a word alone takes twice as many as words together."""
    return max(_LEAST_COUNT, least_count(remarks) * (1 if len(words) > 1 else 2))


def _related(seed: str, free: Places, remarks: int) -> list[str]:
    """The words that are met with another one, the closest first."""
    others = (word for word in free if word != seed)
    shares = {word: _share(free[seed], free[word], remarks) for word in others}
    close = sorted(
        (word for word in shares if shares[word] >= _SHARED), key=lambda word: -shares[word]
    )
    return close[: _MOST_WORDS - 1]


def _share(mine: AbstractSet[int], other: AbstractSet[int], remarks: int) -> float:
    """Which part of the rarer word's remarks has both; none where chance explains it."""
    both = len(mine & other)
    if both < least_count(remarks) or both * remarks < _LIFT * len(mine) * len(other):
        return 0.0
    return both / min(len(mine), len(other))


def _members(words: Sequence[str], places: Places) -> frozenset[int]:
    """The remarks with the first word, or with two of the others."""
    others = Counter(at for word in words[1:] for at in places[word])
    return places[words[0]] | {at for at, count in others.items() if count > 1}


def _is_same(members: AbstractSet[int], other: AbstractSet[int]) -> bool:
    return len(members & other) >= _SAME * min(len(members), len(other))


def _topic(
    remarks: Sequence[Remark], words: tuple[str, ...], members: AbstractSet[int]
) -> TopicCluster:
    sentiment = sentiment_of([remarks[at].label for at in members])
    return TopicCluster(words[0], words, len(members), sentiment, evidence_of(remarks, members))
