"""Runs of characters, and of the letters in them, in many comments at once: each a bucket."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["BUCKETS", "Floats", "Grams", "folded", "grams_of"]

BUCKETS: Final = 7 << 15
"""As many as fit, a byte for each, into what may be shipped."""
_CHARACTERS: Final = (1, 2, 3)
_LETTERS: Final = (4, 6)
"""How long runs are. A Korean character is two or three letters: runs of these outlive typing
errors and endings."""
_END: Final = ord("\n")
_SPACE: Final = ord(" ")
_FIRST: Final = ord("가")
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
_BLANK: Final = re.compile(r"[ \t\r\f\v\x1c-\x1f\x85\u2028\u2029]+")

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.uint32]
Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Grams:
    """The buckets of a batch, and which comment each of them is from."""

    rows: Rows
    buckets: Codes
    size: int

    def sums(self, weights: npt.NDArray[np.float32]) -> Floats:
        """What each comment weighs, by the root of its length so that long ones weigh no more.

        Fewer weights than buckets are shared by neighbours.
        """
        shared = self.buckets // np.uint32(BUCKETS // len(weights))
        sums = np.bincount(self.rows, weights=weights[shared], minlength=self.size)
        counts = np.bincount(self.rows, minlength=self.size)
        return np.asarray(sums / np.sqrt(np.maximum(counts, 1)))


def folded(texts: Sequence[str]) -> str:
    """Comments one per line, in lower case, without addresses and without long repetitions."""
    joined = "\n".join([f" {text.replace(chr(_END), ' ')} " for text in texts]).lower()
    joined = _REPEATED.sub(r"\1\1", _ELSEWHERE.sub(" ", joined))
    return _BLANK.sub(" ", joined)


def grams_of(lines: str) -> Grams:
    """All runs in the lines; none reaches over the end of its line."""
    codes = np.frombuffer(lines.encode("utf-32-le", "replace"), dtype=np.uint32)
    row = np.cumsum(codes == _END)
    parts = [*_runs(codes, row, _CHARACTERS), *_runs(*_letters(codes, row), _LETTERS)]
    rows, buckets = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Grams(rows, buckets, int(row[-1]) + 1)


def _letters(codes: Codes, row: Rows) -> tuple[Codes, Rows]:
    """Korean characters taken apart into their letters, and all others as they are."""
    place = codes - np.uint32(_FIRST)
    is_korean = place < _SYLLABLES
    tail = place % _TAILS
    letters = np.zeros((len(codes), 3), np.uint32)
    letters[:, 0] = np.where(is_korean, _LEAD + place // (_VOWELS * _TAILS), codes)
    letters[:, 1] = np.where(is_korean, _VOWEL + place // _TAILS % _VOWELS, 0)
    letters[:, 2] = np.where(is_korean & (tail > 0), _TAIL + tail, 0)
    flat = letters.ravel()
    return flat[flat > 0], np.repeat(row, 3)[flat > 0]


def _runs(codes: Codes, row: Rows, lengths: Sequence[int]) -> Iterator[tuple[Rows, Codes]]:
    """The runs of each length, as which line they are from and their bucket."""
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
