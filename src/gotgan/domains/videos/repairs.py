"""The few things in an analyser's answer that may be mended; each is told in the result.

Where viewers' reactions or what they like is missing, nobody may make it up. But an answer without
weak points, ideas, keywords or warnings is an answer, and so is one without what only the second
shape has.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from gotgan.domains.videos.shapes import MOST_EVIDENCE

__all__ = ["NO_WEAK_POINTS", "Place", "repaired"]

Place: TypeAlias = tuple[int | str, ...]
"""Where a fault is: the names and numbers that lead to it."""

NO_WEAK_POINTS: Final = {
    "ko": "뚜렷한 아쉬운 점은 확인되지 않았습니다.",
    "en": "No clear weak points were found.",
}
_SUMMARY, _WEAK_POINTS, _EVIDENCE = "summary", "weakPoints", "evidence"
_REFERENCES: Final = (
    "some of the analyser's references to comments could not be used, and were left out"
)
_WEAK: Final = (
    "the analyser's weak points are missing or could not be used; a fixed sentence stands there"
)
_EMPTY: Final[Mapping[str, tuple[Any, str]]] = {
    "contentIdeas": ([], "ideas"),
    "recommendedKeywords": ([], "keywords"),
    "titleSuggestions": ([], "titles"),
    "languageSummary": (None, "words about languages"),
    "warnings": ([], "own warnings"),
}
_HANGUL: Final = re.compile("[가-힣]")


def repaired(document: Any, faults: Iterable[Place]) -> tuple[Any, tuple[str, ...]]:
    """The document with what may be mended mended, and a sentence about each repair."""
    if not isinstance(document, dict):
        return document, ()
    mended = copy.deepcopy(document)
    told = dict.fromkeys(_mend(mended, place) for place in faults)
    return mended, tuple(each for each in told if each is not None)


def _mend(document: dict[str, Any], place: Place) -> str | None:
    """Mend one fault; None where that is not permitted."""
    field = str(place[0]) if place else ""
    if place == (_SUMMARY, _WEAK_POINTS):
        summary = document[_SUMMARY]
        summary[_WEAK_POINTS] = _fixed_sentence(summary)
        return _WEAK
    if _EVIDENCE in place[2:3] and document[field]:
        entry = document[field][int(place[1])]
        entry[_EVIDENCE] = _usable(entry[_EVIDENCE])
        return _REFERENCES
    if field not in _EMPTY:
        return None
    empty, what = _EMPTY[field]
    document[field] = copy.copy(empty)
    return f"the analyser's {what} are missing or could not be used, and were left out"


def _fixed_sentence(summary: Mapping[str, Any]) -> str:
    """In the language of the rest."""
    is_korean = _HANGUL.search(str(summary.get("majorReactions", "")))
    return NO_WEAK_POINTS["ko" if is_korean else "en"]


def _usable(evidence: Any) -> list[str]:
    found = evidence if isinstance(evidence, list) else []
    return [each for each in found if isinstance(each, str)][:MOST_EVIDENCE]
