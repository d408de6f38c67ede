"""The suggestions of a result as lines, each with the comments that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from gotgan.cli.videos_text import quote

if TYPE_CHECKING:
    from gotgan.domains.videos.models import Comment

__all__ = ["suggestion_lines"]

_PARTS: Final = {
    "majorReactions": "Reactions",
    "positivePoints": "Strong points",
    "weakPoints": "Weak points",
}
_QUOTED: Final = 2


def suggestion_lines(document: Mapping[str, Any], evidence: Mapping[str, Comment]) -> Iterator[str]:
    """All that an analyser says."""
    summary, meta = document["summary"], document["meta"]
    yield from (f"{title:<13}  {summary[name]}" for name, title in _PARTS.items())
    if meta["languageSummary"]:
        yield f"{'Languages':<13}  {meta['languageSummary']}"
    yield from _ideas(document["contentIdeas"], evidence)
    yield from _titles(document["titleSuggestions"], evidence)
    if document["recommendedKeywords"]:
        yield from ["", "Keywords to use", f"  {' · '.join(document['recommendedKeywords'])}"]


def _ideas(ideas: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]) -> Iterator[str]:
    if ideas:
        yield from ["", "Ideas for other videos"]
    for number, idea in enumerate(ideas, 1):
        yield f"  {number}. {idea['title']}"
        yield f"     {idea['description']}"
        yield from _ground(idea["evidence"], evidence)


def _titles(titles: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]) -> Iterator[str]:
    if titles:
        yield from ["", "Other titles for this one"]
    for number, title in enumerate(titles, 1):
        yield f"  {number}. {title['title']}"
        yield from _ground(title["evidence"], evidence)


def _ground(ids: Sequence[str], evidence: Mapping[str, Comment]) -> Iterator[str]:
    yield from (f"     rests on {quote(each, evidence)}" for each in ids[:_QUOTED])
