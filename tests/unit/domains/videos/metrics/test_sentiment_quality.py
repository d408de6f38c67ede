"""How often the shipped sentiment is right, and that it is the one that the docs tell of."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from gotgan.domains.videos.metrics import sentiment
from gotgan.domains.videos.metrics.sentiment import classify, detect_language
from gotgan.domains.videos.metrics.sentiment.features import (
    english_feature_names,
    korean_feature_names,
)
from gotgan.domains.videos.metrics.sentiment.model import model

_ROOT: Final = Path(__file__).parents[5]
_SAMPLE: Final = _ROOT / "tests" / "data" / "youtube_comments_labelled.tsv"
_DOCS: Final = _ROOT / "docs" / "videos.md"
_SHIPPED: Final = ("weights_ko.bin", "decisions.json", "korean.txt", "english.txt")
_MOST: Final = 300_000


class _Labelled(NamedTuple):
    half: str
    language: str
    video: str
    label: str
    text: str


@cache
def _sample(half: str, language: str) -> list[_Labelled]:
    lines = _SAMPLE.read_text(encoding="utf-8").splitlines()[1:]
    rows = [_Labelled(*line.split("\t")) for line in lines]
    return [row for row in rows if (row.half, row.language) == (half, language)]


@pytest.mark.parametrize(("language", "least"), [("ko", 0.80), ("en", 0.72)])
def test_labels_are_right_on_comments_that_taught_nothing(language: str, least: float) -> None:
    rows = _sample("held", language)
    labels = classify([row.text for row in rows])
    right = sum(row.label == label for row, label in zip(rows, labels, strict=True))
    assert right / len(rows) >= least


@pytest.mark.parametrize(("language", "points"), [("ko", 0.05), ("en", 0.07)])
def test_shares_are_near_what_people_say(language: str, points: float) -> None:
    rows = _sample("held", language)
    found = Counter[str](classify([row.text for row in rows]))
    said = Counter(row.label for row in rows)
    assert all(abs(found[label] - said[label]) / len(rows) <= points for label in said)


def test_the_languages_of_the_sample_are_known() -> None:
    rows = [*_sample("held", "ko"), *_sample("held", "en")]
    known = [detect_language(row.text) for row in rows if any(map(str.isalpha, row.text))]
    said = [row.language for row in rows if any(map(str.isalpha, row.text))]
    right = sum(one == other for one, other in zip(known, said, strict=True))
    assert right / len(said) >= 0.98


def test_what_is_shipped_is_what_the_docs_tell_the_building_of() -> None:
    docs = _DOCS.read_text(encoding="utf-8")
    for name in _SHIPPED:
        content = files(sentiment).joinpath(name).read_bytes()
        assert f"`{hashlib.sha256(content).hexdigest()}` | {name} |" in docs
    sample = hashlib.sha256(_SAMPLE.read_bytes()).hexdigest()
    assert f"`{sample}` | {_SAMPLE.name} |" in docs


def test_what_is_shipped_is_small() -> None:
    sizes = [len(files(sentiment).joinpath(name).read_bytes()) for name in _SHIPPED]
    assert sum(sizes) <= _MOST


def test_each_weight_of_a_decision_is_for_the_column_of_its_name() -> None:
    assert model().korean.names == korean_feature_names()
    assert model().english.names == english_feature_names()
