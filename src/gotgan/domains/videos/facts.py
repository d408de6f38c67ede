"""What was counted, as a result has it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from gotgan.domains.videos import shapes
from gotgan.domains.videos.measuring.measured import (
    Keyword,
    Measurements,
    NotableComment,
    TopicCluster,
    VideoTimestamp,
)
from gotgan.domains.videos.measuring.measured import Sentiment as Counted
from gotgan.domains.videos.wording import cut

__all__ = ["facts_of"]

_WORD, _LABEL = 50, 200
_KEYWORDS, _TOPICS, _MOST = 50, 12, 20
_EVIDENCE: Final = shapes.MOST_EVIDENCE


def facts_of(measured: Measurements, method: str) -> dict[str, Any]:
    """All facts of a result, by their names there; ``method`` says what counted the sentiment."""
    return {
        "sentiment": _sentiment(measured.sentiment, method),
        "spam": measured.spam,
        "keywords": [_keyword(each) for each in measured.keywords[:_KEYWORDS]],
        "topics": [_topic(each) for each in measured.topics[:_TOPICS]],
        "requests": _found(measured.requests),
        "questions": _found(measured.questions),
        "highlights": _found(measured.highlights),
        "moments": [_moment(each) for each in measured.moments[:_MOST]],
    }


def _sentiment(counted: Counted, method: str) -> shapes.SentimentShares | None:
    """Shares; None where there is nothing to share out."""
    if not counted.n:
        return None
    return shapes.SentimentShares(
        shares=shapes.Shares(
            positive=counted.positive / counted.n,
            neutral=counted.neutral / counted.n,
            negative=counted.negative / counted.n,
        ),
        net=(counted.positive - counted.negative) / counted.n,
        n=counted.n,
        method=cut(method, _LABEL),
    )


def _keyword(keyword: Keyword) -> shapes.KeywordCount:
    return shapes.KeywordCount(
        word=cut(keyword.word, _WORD), count=keyword.count, evidence=_evidence(keyword.evidence)
    )


def _topic(topic: TopicCluster) -> shapes.Topic:
    sentiment = topic.sentiment
    return shapes.Topic(
        label=cut(topic.label, _LABEL),
        words=[cut(word, _WORD) for word in topic.words],
        count=topic.count,
        sentiment=shapes.Counts(
            positive=sentiment.positive, neutral=sentiment.neutral, negative=sentiment.negative
        ),
        evidence=_evidence(topic.evidence),
    )


def _found(comments: Iterable[NotableComment]) -> list[shapes.FoundComment]:
    return [
        shapes.FoundComment(commentId=each.comment_id, likes=max(0, each.likes), label=each.label)
        for each in list(comments)[:_MOST]
    ]


def _moment(moment: VideoTimestamp) -> shapes.Moment:
    return shapes.Moment(
        seconds=moment.seconds, count=moment.count, evidence=_evidence(moment.evidence)
    )


def _evidence(ids: Iterable[str]) -> list[str]:
    return list(ids)[:_EVIDENCE]
