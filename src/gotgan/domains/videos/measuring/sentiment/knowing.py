"""What is known of comments before anything is decided: one row of numbers for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from gotgan.domains.videos.measuring.sentiment.cues import ENGLISH, SHARED, counts_of, korean_cues
from gotgan.domains.videos.measuring.sentiment.english import weighed
from gotgan.domains.videos.measuring.sentiment.grams import Floats, folded

__all__ = ["english_knowledge", "english_names", "korean_knowledge", "korean_names"]

_FARTHEST: Final = 4.0
"""Beyond this, being surer changes nothing."""
_LONG: Final = 4.0


def korean_names() -> tuple[str, ...]:
    """What ``korean_knowledge`` knows, in the order of its columns."""
    return ("bright", "dark", "plain", *SHARED, *korean_cues(), "length", "always")


def english_names() -> tuple[str, ...]:
    """What ``english_knowledge`` knows, in the order of its columns."""
    return ("praise", "blame", "praise alone", "blame alone", *SHARED, *ENGLISH, "length", "always")


def korean_knowledge(lines: str, leaning: Floats, plainness: Floats) -> Floats:
    """What is known of folded Korean comments, by ``korean_names``."""
    return np.column_stack(
        [
            np.clip(leaning, 0, _FARTHEST),
            np.clip(-leaning, 0, _FARTHEST),
            np.clip(plainness, -_FARTHEST, _FARTHEST),
            counts_of(lines, SHARED),
            counts_of(lines, korean_cues()),
            *_ends(lines),
        ]
    )


def english_knowledge(texts: Sequence[str]) -> Floats:
    """What is known of comments in English or anything else, by ``english_names``."""
    lines = folded(texts)
    praise, blame = np.array([weighed(line) for line in lines.split("\n")]).T
    return np.column_stack(
        [
            np.minimum(praise, _FARTHEST),
            np.minimum(blame, _FARTHEST),
            (praise > 0) & (blame == 0),
            (blame > 0) & (praise == 0),
            counts_of(lines, SHARED),
            counts_of(lines, ENGLISH),
            *_ends(lines),
        ]
    )


def _ends(lines: str) -> tuple[Floats, Floats]:
    """How long each line is, so that twice as long is one step more; and one for each."""
    lengths = np.array([len(line) for line in lines.split("\n")])
    return np.log1p(lengths) / _LONG, np.ones(len(lengths))
