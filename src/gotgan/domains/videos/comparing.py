"""Two results side by side: how they sound, and what they have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True)
class Comparison:
    """What two videos have in common, and what only one of them has."""

    net: tuple[float | None, float | None]
    """Positive less negative, of each; None without comments."""
    shared_keywords: tuple[str, ...]
    only: tuple[tuple[str, ...], tuple[str, ...]]
    """Keywords that only one of them has."""
    shared_topics: tuple[str, ...]


def compare(first: Mapping[str, Any], second: Mapping[str, Any]) -> Comparison:
    """Compare two results of shape 2."""
    words, others = _words(first), _words(second)
    topics = {topic["label"] for topic in second["topics"]}
    return Comparison(
        net=(_net(first), _net(second)),
        shared_keywords=tuple(word for word in words if word in others),
        only=(
            tuple(word for word in words if word not in others),
            tuple(word for word in others if word not in words),
        ),
        shared_topics=tuple(
            topic["label"] for topic in first["topics"] if topic["label"] in topics
        ),
    )


def _words(result: Mapping[str, Any]) -> list[str]:
    return [keyword["word"] for keyword in result["keywords"]]


def _net(result: Mapping[str, Any]) -> float | None:
    sentiment = result["sentiment"]
    return None if sentiment is None else float(sentiment["net"])
