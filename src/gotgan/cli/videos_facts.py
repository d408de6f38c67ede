"""The facts of a result as lines: figures, and the comments that they were counted in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gotgan.cli.videos_text import bar, counted, quote, way

if TYPE_CHECKING:
    from gotgan.domains.videos.models import Comment

__all__ = ["fact_lines", "sentiment_lines"]

_SHOWN: Final = 5
_KEYWORDS: Final = 12
_FOUND: Final = {"requests": "Requests", "questions": "Questions", "highlights": "Much liked"}


def fact_lines(document: Mapping[str, Any], evidence: Mapping[str, Comment]) -> Iterator[str]:
    """All facts; of long lists the first, for --json has the rest."""
    yield from sentiment_lines(document["sentiment"])
    if document["spam"]:
        yield f"  left out as spam: {document['spam']:,}"
    yield from _keywords(document["keywords"])
    yield from _topics(document["topics"], evidence)
    for name, title in _FOUND.items():
        yield from _found(title, document[name], evidence)
    yield from _moments(document["moments"], evidence)


def sentiment_lines(sentiment: Mapping[str, Any] | None) -> Iterator[str]:
    """How the comments sound, as bars."""
    if sentiment is None:
        yield "Sentiment: there are no comments to count"
        return
    yield f"Sentiment of {counted(sentiment['n'], 'comment')}: net {sentiment['net']:+.2f}"
    yield from (f"  {name:<8}  {bar(share)}" for name, share in sentiment["shares"].items())
    yield f"  {sentiment['method']}"


def _keywords(keywords: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if keywords:
        words = [f"{each['word']} {each['count']:,}" for each in keywords[:_KEYWORDS]]
        yield from _titled("Keywords", keywords, _KEYWORDS)
        yield f"  {' · '.join(words)}"


def _topics(topics: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]) -> Iterator[str]:
    yield from _titled("Topics", topics, _SHOWN)
    for topic in topics[:_SHOWN]:
        parts = [f"{count:,} {name}" for name, count in topic["sentiment"].items() if count]
        yield f"  {topic['label']}: {counted(topic['count'], 'comment')}, {', '.join(parts)}"
        yield from (f"    {quote(each, evidence)}" for each in topic["evidence"][:1])


def _found(
    title: str, found: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]
) -> Iterator[str]:
    yield from _titled(title, found, _SHOWN)
    for each in found[:_SHOWN]:
        yield f"  {each['label']:<8}  {quote(each['commentId'], evidence)}"


def _moments(
    moments: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]
) -> Iterator[str]:
    yield from _titled("Moments", moments, _SHOWN)
    for each in moments[:_SHOWN]:
        told = [quote(one, evidence) for one in each["evidence"][:1]]
        yield "  ".join([f"  {way(each['seconds']):>7}", counted(each["count"], "comment"), *told])


def _titled(title: str, items: Sequence[Any], shown: int) -> Iterator[str]:
    """The head of a list, where there is one, and how much of it is left out."""
    if items:
        more = f" (the first {shown} of {len(items)})" if len(items) > shown else ""
        yield from ["", f"{title}{more}"]
