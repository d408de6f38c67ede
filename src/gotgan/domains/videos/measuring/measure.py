"""Counting all that can be counted in the comments of a video, without a network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gotgan.domains.videos.measuring.asking import questions_of, requests_of
from gotgan.domains.videos.measuring.highlights import highlights_of
from gotgan.domains.videos.measuring.keywords import keywords_of, places_of
from gotgan.domains.videos.measuring.measured import Label, Measurements
from gotgan.domains.videos.measuring.moments import moments_of
from gotgan.domains.videos.measuring.remarks import remarks_of
from gotgan.domains.videos.measuring.sentiment import labels_of, language_of
from gotgan.domains.videos.measuring.spam import is_spam
from gotgan.domains.videos.measuring.topics import sentiment_of, topics_of
from gotgan.domains.videos.models import Comment, Material

__all__ = ["measure"]


def measure(material: Material) -> Measurements:
    """What the comments of a video say, in figures; spam is counted and otherwise left out."""
    comments = list({comment.comment_id: comment for comment in material.comments}.values())
    kept = [comment for comment in comments if not is_spam(comment.text)]
    labels = labels_of([comment.text for comment in kept])
    remarks = remarks_of(kept, labels)
    places = places_of(remarks)
    return Measurements(
        sentiment=sentiment_of(labels),
        labels=_by_id(kept, labels),
        languages=Counter(language_of(comment.text) for comment in kept),
        spam=len(comments) - len(kept),
        keywords=keywords_of(remarks, places),
        topics=topics_of(remarks, places),
        requests=requests_of(remarks),
        questions=questions_of(remarks),
        highlights=highlights_of(remarks),
        moments=moments_of(kept, material.video.duration_sec),
    )


def _by_id(comments: Sequence[Comment], labels: Sequence[Label]) -> dict[str, Label]:
    return {comment.comment_id: label for comment, label in zip(comments, labels, strict=True)}
