"""What an analyser said, checked before anything of it is kept.

The order is fixed: read, check, mend what may be mended, check again, and keep all of it or none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from pydantic import ValidationError

from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.parsing import parsed
from gotgan.domains.videos.repairs import Place, repaired
from gotgan.domains.videos.shapes import Insights
from gotgan.errors import OutputInvalid

__all__ = ["insights_of"]

_LONGEST_NAME: Final = 50
_WORDS: Final[Mapping[str, str]] = {
    "extra_forbidden": "was not asked for",
    "list_type": "is no list",
    "missing": "is missing",
    "model_type": "is no object",
    "string_pattern_mismatch": "is blank",
    "string_too_long": "has more than {max_length} characters",
    "string_too_short": "is empty",
    "string_type": "is no text",
    "too_long": "has more than {max_length} entries",
}
_WITH_EVIDENCE: Final = ("contentIdeas", "titleSuggestions")


def insights_of(said: AnalyserResponse, known: Collection[str]) -> tuple[Insights, tuple[str, ...]]:
    """What was said, in its shape, and what had to be done for that; ``known`` are comment ids."""
    if said.is_cut:
        raise OutputInvalid(
            "the analyser's answer broke off before its end; analyse again, or take a model that "
            "may say more"
        )
    document, taken_away = parsed(said.text)
    insights, repairs = _checked(document)
    told, unknown = _with_known_comments(insights, said.names, known)
    return told, (*taken_away, *repairs, *unknown)


def _checked(document: Any) -> tuple[Insights, tuple[str, ...]]:
    try:
        return Insights.model_validate(document), ()
    except ValidationError as error:
        faults: list[Place] = [each["loc"] for each in error.errors(include_url=False)]
    mended, repairs = repaired(document, faults)
    try:
        return Insights.model_validate(mended), repairs
    except ValidationError as error:
        raise OutputInvalid(
            f"what the analyser said is no analysis: {_first_fault(error)}; analyse again, or "
            "take another analyser"
        ) from None


def _first_fault(error: ValidationError) -> str:
    """Where the first fault is and what it is, without a word of what was said."""
    first = error.errors(include_url=False, include_input=False)[0]
    words = _WORDS.get(first["type"], "is not as it should be")
    return f"{_path(first['loc']) or 'the whole'} {words.format(**first.get('ctx', {}))}"


def _path(place: Place) -> str:
    named = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in place)
    shown = "".join(each if each.isprintable() else " " for each in named)
    return shown.removeprefix(".")[:_LONGEST_NAME]


def _with_known_comments(
    insights: Insights, names: Mapping[str, str], known: Collection[str]
) -> tuple[Insights, tuple[str, ...]]:
    """The same, with comments named by their ids, and each keyword once."""
    there = frozenset(known)
    meant = {name: comment for name, comment in names.items() if comment in there}
    ids = meant if names else {comment: comment for comment in there}
    document = insights.model_dump()
    entries = [entry for field in _WITH_EVIDENCE for entry in document[field]]
    dropped = sum(_resolve(entry, ids) for entry in entries)
    document["recommendedKeywords"] = _each_once(document["recommendedKeywords"])
    told = f"references to comments that nobody knows were left out: {dropped}"
    return Insights.model_validate(document), (told,) if dropped else ()


def _resolve(entry: dict[str, Any], ids: Mapping[str, str]) -> int:
    """Name comments by their ids; give how many are not known."""
    named = entry["evidence"]
    entry["evidence"] = list(dict.fromkeys(ids[name] for name in named if name in ids))
    return sum(name not in ids for name in named)


def _each_once(keywords: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for keyword in keywords:
        found.setdefault(" ".join(keyword.casefold().split()), keyword)
    return list(found.values())
