"""The models that ``scripts/train_sentiment.py`` has learnt: hashed n-grams and classifiers.

N-grams of characters, and of the letters in them, are hashed into buckets for many comments at
once. The files of a model are read at first use.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
import numpy.typing as npt

BUCKETS: Final = 7 << 15
"""Each takes a byte of the package; a head may have fewer, which neighbours share."""
_CHARACTER_RUNS: Final = (1, 2, 3)
_LETTER_RUNS: Final = (4, 6)
"""The lengths of n-grams. A Korean character is two or three letters, and n-grams of letters
survive typing errors and endings."""
_END: Final = ord("\n")
_SPACE: Final = ord(" ")
_FIRST_SYLLABLE: Final = ord("가")
_SYLLABLES: Final = 11172
_VOWELS: Final = 21
_TAILS: Final = 28
_LEAD, _VOWEL, _TAIL = 0x1100, 0x1161, 0x11A7
_SPREAD: Final = np.uint32(0x9E3779B1)
_STEP: Final = np.uint32(0x01000193)
_MIX: Final = np.uint32(0x85EBCA6B)
_SALT: Final = 0x27D4EB2F
_ELSEWHERE: Final = re.compile(r"https?://\S+|@[\w.-]+")
_REPEATED: Final = re.compile(r"([^0-9\n])\1{2,}")
_BLANK: Final = re.compile(
    r"[\t\r\f\v\x1c-\x1f\x85\u2028\u2029][ \t\r\f\v\x1c-\x1f\x85\u2028\u2029]*"
    r"| [ \t\r\f\v\x1c-\x1f\x85\u2028\u2029]+"
)
"""All but one space alone, which most are."""

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint32]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Grams:
    """The buckets of a batch, and the comment that each of them is from."""

    rows: Rows
    buckets: Codes
    size: int

    def sums(self, weights: npt.NDArray[np.float32]) -> Floats:
        """The sum of weights of each comment by the root of its length.

        If there are fewer weights than buckets, neighbours share them.
        """
        shared = self.buckets // np.uint32(BUCKETS // len(weights))
        sums = np.bincount(self.rows, weights=weights[shared], minlength=self.size)
        counts = np.bincount(self.rows, minlength=self.size)
        return np.asarray(sums / np.sqrt(np.maximum(counts, 1)))


def fold_texts(texts: Sequence[str]) -> str:
    """Comments one per line, in lower case, without addresses and without long repetitions."""
    joined = "\n".join([f" {text.replace(chr(_END), ' ')} " for text in texts]).lower()
    joined = _REPEATED.sub(r"\1\1", _ELSEWHERE.sub(" ", joined))
    return _BLANK.sub(" ", joined)


def extract_grams(lines: str) -> Grams:
    """All n-grams in the lines; none crosses the end of its line."""
    codes = np.frombuffer(lines.encode("utf-32-le", "replace"), dtype=np.uint32)
    row = np.cumsum(codes == _END)
    parts = [*_runs(codes, row, _CHARACTER_RUNS), *_runs(*_letters(codes, row), _LETTER_RUNS)]
    rows, buckets = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Grams(rows, buckets, int(row[-1]) + 1)


def _letters(codes: Codes, row: Rows) -> tuple[Codes, Rows]:
    """Korean characters decomposed into their letters, and all others as they are."""
    place = codes - np.uint32(_FIRST_SYLLABLE)
    is_korean = place < _SYLLABLES
    tail = place % _TAILS
    letters = np.zeros((len(codes), 3), np.uint32)
    letters[:, 0] = np.where(is_korean, _LEAD + place // (_VOWELS * _TAILS), codes)
    letters[:, 1] = np.where(is_korean, _VOWEL + place // _TAILS % _VOWELS, 0)
    letters[:, 2] = np.where(is_korean & (tail > 0), _TAIL + tail, 0)
    flat = letters.ravel()
    return flat[flat > 0], np.repeat(row, 3)[flat > 0]


def _runs(codes: Codes, row: Rows, lengths: Sequence[int]) -> Iterator[tuple[Rows, Codes]]:
    """The n-grams of each length, as their line and their bucket."""
    hashes: Codes = np.zeros(len(codes), np.uint32)
    for length in range(1, min(max(lengths), len(codes)) + 1):
        starts = len(codes) - length + 1
        hashes = (hashes[:starts] ^ (codes[length - 1 :] * _SPREAD)) * _STEP
        hashes ^= hashes >> np.uint32(15)
        if length in lengths:
            inside = (row[:starts] == row[length - 1 :]) & (codes[:starts] != _END)
            if length == 1:
                inside &= codes != _SPACE
            yield row[:starts][inside], _bucket(hashes[inside], length)


def _bucket(hashes: Codes, length: int) -> Codes:
    salt = np.uint32(_SALT * length & 0xFFFFFFFF)
    spread = (hashes * _MIX + salt).astype(np.uint64) * np.uint64(BUCKETS)
    return (spread >> np.uint64(32)).astype(np.uint32)


DECISIONS_FILE: Final = "decisions.json"
LANGUAGES: Final = ("ko", "en")


def weights_file(language: str) -> str:
    """The file with the weights of both heads of a language, a byte for each bucket."""
    return f"weights_{language}.bin"


@dataclass(frozen=True)
class Head:
    """A linear model of n-grams; its score is the logarithm of odds."""

    weights: npt.NDArray[np.float32]
    bias: float

    def __call__(self, grams: Grams) -> Floats:
        """The score of each comment."""
        return np.asarray(grams.sums(self.weights) + self.bias)


@dataclass(frozen=True)
class SoftmaxClassifier:
    """The weights of each feature for positive, neutral and negative."""

    names: tuple[str, ...]
    weights: Floats

    def __call__(self, known: Floats) -> Floats:
        """The probability of each of the three, a comment a row."""
        odds = known @ self.weights
        odds = np.exp(odds - odds.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class LanguageModel:
    """Two heads, whose scores are features, and the classifier of all features."""

    leaning: Head
    plainness: Head
    classifier: SoftmaxClassifier

    def scores(self, lines: str) -> tuple[Floats, Floats]:
        """The scores of both heads for folded comments."""
        grams = extract_grams(lines)
        return self.leaning(grams), self.plainness(grams)


@cache
def model(language: str) -> LanguageModel:
    """The model of a language in the package."""
    folder = files(__package__)
    table = np.frombuffer(folder.joinpath(weights_file(language)).read_bytes(), np.int8)
    decisions = json.loads(folder.joinpath(DECISIONS_FILE).read_text(encoding="utf-8"))
    learnt = decisions[language]
    leaning, plainness, features = learnt["leaning"], learnt["plainness"], learnt["features"]
    size = leaning["buckets"]
    return LanguageModel(
        leaning=_head(table[:size], leaning),
        plainness=_head(table[size:], plainness),
        classifier=SoftmaxClassifier(tuple(features), np.array(list(features.values()))),
    )


def _head(table: npt.NDArray[np.int8], learnt: Mapping[str, Any]) -> Head:
    return Head(table.astype(np.float32) * np.float32(learnt["scale"]), learnt["bias"])
