"""Tokens: what the index holds of a text, and what a query asks for. Pure functions.

Hangul, Han and Kana are cut into pairs of characters, because words there have no spaces between
them and change at their ends: 삼성전자 is 삼성, 성전, 전자 and its last character. Other words are
tokens as they are. Both databases get the same tokens, so they find the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

VERSION: Final = 1
"""Of the rules below; an index that was made by other rules is made again."""
MAX_TERMS: Final = 24
_MAX_TOKEN_CHARS: Final = 40
_MAX_NAME_CHARS: Final = 200
_PAIRED: Final = (
    "\u1100-\u11ff\u3005\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0002fa1f"
)
_WORD: Final = re.compile(f"[{_PAIRED}]+|[^\\W_{_PAIRED}]+")
_IS_PAIRED: Final = re.compile(f"[{_PAIRED}]")


@dataclass(frozen=True, slots=True)
class Term:
    """A token that a query asks for; of a prefix every token that begins with it."""

    token: str
    is_prefix: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What was asked for."""

    terms: tuple[Term, ...]
    """All of them must be in a document."""
    name: str
    """The whole of it, as an exact name."""
    words: tuple[str, ...]
    """The words as they were typed, to mark them in texts."""


def split_words(text: str) -> list[str]:
    """The words of a text, folded; a word of two scripts is two."""
    return _WORD.findall(normalize("NFKC", text).casefold())


def tokens(text: str) -> list[str]:
    """The tokens of a text, each once."""
    return list(dict.fromkeys(token for word in split_words(text) for token in _of_word(word)))


def fold_name(text: str) -> str:
    """A name without spaces, signs and capitals: Samsung-Electronics is samsungelectronics."""
    return "".join(split_words(text))[:_MAX_NAME_CHARS]


def parse_query(text: str) -> SearchQuery:
    """What words ask for; the last one may be only the beginning of a word."""
    found = split_words(text)
    terms = dict.fromkeys(
        term
        for number, word in enumerate(found, 1)
        for term in _terms(word, is_last=number == len(found))
    )
    return SearchQuery(tuple(terms)[:MAX_TERMS], fold_name(text), tuple(dict.fromkeys(found)))


def pairs(word: str) -> list[str]:
    """The pairs of characters of a word without spaces between words; none of another."""
    if not _IS_PAIRED.match(word):
        return []
    return [word[place : place + 2] for place in range(len(word) - 1)]


def _of_word(word: str) -> Iterator[str]:
    if _IS_PAIRED.match(word):
        yield from pairs(word)
        yield word[-1]  # so that each of its characters begins a token
    else:
        yield word[:_MAX_TOKEN_CHARS]


def _terms(word: str, *, is_last: bool) -> Iterator[Term]:
    if not _IS_PAIRED.match(word):
        yield Term(word[:_MAX_TOKEN_CHARS], is_prefix=is_last and len(word) > 1)
    elif len(word) == 1:
        yield Term(word, is_prefix=True)
    else:
        yield from map(Term, pairs(word))
