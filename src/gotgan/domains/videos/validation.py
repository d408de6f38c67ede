"""The answer of an analyser, validated before anything of it is stored.

The order is fixed: parse, validate, repair what may be repaired, validate again, and accept all of
it or nothing. The reactions of viewers and what they like are never made up. But an answer may lack
weak points, ideas, keywords or warnings, or what only shape 2 has; each repair is a warning.
"""

from __future__ import annotations

import copy
import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, TypeAlias

from pydantic import ValidationError

from gotgan.domains.videos import messages
from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.schemas import MAX_EVIDENCE, Insights
from gotgan.errors import OutputInvalid
from gotgan.messages import Message

NO_WEAK_POINTS: Final = {
    "ko": "뚜렷한 아쉬운 점은 확인되지 않았습니다.",
    "en": "No clear weak points were found.",
}
_MAX_PATH_CHARS: Final = 50
_MAX_OUTPUT_CHARS: Final = 500_000
"""Several times the largest valid answer."""
_FENCED: Final = re.compile(r"```(?:json)?(.*)```", re.DOTALL | re.IGNORECASE)
_ALLOWED_CONTROLS: Final = frozenset("\t\n\r")
_HANGUL: Final = re.compile("[가-힣]")
_OPTIONAL_FIELD: Final = "languageSummary"
"""The one field that may be null; the others that may be missing are lists."""

_FaultPath: TypeAlias = tuple[int | str, ...]
"""The names and numbers that lead to a fault."""


def validate_insights(
    response: AnalyserResponse, known: Collection[str]
) -> tuple[Insights, tuple[Message, ...]]:
    """The insights of a response, and warnings; ``known`` are the ids of comments."""
    if response.is_cut:
        raise OutputInvalid(messages.CUT_OFF())
    document, warnings = _parse(response.text)
    insights, repairs = _validate(document)
    resolved, unknown = _resolve_evidence(insights, response.names, known)
    return resolved, (*warnings, *repairs, *unknown)


def _resolve_evidence(
    insights: Insights, names: Mapping[str, str], known: Collection[str]
) -> tuple[Insights, tuple[Message, ...]]:
    """The insights with comments named by their ids, and without what says nothing new."""
    there = frozenset(known)
    meant = {name: comment for name, comment in names.items() if comment in there}
    ids = meant if names else {comment: comment for comment in there}
    document = insights.model_dump()
    dropped = 0
    for entry in (*document["contentIdeas"], *document["titleSuggestions"]):
        named = entry["evidence"]
        entry["evidence"] = list(dict.fromkeys(ids[name] for name in named if name in ids))
        dropped += sum(name not in ids for name in named)
    keywords: dict[str, str] = {}
    for keyword in document["recommendedKeywords"]:
        keywords.setdefault(_folded(keyword), keyword)
    document["recommendedKeywords"] = list(keywords.values())
    ideas, titles = document["contentIdeas"], document["titleSuggestions"]
    document["contentIdeas"] = [
        idea for idea in ideas if idea["evidence"] and _folded(idea["title"]) not in keywords
    ]
    document["titleSuggestions"] = [
        title for title in titles if _folded(title["title"]) not in keywords
    ]
    kept = len(document["contentIdeas"]) + len(document["titleSuggestions"])
    unsupported = len(ideas) + len(titles) - kept
    warnings = [messages.REFERENCES_DROPPED(count=dropped)] if dropped else []
    if unsupported:
        warnings.append(messages.UNSUPPORTED_DROPPED(count=unsupported))
    return Insights.model_validate(document), tuple(warnings)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _parse(text: str) -> tuple[Any, tuple[Message, ...]]:
    """The document in a text, and warnings about what was removed."""
    if len(text) > _MAX_OUTPUT_CHARS:
        raise _unreadable(messages.TOO_LONG(count=len(text)))
    fenced = None if text.lstrip().startswith("{") else _FENCED.search(text)
    warnings = [messages.CODE_FENCE()] if fenced else []
    try:
        document = _load_json(fenced[1] if fenced else text)
        cleaned = _without_controls(document)
    except RecursionError:
        raise _unreadable(messages.TOO_DEEP()) from None
    if cleaned != document:
        warnings.append(messages.CONTROLS_REMOVED())
    return cleaned, tuple(warnings)


def _load_json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique_object, parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        line, column = str(error.lineno), str(error.colno)
        raise _unreadable(messages.NOT_JSON(line=line, column=column)) from None
    except ValueError:  # a number of thousands of digits
        raise _unreadable(messages.LONG_NUMBER()) from None


def _unique_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _unreadable(messages.FIELD_TWICE())
    return found


def _reject_constant(_name: str) -> Any:
    raise _unreadable(messages.NOT_FINITE())


def _without_controls(value: Any) -> Any:
    """A value without control characters, which could play tricks on a terminal."""
    if isinstance(value, str):
        return _printable(value)
    if isinstance(value, list):
        return [_without_controls(each) for each in value]
    if isinstance(value, dict):
        return {_printable(name): _without_controls(each) for name, each in value.items()}
    return value


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    kinds = {character: unicodedata.category(character) for character in set(text)}
    if "Cs" in kinds.values():
        raise _unreadable(messages.BROKEN_TEXT())
    return "".join(each for each in text if kinds[each] != "Cc" or each in _ALLOWED_CONTROLS)


def _unreadable(why: Message) -> OutputInvalid:
    return OutputInvalid(messages.UNREADABLE(why=why))


def _validate(document: Any) -> tuple[Insights, tuple[Message, ...]]:
    try:
        return Insights.model_validate(document), ()
    except ValidationError as error:
        faults = [each["loc"] for each in error.errors(include_url=False)]
    repaired, repairs = _repair(document, faults)
    try:
        return Insights.model_validate(repaired), repairs
    except ValidationError as error:
        raise OutputInvalid(_first_fault(error)) from None


def _first_fault(error: ValidationError) -> Message:
    """The place and the kind of the first fault, without a word of the answer."""
    first = error.errors(include_url=False, include_input=False)[0]
    path = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in first["loc"])
    shown = "".join(each if each.isprintable() else " " for each in path)
    place = shown.removeprefix(".")[:_MAX_PATH_CHARS] or messages.WHOLE()
    limits = {name: most for name, most in first.get("ctx", {}).items() if name == "max_length"}
    fault = messages.FAULTS.get(first["type"], messages.FAULT)(**limits)
    return messages.INVALID(place=place, fault=fault)


def _repair(document: Any, faults: Iterable[_FaultPath]) -> tuple[Any, tuple[Message, ...]]:
    """The document with what may be repaired, and a warning for each repair."""
    if not isinstance(document, dict):
        return document, ()
    repaired = copy.deepcopy(document)
    warnings = dict.fromkeys(_repair_fault(repaired, place) for place in faults)
    return repaired, tuple(each for each in warnings if each is not None)


def _repair_fault(document: dict[str, Any], place: _FaultPath) -> Message | None:
    """Repair one fault, and describe it; None if that is not permitted."""
    field = str(place[0]) if place else ""
    if place == ("summary", "weakPoints"):
        summary = document["summary"]
        is_korean = _HANGUL.search(str(summary.get("majorReactions", "")))
        summary["weakPoints"] = NO_WEAK_POINTS["ko" if is_korean else "en"]
        return messages.WEAK_POINTS_REPLACED()
    if "evidence" in place[2:3] and document[field]:
        entry = document[field][int(place[1])]
        ids = entry["evidence"] if isinstance(entry["evidence"], list) else []
        entry["evidence"] = [each for each in ids if isinstance(each, str)][:MAX_EVIDENCE]
        return messages.EVIDENCE_DROPPED()
    if field not in messages.FIELDS:
        return None
    document[field] = None if field == _OPTIONAL_FIELD else []
    return messages.FIELD_DROPPED(field=messages.FIELDS[field]())
