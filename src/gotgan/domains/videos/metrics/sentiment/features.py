"""Features of comments, one row of numbers for each: cues, and what was read in their words.

Cues say more than their letters do: laughter, emoji, questions, and words that settle it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from gotgan.domains.videos.metrics.sentiment.english import (
    OPINIONS,
    WORD_CUES,
    read_comments,
    title_words,
)
from gotgan.domains.videos.metrics.sentiment.model import Floats, fold_texts
from gotgan.domains.videos.metrics.words import data_lines

_MAX_SCORE: Final = 4.0
"""A higher score changes nothing."""
_LENGTH_SCALE: Final = 4.0
_SENTENCE_END: Final = " . "
"""Stands for the end of a line, where writers leave out the mark."""


def korean_feature_names() -> tuple[str, ...]:
    """The columns of ``korean_features``."""
    return ("bright", "dark", "plain", *SHARED_CUES, *korean_cues(), "length", "always")


def english_feature_names() -> tuple[str, ...]:
    """The columns of ``english_features``."""
    return (*OPINIONS, *WORD_CUES, *SHARED_CUES, "length", "always")


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


def english_features(texts: Sequence[str], title: str = "") -> Floats:
    """The features of comments in English or any other language, below a video with a title."""
    lines = fold_texts([text.replace("\n", _SENTENCE_END) for text in texts])
    return np.column_stack(
        [
            read_comments(lines.split("\n"), title_words(title)),
            count_cues(lines, SHARED_CUES),
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
