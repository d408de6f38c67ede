"""Sentences of the domains and of the timetable, in the language of whoever looks.

Those speak English alone, and much of what they said is kept as text. The catalogue
``sentences.toml`` has their sentences with places for what changes: one that fits is told in the
other language with the same values. What fits none is somebody else's, such as the text of an
error, and is shown as it is, marked as English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from string import Formatter
from types import MappingProxyType
from typing import Final

from markupsafe import Markup, escape

from gotgan.console.texts import Language, catalogue

__all__ = ["is_known", "retold"]

_AREAS: Final = (
    "sentences.day.",
    "sentences.fetch.",
    "sentences.gate.",
    "sentences.holiday.",
    "sentences.lasting.",
    "sentences.market.",
    "sentences.news.",
    "sentences.shops.",
    "sentences.timetable.",
    "sentences.videos.",
    "sentences.when.",
    "sentences.word.",
)
_DAY: Final = r"\d{4}-\d\d-\d\d"
_FIGURE: Final = r"\d[\d,.]*"
_PLACES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "again": _DAY,
        "at": r"(?:(?:\d{4}-)?\d\d-\d\d )?\d\d:\d\d(?: [A-Z+\-][\w+\-]*)?",
        "beside": _DAY,
        "count": _FIGURE,
        "day": _DAY,
        "error": "(?:(?!; (?:prices|indices): ).)+",
        "first": r"\d\d:\d\d",
        "last": r"\d\d:\d\d",
        "other": _FIGURE,
        "outcome": "blocked|unreachable",
        "place": r"\S+",
        "provider": "krx|pykrx|csv",
        "share": r"\d+%",
        "some": "[^;]+",
        "stage": "crawl|scrape",
        "status": "success|partial|failed|retrying|pending",
        "total": _FIGURE,
        "what": "prices|indices|indicators|prices and indices",
        "who": r"[^\s;]+(?: and [^\s;]+)*",
    }
)
"""What may stand in a place; where nothing is said, anything."""
_TOLD: Final = frozenset({"error", "outcome", "rest", "stage", "status", "what", "why"})
"""Places of words, which are told too; all others are figures, moments and names."""
_MARK: Final = "; "
"""What stands between two sentences."""
_LONGEST: Final = 500
"""Whoever says more than this is none of us."""
_REMEMBERED: Final = 2_048
_Fitting = tuple[re.Pattern[str], str]


def retold(language: Language, words: str) -> Markup:
    """A sentence of ours in a language; anybody else's as it is, marked as English."""
    if language == "en" or not words:
        return escape(words)
    return _in_korean(words) or _as_it_is(words)


def is_known(words: str) -> bool:
    """Whether all of a sentence can be told in another language."""
    told = _in_korean(words)
    return told is not None and ' lang="en"' not in told


@lru_cache(_REMEMBERED)
def _in_korean(words: str) -> Markup | None:
    if len(words) > _LONGEST:
        return None
    for pattern, korean in _patterns():
        found = pattern.fullmatch(words)
        if found is not None:
            values = {name: _value(name, value) for name, value in found.groupdict().items()}
            return escape(korean).format_map(values)
    return _in_a_row(words) or _listed(words)


def _in_a_row(words: str) -> Markup | None:
    """Several sentences, of which the first is ours; a sentence may have such a mark in itself."""
    ends = [found.start() for found in re.finditer(_MARK, words)]
    ours = [end for end in ends if _in_korean(words[:end]) is not None]
    if not ours:
        return None
    end = next((end for end in ours if is_known(words[:end])), ours[-1])
    return retold("ko", words[:end]) + _MARK + retold("ko", words[end + len(_MARK) :])


def _listed(words: str) -> Markup | None:
    """Several figures, all of which are ours: a comma stands in sentences of others too."""
    parts = words.split(", ")
    told = [each for each in map(_in_korean, parts) if each] if len(parts) > 1 else []
    return Markup(", ").join(told) if len(told) == len(parts) else None


def _value(name: str, value: str) -> Markup:
    return retold("ko", value) if name in _TOLD else escape(value.replace(" and ", ", "))


def _as_it_is(words: str) -> Markup:
    return Markup('<span lang="en">{}</span>').format(words)


@cache
def _patterns() -> tuple[_Fitting, ...]:
    """What English fits, with its Korean; what says most by itself first."""
    known = [
        (english, forms["ko"])
        for key, forms in catalogue().items()
        if key.startswith(_AREAS)
        for english in {forms["en"], forms.get("one", forms["en"])}
    ]
    known.sort(key=lambda pair: (-_weight(pair[0]), pair[0]))
    return tuple((re.compile("".join(_pieces(english))), korean) for english, korean in known)


def _weight(english: str) -> int:
    return sum(len(literal) for literal, _, _, _ in Formatter().parse(english))


def _pieces(english: str) -> Iterator[str]:
    for literal, name, _, _ in Formatter().parse(english):
        yield re.escape(literal)
        if name is not None:
            yield f"(?P<{name}>{_PLACES.get(name, '.+')})"
