"""Features of comments, one row of numbers for each: cues, and the weights of English words.

Cues say more than their letters do: laughter, emoji, questions, and words that settle it.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from gotgan.domains.videos.metrics.sentiment.model import Floats, fold_texts
from gotgan.domains.videos.metrics.words import data_lines

_MAX_SCORE: Final = 4.0
"""A higher score changes nothing."""
_LENGTH_SCALE: Final = 4.0


def korean_feature_names() -> tuple[str, ...]:
    """The columns of ``korean_features``."""
    return ("bright", "dark", "plain", *SHARED_CUES, *korean_cues(), "length", "always")


def english_feature_names() -> tuple[str, ...]:
    """The columns of ``english_features``."""
    scores = ("praise", "blame", "praise alone", "blame alone")
    return (*scores, *SHARED_CUES, *ENGLISH_CUES, "length", "always")


def korean_features(lines: str, leaning: Floats, plainness: Floats) -> Floats:
    """The features of folded Korean comments."""
    return np.column_stack(
        [
            np.clip(leaning, 0, _MAX_SCORE),
            np.clip(-leaning, 0, _MAX_SCORE),
            np.clip(plainness, -_MAX_SCORE, _MAX_SCORE),
            count_cues(lines, SHARED_CUES),
            count_cues(lines, korean_cues()),
            *_length_and_bias(lines),
        ]
    )


def english_features(texts: Sequence[str]) -> Floats:
    """The features of comments in English or any other language."""
    lines = fold_texts(texts)
    praise, blame = np.array([praise_and_blame(line) for line in lines.split("\n")]).T
    return np.column_stack(
        [
            np.minimum(praise, _MAX_SCORE),
            np.minimum(blame, _MAX_SCORE),
            (praise > 0) & (blame == 0),
            (blame > 0) & (praise == 0),
            count_cues(lines, SHARED_CUES),
            count_cues(lines, ENGLISH_CUES),
            *_length_and_bias(lines),
        ]
    )


def _length_and_bias(lines: str) -> tuple[Floats, Floats]:
    """The logarithm of the length of each line, and 1."""
    lengths = np.array([len(line) for line in lines.split("\n")])
    return np.log1p(lengths) / _LENGTH_SCALE, np.ones(len(lengths))


Cues = Mapping[str, re.Pattern[str]]

_MAX_COUNT: Final = 3
"""More of the same cue does not count."""
_POSITIVE_EMOJI: Final = (
    "❤♥💕💖💗💙💚💛💜🖤🤍🧡💓💞💘💝😍🥰😘😊😁😄😃😀🙂☺😇🤩🥳👍👏🙌"
    "🙏💪🔥✨🎉🎊💯👑🏆😎🤗😋🤤😻💐🌹🌸⭐🌟🫶👌🤟😌🍀🥹🎂🫡🐐🤝🥇"
)
_NEGATIVE_EMOJI: Final = "😡🤬😠👎🤮🤢💔😤😒🙄😑😞😔😟😣😖😫😩🖕🤡💩😰😨🤦😾😓😴🤥😕🙁☹"

SHARED_CUES: Final[Cues] = {
    "laughter": re.compile(
        r"ㅋㅋ|ㅎㅎ|[😂🤣😆😹💀]+|\b(?:(?:ha){2,}h?|(?:he){2,}|lo+l|lma+o+|rofl)\b"
    ),
    "bright emoji": re.compile(f"[{_POSITIVE_EMOJI}]"),
    "dark emoji": re.compile(f"[{_NEGATIVE_EMOJI}]"),
    "tears": re.compile(r"ㅠㅠ?|ㅜㅜ?|[😭😢🥲😿]+|\bt[_.]t\b"),
    "smile": re.compile(r"\^\^|\^_\^|:\)|:d\b|<3|~~?"),
    "question": re.compile(r"\?"),
    "exclamation": re.compile(r"!"),
    "time": re.compile(r"\b\d{1,2}:\d\d\b"),
    "number": re.compile(r"\d+"),
    "dots": re.compile(r"\.\.+|…"),
}
"""Cues in every language."""

ENGLISH_CUES: Final[Cues] = {
    "denial": re.compile(r"\b(?:no|not|never|nobody|none|nothing|without|cannot|\w+n'?t)\b"),
    "you": re.compile(r"\b(?:you|your|you're|ur|u)\b"),
    "they": re.compile(r"\b(?:they|them|their|these|those|people|government|company|companies)\b"),
    "me": re.compile(r"\b(?:i|i'm|i've|im|me|my|we|our)\b"),
    "money": re.compile(r"\b(?:pay|paid|paying|buy|bought|money|bucks|dollars|tax|taxes)\b|\$"),
    "asking": re.compile(
        r"^ ?(?:what|when|where|who|which|how|why|does|do|did|is|are|can|could|will|would|any)\b"
        r"|\b(?:anyone|anybody|someone|somebody|link|source)\b",
        re.MULTILINE,
    ),
    "another": re.compile(r"\b(?:another|again|anymore|still|always|just|only|even)\b"),
    "fan": re.compile(
        r"\b(?:this (?:song|man|guy|girl|channel|woman|kid)|every (?:time|day|night))\b"
    ),
}
"""Small words of English that lean one way."""


@cache
def korean_cues() -> Cues:
    """Words and endings of Korean."""
    pieces: dict[str, list[str]] = defaultdict(list)
    for name, *found in data_lines(__package__, "korean.txt"):
        pieces[name] += [piece.replace("_", " ?") for piece in found]
    return {name: re.compile("|".join(found)) for name, found in pieces.items()}


def count_cues(lines: str, cues: Cues) -> Floats:
    """How often each line (row) has each of the cues (columns)."""
    ends = np.cumsum([len(line) + 1 for line in lines.split("\n")])
    columns = [_count(lines, ends, pattern) for pattern in cues.values()]
    return np.minimum(np.column_stack(columns), _MAX_COUNT)


def _count(lines: str, ends: npt.NDArray[np.int64], pattern: re.Pattern[str]) -> Floats:
    places = np.array([match.start() for match in pattern.finditer(lines)], dtype=np.int64)
    rows = np.searchsorted(ends, places, side="right")
    return np.bincount(rows, minlength=len(ends)).astype(np.float64)


_WORD: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+/10+")
_CONTEXT_WORDS: Final = 3
"""How many words before a word can negate it or make it stronger."""
_NEGATION_FACTOR: Final = -0.6
"""The factor of a "not": good is more than not bad."""
_CONTRAST_WORDS: Final = frozenset(("but", "however", "although", "unfortunately"))
_BEFORE_CONTRAST_FACTOR: Final = 0.5
"""The factor of a word that a "but" follows."""


@dataclass(frozen=True)
class Lexicon:
    """The weights of words and phrases, and the factors of words before them."""

    weights: dict[str, float] = field(default_factory=dict)
    factors: dict[str, float] = field(default_factory=dict)
    openings: dict[str, int] = field(default_factory=dict)
    """The number of words of the longest phrase that begins with a word."""


@cache
def lexicon() -> Lexicon:
    """The lexicon of ``english.txt``."""
    found = Lexicon()
    for kind, *words in data_lines(__package__, "english.txt"):
        if kind == "not" or kind.startswith("x"):
            factor = _NEGATION_FACTOR if kind == "not" else float(kind[1:])
            found.factors.update(dict.fromkeys(words, factor))
            continue
        for parts in (word.split("_") for word in words):
            found.weights[" ".join(parts)] = float(kind)
            found.openings[parts[0]] = max(found.openings.get(parts[0], 1), len(parts))
    return found


def praise_and_blame(line: str) -> tuple[float, float]:
    """The praise and the blame in a folded comment, both from zero up."""
    words = _WORD.findall(line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    turn = _contrast_place(words)
    praise = blame = 0.0
    place = 0
    while place < len(words):
        length, weight = _longest_phrase(words, place)
        if weight:
            weight *= _context_factor(words, place)
            weight *= _BEFORE_CONTRAST_FACTOR if place < turn else 1.0
            praise += max(weight, 0.0)
            blame += max(-weight, 0.0)
        place += length
    return praise, blame


def _contrast_place(words: list[str]) -> int:
    """The place of the first "but" or the like."""
    return next((place for place, word in enumerate(words) if place and word in _CONTRAST_WORDS), 0)


def _longest_phrase(words: list[str], place: int) -> tuple[int, float]:
    """The number of words and the weight of the longest phrase that begins here."""
    known = lexicon()
    for length in range(known.openings.get(words[place], 0), 0, -1):
        weight = known.weights.get(" ".join(words[place : place + length]))
        if weight is not None:
            return length, weight
    return 1, 0.0


def _context_factor(words: list[str], place: int) -> float:
    """The product of the factors of the words before a word."""
    before, factors = words[max(0, place - _CONTEXT_WORDS) : place], lexicon().factors
    return math.prod(factors.get(word, 1.0) for word in before)
