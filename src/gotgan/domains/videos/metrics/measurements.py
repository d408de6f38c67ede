"""What can be counted in comments, as values; every figure names the comments it rests on."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Final, Literal

Label = Literal["positive", "neutral", "negative"]


def whole_percents(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts as whole percents whose sum is 100; the largest remainders are rounded up.

    Whatever shows percents of counts uses this, so that they agree. Without counts, all are 0.
    """
    total = sum(counts.values())
    if not total:
        return dict.fromkeys(counts, 0)
    percents = {name: 100 * count // total for name, count in counts.items()}
    missing = 100 - sum(percents.values())
    for name in sorted(counts, key=lambda name: -(100 * counts[name] % total))[:missing]:
        percents[name] += 1
    return percents


@dataclass(frozen=True)
class Sentiment:
    """How many comments are positive, neutral and negative."""

    positive: int = 0
    neutral: int = 0
    negative: int = 0

    @property
    def n(self) -> int:
        """How many there are in all."""
        return self.positive + self.neutral + self.negative

    @property
    def percents(self) -> Mapping[str, int]:
        """Each in whole percents."""
        return whole_percents(asdict(self))


_MIN_PART: Final = 5
"""A topic with fewer comments of a label is no more positive or negative than others."""
_MIN_DEVIATIONS: Final = 2.58
"""How far above the other comments its share has to be: chance does that one time in 200."""


def stands_out(topic: Sentiment, whole: Sentiment, label: Literal["positive", "negative"]) -> bool:
    """Whether a topic has more comments of a label than all others: a test of two proportions."""
    mine, n = getattr(topic, label), topic.n
    others, rest = getattr(whole, label) - mine, whole.n - n
    if mine < _MIN_PART or rest <= 0:
        return False
    share = (mine + others) / (n + rest)
    deviation = math.sqrt(share * (1 - share) * (1 / n + 1 / rest))
    return bool(mine / n - others / rest > _MIN_DEVIATIONS * deviation)


@dataclass(frozen=True)
class Keyword:
    """A word or a compound that stands out in these comments."""

    word: str
    count: int
    """The number of comments that have it."""
    evidence: tuple[str, ...]
    """Ids of comments that have it, the most liked first."""


@dataclass(frozen=True)
class TopicCluster:
    """What several comments are about; many comments are about none."""

    label: str
    words: tuple[str, ...]
    count: int
    sentiment: Sentiment
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class NotableComment:
    """A comment that asks for something, asks something, or is much liked."""

    comment_id: str
    likes: int
    label: Label


@dataclass(frozen=True)
class VideoTimestamp:
    """A place in the video that comments name, such as 2:14."""

    seconds: int
    count: int
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Measurements:
    """All that is counted, without any model's opinion."""

    sentiment: Sentiment = Sentiment()
    labels: Mapping[str, Label] = field(default_factory=dict)
    """Of each comment that was counted, by its id; spam is not."""
    languages: Mapping[str, int] = field(default_factory=dict)
    """How many comments are in which language: ``ko``, ``en``, ``other``."""
    spam: int = 0
    keywords: tuple[Keyword, ...] = ()
    topics: tuple[TopicCluster, ...] = ()
    requests: tuple[NotableComment, ...] = ()
    questions: tuple[NotableComment, ...] = ()
    highlights: tuple[NotableComment, ...] = ()
    moments: tuple[VideoTimestamp, ...] = ()
