"""What a reader must know about a result, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from gotgan.domains.videos.models import Basis, Material, Problem
from gotgan.domains.videos.shapes import LONGEST_WARNING, MOST_WARNINGS

__all__ = ["PROBLEMS", "cut", "warnings_of"]

PROBLEMS: Final[Mapping[Problem, str]] = {
    "disabled": "comments are turned off for this video",
    "failed": "YouTube failed before all comments were fetched",
    "quota": "the daily YouTube quota ran out before all comments were fetched",
    "timeout": "YouTube timed out before all comments were fetched",
}
_CUT: Final = "…"


def warnings_of(
    material: Material,
    basis: Sequence[Basis],
    repairs: Iterable[str],
    said: Iterable[str],
) -> list[str]:
    """All warnings of a result, ours first: what the analyser says of itself is told as such."""
    ours = [*_about(material, basis), *material.warnings, *repairs]
    theirs = [f"the analyser says: {each}" for each in said]
    told = dict.fromkeys(cut(each, LONGEST_WARNING) for each in [*ours, *theirs] if each.strip())
    return list(told)[:MOST_WARNINGS]


def cut(text: str, most: int) -> str:
    """A text that is not longer than that."""
    return text if len(text) <= most else text[: most - 1] + _CUT


def _about(material: Material, basis: Sequence[Basis]) -> Iterator[str]:
    count = len(material.comments)
    if material.problem is not None or not count:
        yield f"{_trouble(material)}; {_rest(count, basis)}"
    if hidden := ", ".join(_hidden(material)):
        yield f"not public, or not given: the number of {hidden}"


def _trouble(material: Material) -> str:
    if material.problem is None:
        return "there are no comments"
    return PROBLEMS[material.problem]


def _rest(count: int, basis: Sequence[Basis]) -> str:
    """What the analysis goes by instead."""
    if count:
        return f"the analysis rests on those that came, {count} of them"
    words = " and ".join(each for each in basis if each in {"title", "description"})
    return f"the analysis rests on {words} alone" if words else "the analysis rests on nothing"


def _hidden(material: Material) -> Iterator[str]:
    video = material.video
    counts = {"views": video.view_count, "likes": video.like_count, "comments": video.comment_count}
    return (name for name, count in counts.items() if count is None)
