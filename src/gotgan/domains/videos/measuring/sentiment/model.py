"""What was learnt by ``scripts/train_sentiment.py``, read at first use and never changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gotgan.domains.videos.measuring.sentiment.grams import BUCKETS, Floats, Grams

__all__ = ["DECISIONS", "PLAIN_BUCKETS", "WEIGHTS", "Head", "Model", "SoftmaxClassifier", "model"]

WEIGHTS: Final = "weights_ko.bin"
DECISIONS: Final = "decisions.json"
PLAIN_BUCKETS: Final = BUCKETS // 8
"""Whether a comment is plain takes fewer buckets than which way it leans."""


@dataclass(frozen=True)
class Head:
    """One question that the characters of a comment answer, as the logarithm of its odds."""

    weights: npt.NDArray[np.float32]
    bias: float

    def __call__(self, grams: Grams) -> Floats:
        """The answer of each comment."""
        return np.asarray(grams.sums(self.weights) + self.bias)


@dataclass(frozen=True)
class SoftmaxClassifier:
    """What each thing that is known of a comment says for positive, neutral and negative."""

    names: tuple[str, ...]
    weights: Floats

    def __call__(self, known: Floats) -> Floats:
        """How likely each of the three is, a comment a row."""
        odds = known @ self.weights
        odds = np.exp(odds - odds.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Model:
    """All that was learnt."""

    leaning: Head
    plainness: Head
    korean: SoftmaxClassifier
    english: SoftmaxClassifier


@cache
def model() -> Model:
    """The model that is shipped."""
    folder = files(__package__)
    table = np.frombuffer(folder.joinpath(WEIGHTS).read_bytes(), np.int8)
    said = json.loads(folder.joinpath(DECISIONS).read_text(encoding="utf-8"))
    leaning, plainness = table[:BUCKETS], table[BUCKETS:]
    return Model(
        leaning=_head(leaning, said["leaning"]),
        plainness=_head(plainness, said["plainness"]),
        korean=_decision(said["korean"]),
        english=_decision(said["english"]),
    )


def _head(table: npt.NDArray[np.int8], said: Mapping[str, Any]) -> Head:
    return Head(table.astype(np.float32) * np.float32(said["scale"]), said["bias"])


def _decision(said: Mapping[str, list[float]]) -> SoftmaxClassifier:
    return SoftmaxClassifier(tuple(said), np.array(list(said.values())))
