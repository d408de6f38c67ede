"""Two results side by side: how they sound, and what they have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gotgan.domains.videos.reports import VideoComparison, VideoSheet

__all__ = ["compare"]


def compare(sheets: tuple[VideoSheet, VideoSheet]) -> VideoComparison:
    """Compare the results of two videos; Conflict says why one has none."""
    first, second = (sheet.expect_result().document for sheet in sheets)
    words, others = _words(first), _words(second)
    topics = {topic["label"] for topic in second["topics"]}
    return VideoComparison(
        videos=sheets,
        net=(_net(first), _net(second)),
        shared_keywords=tuple(word for word in words if word in others),
        only_first=tuple(word for word in words if word not in others),
        only_second=tuple(word for word in others if word not in words),
        shared_topics=tuple(
            topic["label"] for topic in first["topics"] if topic["label"] in topics
        ),
    )


def _words(result: Mapping[str, Any]) -> list[str]:
    return [keyword["word"] for keyword in result["keywords"]]


def _net(result: Mapping[str, Any]) -> float | None:
    sentiment = result["sentiment"]
    return None if sentiment is None else float(sentiment["net"])
