"""What says more than its letters do: laughter, emoji, questions, and words that settle it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
import numpy.typing as npt

from gotgan.domains.videos.measuring.sentiment.grams import Floats

__all__ = ["ENGLISH", "SHARED", "Cues", "counts_of", "korean_cues"]

Cues = Mapping[str, re.Pattern[str]]

_TOP: Final = 3
"""More of the same says no more."""
_BRIGHT: Final = (
    "❤♥💕💖💗💙💚💛💜🖤🤍🧡💓💞💘💝😍🥰😘😊😁😄😃😀🙂☺😇🤩🥳👍👏🙌"
    "🙏💪🔥✨🎉🎊💯👑🏆😎🤗😋🤤😻💐🌹🌸⭐🌟🫶👌🤟😌🍀🥹🎂🫡🐐🤝🥇"
)
_DARK: Final = "😡🤬😠👎🤮🤢💔😤😒🙄😑😞😔😟😣😖😫😩🖕🤡💩😰😨🤦😾😓😴🤥😕🙁☹"

SHARED: Final[Cues] = {
    "laughter": re.compile(
        r"ㅋㅋ|ㅎㅎ|[😂🤣😆😹💀]+|\b(?:(?:ha){2,}h?|(?:he){2,}|lo+l|lma+o+|rofl)\b"
    ),
    "bright emoji": re.compile(f"[{_BRIGHT}]"),
    "dark emoji": re.compile(f"[{_DARK}]"),
    "tears": re.compile(r"ㅠㅠ?|ㅜㅜ?|[😭😢🥲😿]+|\bt[_.]t\b"),
    "smile": re.compile(r"\^\^|\^_\^|:\)|:d\b|<3|~~?"),
    "question": re.compile(r"\?"),
    "exclamation": re.compile(r"!"),
    "time": re.compile(r"\b\d{1,2}:\d\d\b"),
    "number": re.compile(r"\d+"),
    "dots": re.compile(r"\.\.+|…"),
}
"""What is the same in every language."""

ENGLISH: Final[Cues] = {
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
"""Small words of English that lean one way, where no weighed word says more."""


@cache
def korean_cues() -> Cues:
    """Words and endings of Korean, by what they tell."""
    pieces: dict[str, list[str]] = defaultdict(list)
    text = files(__package__).joinpath("korean.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            name, *found = line.split()
            pieces[name] += [piece.replace("_", " ?") for piece in found]
    return {name: re.compile("|".join(found)) for name, found in pieces.items()}


def counts_of(lines: str, cues: Cues) -> Floats:
    """How often each line has each of the cues, a line a row and a cue a column."""
    ends = np.cumsum([len(line) + 1 for line in lines.split("\n")])
    columns = [_count(lines, ends, pattern) for pattern in cues.values()]
    return np.minimum(np.column_stack(columns), _TOP)


def _count(lines: str, ends: npt.NDArray[np.int64], pattern: re.Pattern[str]) -> Floats:
    places = np.array([match.start() for match in pattern.finditer(lines)], dtype=np.int64)
    rows = np.searchsorted(ends, places, side="right")
    return np.bincount(rows, minlength=len(ends)).astype(np.float64)
