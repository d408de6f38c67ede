"""Which comments stand for all of them: some of every kind, and none twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Final

from gotgan.domains.videos.measuring.measured import Label, Measurements
from gotgan.domains.videos.models import Comment, Material

__all__ = ["representative"]

_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


def representative(material: Material, measured: Measurements) -> Iterator[Comment]:
    """Comments that were counted, the most telling of every kind in turns, then all others."""
    counted = {each.comment_id: each for each in material.comments if _counts(each, measured)}
    said: set[str] = set()
    for comment_id in dict.fromkeys(_in_turns(_kinds(list(counted.values()), measured))):
        comment = counted.get(comment_id)
        words = " ".join(comment.text.casefold().split()) if comment else ""
        if comment and words and words not in said:
            said.add(words)
            yield comment


def _counts(comment: Comment, measured: Measurements) -> bool:
    return comment.comment_id in measured.labels


def _kinds(comments: Sequence[Comment], measured: Measurements) -> list[Iterable[str]]:
    liked = sorted(comments, key=lambda each: (-each.likes, each.comment_id))
    return [
        [each.comment_id for each in measured.highlights],
        [each.comment_id for each in measured.requests],
        [each.comment_id for each in measured.questions],
        _labelled("positive", liked, measured),
        _labelled("negative", liked, measured),
        _in_turns([topic.evidence for topic in measured.topics]),
        _in_turns([moment.evidence for moment in measured.moments]),
        [each.comment_id for each in sorted(comments, key=_newest_first)],
    ]


def _labelled(label: Label, liked: Iterable[Comment], measured: Measurements) -> Iterator[str]:
    return (each.comment_id for each in liked if measured.labels[each.comment_id] == label)


def _newest_first(comment: Comment) -> tuple[float, str]:
    return -(comment.published_at or _LONG_AGO).timestamp(), comment.comment_id


def _in_turns(queues: Sequence[Iterable[str]]) -> Iterator[str]:
    """The first of each queue, then the second of each, until all are empty."""
    for row in zip_longest(*queues):
        yield from (each for each in row if each is not None)
