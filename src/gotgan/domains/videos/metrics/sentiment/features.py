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
from gotgan.domains.videos.metrics.sentiment.model import Codes, Floats, fold_texts
from gotgan.domains.videos.metrics.words import data_lines

_MAX_SCORE: Final = 4.0
"""A higher score changes nothing."""
_LENGTH_SCALE: Final = 4.0
_SENTENCE_END: Final = " . "
"""Stands for the end of a line, where writers leave out the mark."""


_HEADS: Final = ("bright", "dark", "plain")
"""What the n-grams of a comment say: praise, blame, and how much it says neither."""


def feature_names(language: str) -> tuple[str, ...]:
    """The columns of ``feature_rows``."""
    own = tuple(korean_cues()) if language == "ko" else (*OPINIONS, *WORD_CUES)
    return (*_HEADS, *SHARED_CUES, *own, "length", "always")


def fold(texts: Sequence[str], language: str) -> str:
    """Folded comments; in English, the end of a line ends a sentence."""
    is_korean = language == "ko"
    return fold_texts(texts if is_korean else [each.replace("\n", _SENTENCE_END) for each in texts])


def feature_rows(
    lines: str, language: str, scores: tuple[Floats, Floats], title: str = ""
) -> Floats:
    """The features of folded comments, with the scores of both heads, below a video with a title.

    All languages but Korean are read as English.
    """
    leaning, plainness = scores
    return np.column_stack(
        [
            np.clip(leaning, 0, _MAX_SCORE),
            np.clip(-leaning, 0, _MAX_SCORE),
            np.clip(plainness, -_MAX_SCORE, _MAX_SCORE),
            count_cues(lines, SHARED_CUES),
            count_cues(lines, korean_cues())
            if language == "ko"
            else read_comments(lines.split("\n"), title_words(title)),
            *_length_and_bias(lines),
        ]
    )


def _length_and_bias(lines: str) -> tuple[Floats, Floats]:
    """The logarithm of the length of each line, and 1."""
    lengths = np.array([len(line) for line in lines.split("\n")])
    return np.log1p(lengths) / _LENGTH_SCALE, np.ones(len(lengths))


Cues = Mapping[str, re.Pattern[str] | str]
"""How each cue is found: by a pattern, or as any one of some characters."""

_MAX_COUNT: Final = 3
"""More of the same cue does not count."""
_POSITIVE_EMOJI: Final = (
    "❤♥💕💖💗💙💚💛💜🖤🤍🧡💓💞💘💝😍🥰😘😊😁😄😃😀🙂☺😇🤩🥳👍👏🙌"
    "🙏💪🔥✨🎉🎊💯👑🏆😎🤗😋🤤😻💐🌹🌸⭐🌟🫶👌🤟😌🍀🥹🎂🫡🐐🤝🥇"
)
_NEGATIVE_EMOJI: Final = "😡🤬😠👎🤮🤢💔😤😒🙄😑😞😔😟😣😖😫😩🖕🤡💩😰😨🤦😾😓😴🤥😕🙁☹"

SHARED_CUES: Final[Cues] = {
    "laughter": re.compile(
        r"[ㅋㅎ😂🤣😆😹💀hlr](?:(?<=ㅋ)ㅋ|(?<=ㅎ)ㅎ|(?<=[😂🤣😆😹💀])[😂🤣😆😹💀]*"
        r"|(?<=h)(?<!\wh)(?:a(?:ha)+h?|e(?:he)+)\b|(?<=l)(?<!\wl)(?:o+l|ma+o+)\b|(?<=r)(?<!\wr)ofl\b)"
    ),
    "bright emoji": _POSITIVE_EMOJI,
    "dark emoji": _NEGATIVE_EMOJI,
    "tears": re.compile(
        r"[ㅠㅜ😭😢🥲😿t](?:(?<=ㅠ)ㅠ?|(?<=ㅜ)ㅜ?|(?<=[😭😢🥲😿])[😭😢🥲😿]*|(?<=t)(?<!\wt)[_.]t\b)"
    ),
    "smile": re.compile(r"\^\^|\^_\^|:\)|:d\b|<3|~~?"),
    "question": "?",
    "exclamation": "!",
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
    codes = np.frombuffer(lines.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    rows = np.cumsum(codes == _LINE_END)
    size = lines.count("\n") + 1
    ends = np.append(np.flatnonzero(codes == _LINE_END), len(codes))
    columns = [
        np.bincount(rows[_is_any(codes, cue)], minlength=size)
        if isinstance(cue, str)
        else _count(lines, ends, cue)
        for cue in cues.values()
    ]
    return np.minimum(np.column_stack(columns), _MAX_COUNT).astype(np.float64)


_LINE_END: Final = ord("\n")
_LAST_CODE: Final = 0x1FFFF
"""All characters after this one count as it."""


def _is_any(codes: Codes, characters: str) -> npt.NDArray[np.bool_]:
    """Which codes are one of some characters."""
    if len(characters) == 1:
        return np.asarray(codes == ord(characters))
    return np.asarray(_code_table(characters)[np.minimum(codes, _LAST_CODE)])


@cache
def _code_table(characters: str) -> npt.NDArray[np.bool_]:
    table = np.zeros(_LAST_CODE + 1, np.bool_)
    table[[ord(each) for each in characters]] = True
    return table


def _count(lines: str, ends: npt.NDArray[np.int64], pattern: re.Pattern[str]) -> Floats:
    places = np.array([match.start() for match in pattern.finditer(lines)], dtype=np.int64)
    rows = np.searchsorted(ends, places)
    return np.bincount(rows, minlength=len(ends)).astype(np.float64)
