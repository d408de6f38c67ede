"""What two analysed videos have in common, and where they differ by more than chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from gotgan.domains.videos.documents import sentiment_of
from gotgan.domains.videos.metrics.measurements import Label, Sentiment, differs, net_differs
from gotgan.domains.videos.reports import SentimentDifference, VideoComparison, VideoSheet

_LABELS: Final[tuple[Label, ...]] = ("positive", "neutral", "negative")


def compare(sheets: tuple[VideoSheet, VideoSheet]) -> VideoComparison:
    """Compare the results of two videos; Conflict says why one has none."""
    first, second = (sheet.expect_result().document for sheet in sheets)
    one, other = sentiment_of(first), sentiment_of(second)
    words, others = (_names(each["keywords"], "word") for each in (first, second))
    topics, other_topics = (_names(each["topics"], "label") for each in (first, second))
    return VideoComparison(
        videos=sheets,
        net=(None if one is None else one.net, None if other is None else other.net),
        sentiment=tuple(_differences(one, other)) if one and other else (),
        shared_keywords=_shared(words, others),
        only_first_keywords=_missing(words, others),
        only_second_keywords=_missing(others, words),
        shared_topics=_shared(topics, other_topics),
        only_first_topics=_missing(topics, other_topics),
        only_second_topics=_missing(other_topics, topics),
    )


def _differences(one: Sentiment, other: Sentiment) -> Iterator[SentimentDifference]:
    first, second = one.percents, other.percents
    for label in _LABELS:
        yield SentimentDifference(label, first[label], second[label], differs(one, other, label))
    net, other_net = (each["positive"] - each["negative"] for each in (first, second))
    yield SentimentDifference("net", net, other_net, net_differs(one, other))


def _names(found: Sequence[Mapping[str, Any]], field: str) -> tuple[str, ...]:
    return tuple(each[field] for each in found)


def _shared(names: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name in others)


def _missing(names: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """The names that the others do not have."""
    return tuple(name for name in names if name not in others)
