"""What is said below a video, each thing once: copies of the same text are one remark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gotgan.domains.videos.measuring.measured import Label, NotableComment
from gotgan.domains.videos.measuring.words import plain
from gotgan.domains.videos.models import Comment

__all__ = ["MOST_EVIDENCE", "Remark", "by_likes", "evidence_of", "remarks_of"]

MOST_EVIDENCE: Final = 10
"""So many comments are named for each figure."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A text that somebody wrote, and the most liked of the comments that have it."""

    comment: Comment
    text: str
    """In the one spelling of ``words.plain``."""
    label: Label

    @property
    def found(self) -> NotableComment:
        """How a list of comments names it."""
        return NotableComment(self.comment.comment_id, max(self.comment.likes, 0), self.label)


def by_likes(comment: Comment) -> tuple[int, str]:
    """What to sort comments by: the most liked first, and always in the same order."""
    return -comment.likes, comment.comment_id


def remarks_of(comments: Sequence[Comment], labels: Sequence[Label]) -> list[Remark]:
    """The remarks in comments, the most liked first."""
    remarks: dict[str, Remark] = {}
    pairs = zip(comments, labels, strict=True)
    for comment, label in sorted(pairs, key=lambda pair: by_likes(pair[0])):
        text = plain(comment.text)
        if text not in remarks:
            remarks[text] = Remark(comment, text, label)
    return list(remarks.values())


def evidence_of(remarks: Sequence[Remark], places: Iterable[int]) -> tuple[str, ...]:
    """The ids of the most liked remarks among those at such places."""
    return tuple(remarks[at].comment.comment_id for at in sorted(places)[:MOST_EVIDENCE])
