"""Comments as the tests of metrics need them."""

from __future__ import annotations

from gotgan.domains.videos.metrics.measurements import Label
from gotgan.domains.videos.metrics.words import Remark, unique_remarks
from gotgan.domains.videos.models import Comment, Material, Video

__all__ = ["comments_of", "material_of", "said"]


def comments_of(*texts: str) -> tuple[Comment, ...]:
    """Comments c0, c1, …, each with one like less than the one before it."""
    return tuple(
        Comment(f"c{number}", text, likes=len(texts) - number) for number, text in enumerate(texts)
    )


def said(*texts: str, label: Label = "neutral") -> list[Remark]:
    """The remarks in such comments."""
    comments = comments_of(*texts)
    return unique_remarks(comments, [label] * len(comments))


def material_of(*texts: str, title: str = "A video", duration: int | None = None) -> Material:
    """A video with such comments."""
    video = Video("abcdefghijk", title, duration_sec=duration)
    return Material(video, comments=comments_of(*texts))
