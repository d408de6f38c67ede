"""How comments sound, without a network: positive, neutral or negative.

What it knows, where that is from and how often it is wrong stands in ``docs/videos-sentiment.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from gotgan.domains.videos.measuring.measured import Label
from gotgan.domains.videos.measuring.sentiment.grams import Floats, folded, grams_of
from gotgan.domains.videos.measuring.sentiment.knowing import english_knowledge, korean_knowledge
from gotgan.domains.videos.measuring.sentiment.languages import Language, language_of
from gotgan.domains.videos.measuring.sentiment.model import model

__all__ = ["METHOD", "SCORE_VERSION", "Language", "labels_of", "language_of", "scores_of"]

SCORE_VERSION: Final = "s2"
METHOD: Final = (
    "Counted on this machine: a small model for Korean, a list of words for English, and cues such "
    "as emoji, laughter and questions for both."
)
_LABELS: Final[tuple[Label, ...]] = ("positive", "neutral", "negative")
_BATCH: Final = 2000
"""So many comments are held as numbers at a time."""


def labels_of(texts: Sequence[str]) -> list[Label]:
    """How each comment sounds; an empty one is neutral."""
    return [_LABELS[place] for place in _odds_of(texts).argmax(axis=1).tolist()]


def scores_of(texts: Sequence[str]) -> list[float]:
    """From 1, surely positive, to -1, surely negative; the sign alone tells which way it leans."""
    odds = _odds_of(texts)
    scores: list[float] = (odds[:, 0] - odds[:, 2]).tolist()
    return scores


def _odds_of(texts: Sequence[str]) -> Floats:
    batches = [texts[place : place + _BATCH] for place in range(0, len(texts), _BATCH)]
    return np.concatenate([np.zeros((0, len(_LABELS))), *map(_odds_of_batch, batches)])


def _odds_of_batch(texts: Sequence[str]) -> Floats:
    odds = np.tile([0.0, 1.0, 0.0], (len(texts), 1))
    korean = [place for place, text in enumerate(texts) if language_of(text) == "ko"]
    others = sorted({place for place, text in enumerate(texts) if text.strip()} - set(korean))
    if korean:
        odds[korean] = _korean_odds([texts[place] for place in korean])
    if others:
        known = english_knowledge([texts[place] for place in others])
        odds[others] = model().english(known)
    return odds


def _korean_odds(texts: Sequence[str]) -> Floats:
    lines = folded(texts)
    grams = grams_of(lines)
    learnt = model()
    return learnt.korean(korean_knowledge(lines, learnt.leaning(grams), learnt.plainness(grams)))
