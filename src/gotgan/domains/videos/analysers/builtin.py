"""The analyser that is always there: no network and no model, only sentences around the figures.

It says nothing that was not counted, and never repeats a comment. What it suggests is made from
templates, and says so.
"""

from __future__ import annotations

from gotgan.domains.videos.analysers.builtin_ideas import ideas_of, titles_of
from gotgan.domains.videos.analysers.builtin_subject import Subject, fitted, subject_of
from gotgan.domains.videos.analysers.builtin_summary import summary_of
from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.measuring.measured import Measurements
from gotgan.domains.videos.models import Material
from gotgan.domains.videos.shapes import Insights

__all__ = ["Builtin"]

_MOST_KEYWORDS = 12
_LONGEST_KEYWORD = 50
_LONGEST_NOTE = 300
_FEW = 30
"""Shares of fewer comments than this are called unsure."""


class Builtin:
    """Says what the figures say; it costs nothing, and it cannot fail."""

    name = "builtin"
    model = "gotgan-builtin"
    prompt_version: str | None = "t1"
    """Of its templates: they are what a prompt is to others."""

    def say(self, material: Material, measured: Measurements) -> AnalyserResponse:
        """Insights in the language that most comments are in, or the title where there are none."""
        subject = subject_of(material, measured)
        insights = Insights(
            summary=summary_of(subject),
            contentIdeas=ideas_of(subject),
            recommendedKeywords=_keywords(subject),
            titleSuggestions=titles_of(subject),
            languageSummary=_languages(subject),
            warnings=_warnings(subject),
        )
        return AnalyserResponse(insights.model_dump_json())


def _keywords(subject: Subject) -> list[str]:
    """Words of the comments, and then those of the title and the description."""
    words = [keyword.word for keyword in subject.measured.keywords] + list(subject.own_words)
    unique = dict.fromkeys(fitted(word, _LONGEST_KEYWORD) for word in words)
    return [word for word in unique if word][:_MOST_KEYWORDS]


def _languages(subject: Subject) -> str | None:
    if not subject.heard:
        return None
    counts = {name: subject.measured.languages.get(name, 0) for name in ("ko", "en", "other")}
    return fitted(subject.wording.languages.format(**counts), _LONGEST_NOTE)


def _warnings(subject: Subject) -> list[str]:
    if not 0 < subject.heard < _FEW:
        return []
    return [subject.wording.few.format(comments=subject.wording.comments(subject.heard))]
