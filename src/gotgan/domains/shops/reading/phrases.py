"""Finding the phrases of shops in short texts, all tables at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from gotgan.domains.shops.reading.words import TABLES, WHOLE

__all__ = ["LONGEST", "spoken"]

LONGEST: Final = 60
"""A longer text tells a story, and no state of a thing."""
_KEY: Final = 2
"""By how many letters the phrases are sorted: most texts begin with none of these."""
_NUMBER: Final = re.compile(r"\d[\d.,]*")
_LABEL: Final = re.compile(r"[^\W\d][^\W\d ]{3,13} ?[:\uff1a]\s*")
_AROUND: Final = " \t\n\r.,!?*:;-–—•·✓✔✅❌×()[]\"'\u2019»«>+|"


def spoken(texts: list[str]) -> dict[str, list[int]]:
    """Which texts say something that stands in each table."""
    found: dict[str, list[int]] = {name: [] for name in TABLES}
    for index, text in enumerate(texts):
        if len(text) < LONGEST:
            for name in _said(text):
                found[name].append(index)
    return found


@lru_cache(maxsize=16_384)
def _said(text: str) -> tuple[str, ...]:
    """The tables that a text is in; kept, because the pages of a shop repeat themselves."""
    plain = _NUMBER.sub(_number, text.lower()).strip(_AROUND)
    label = _LABEL.match(plain)
    rest = plain[label.end() :] if label else plain
    return tuple(dict.fromkeys((*_in_tables(plain), *_in_tables(rest))))


def _number(found: re.Match[str]) -> str:
    return "#" if found[0].strip("0.,") else "0"


def _in_tables(text: str) -> Iterator[str]:
    for name, pattern in _sorted().get(text[:_KEY], ()):
        if pattern.match(text):
            yield name


@lru_cache(maxsize=1)
def _sorted() -> Mapping[str, list[tuple[str, re.Pattern[str]]]]:
    """For each beginning the tables that know it, with what can follow."""
    found: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
    for name, phrases in TABLES.items():
        by_key: dict[str, list[str]] = defaultdict(list)
        for phrase in phrases:
            by_key[phrase[:_KEY]].append(_pattern(phrase))
        for key, patterns in by_key.items():
            found[key].append((name, re.compile("|".join(patterns))))
    return found


def _pattern(phrase: str) -> str:
    """What begins with a phrase; or is nothing but it, where more would mean something else."""
    if phrase.endswith(WHOLE):
        return re.escape(phrase.removesuffix(WHOLE)) + r"\W*\Z"
    return re.escape(phrase) + ("" if _is_unspaced(phrase) else r"(?!\w)")


def _is_unspaced(phrase: str) -> bool:
    """Whether a phrase is of a language that writes its words together."""
    return phrase.rstrip("#0 ")[-1:] >= "\u3040"
