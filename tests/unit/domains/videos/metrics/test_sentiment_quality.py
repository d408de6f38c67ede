"""How often the shipped sentiment is right, and that it is the one that the docs tell of."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from gotgan.domains.videos.metrics import sentiment
from gotgan.domains.videos.metrics.sentiment import classify, detect_language, score
from gotgan.domains.videos.metrics.sentiment.features import feature_names
from gotgan.domains.videos.metrics.sentiment.model import LANGUAGES, model

_ROOT: Final = Path(__file__).parents[5]
_DATA: Final = _ROOT / "tests" / "data"
_SHORT: Final = _DATA / "youtube_comments_labelled.tsv"
_LONG: Final = _DATA / "youtube_comments_long_labelled.tsv"
_BY_VIDEO: Final = _DATA / "youtube_comments_by_video.tsv"
_DOCS: Final = _ROOT / "docs" / "videos.md"
_SHIPPED: Final = (
    "weights_ko.bin",
    "weights_en.bin",
    "decisions.json",
    "korean.txt",
    "english.txt",
)
_MOST: Final = 450_000


class _Labelled(NamedTuple):
    half: str
    language: str
    video: str
    label: str
    text: str


@cache
def _sample(half: str, language: str, sample: Path = _SHORT) -> list[_Labelled]:
    rows = [row for row in _rows(sample) if (row.half, row.language) == (half, language)]
    return rows if half == "open" else [row for row in rows if _plain(row.text) not in _learnt()]


def _rows(sample: Path) -> list[_Labelled]:
    lines = sample.read_text(encoding="utf-8").splitlines()[1:]
    return [_Labelled(*line.split("\t")) for line in lines]


@cache
def _learnt() -> frozenset[str]:
    """The comments of the open halves; some held ones, such as "first", are among them."""
    every = (row for sample in (_SHORT, _LONG, _BY_VIDEO) for row in _rows(sample))
    return frozenset(_plain(row.text) for row in every if row.half == "open")


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower()).strip() or text


@pytest.mark.parametrize(
    ("language", "sample", "least"),
    [
        ("ko", _SHORT, 0.80),
        ("ko", _BY_VIDEO, 0.84),
        ("en", _SHORT, 0.75),
        ("en", _BY_VIDEO, 0.82),
    ],
)
def test_labels_are_right_on_comments_that_taught_nothing(
    language: str, sample: Path, least: float
) -> None:
    rows = _sample("held", language, sample)
    right = sum(row.label == label for row, label in zip(rows, _labels(rows), strict=True))
    assert right / len(rows) >= least


def _labels(rows: list[_Labelled]) -> list[str]:
    """The labels of comments, each below the title of its video."""
    labels: dict[_Labelled, str] = {}
    for title in {row.video for row in rows}:
        below = [row for row in rows if row.video == title]
        labels.update(zip(below, classify([row.text for row in below], None, title), strict=True))
    return [labels[row] for row in rows]


@pytest.mark.parametrize(("language", "points"), [("ko", 0.08), ("en", 0.09)])
def test_the_shares_of_each_video_are_near_what_people_say(language: str, points: float) -> None:
    rows = _sample("held", language, _BY_VIDEO)
    found = dict(zip(rows, _labels(rows), strict=True))
    errors = []
    for video in {row.video for row in rows}:
        below = [row for row in rows if row.video == video]
        errors += [
            abs(
                sum(row.label == label for row in below) - sum(found[row] == label for row in below)
            )
            / len(below)
            for label in ("positive", "negative")
        ]
    assert sum(errors) / len(errors) <= points


def test_long_criticism_is_seldom_called_praise() -> None:
    rows = [*_sample("open", "en", _LONG), *_sample("held", "en", _LONG)]
    labels = classify([row.text for row in rows if row.label == "negative"])
    assert labels.count("positive") / len(labels) <= 0.33


def test_labels_of_long_comments_are_mostly_right() -> None:
    rows = _sample("held", "en", _LONG)
    labels = classify([row.text for row in rows])
    right = sum(row.label == label for row, label in zip(rows, labels, strict=True))
    assert right / len(rows) >= 0.55


_ABOUT_AS_BELOW_VIDEOS: Final = {
    "ko": {"positive": 0.58, "neutral": 0.27, "negative": 0.15},
    "en": {"positive": 0.42, "neutral": 0.29, "negative": 0.29},
}
"""How common the labels are that labels are chosen for; our sample has as many of each."""


@pytest.mark.parametrize(("language", "points"), [("ko", 0.05), ("en", 0.06)])
def test_shares_are_near_what_people_say(language: str, points: float) -> None:
    rows, usual = _sample("held", language), _ABOUT_AS_BELOW_VIDEOS[language]
    said = Counter(row.label for row in rows)
    found = dict.fromkeys(usual, 0.0)
    for row, label in zip(rows, classify([row.text for row in rows]), strict=True):
        found[label] += usual[row.label] / said[row.label]
    assert all(abs(found[label] - usual[label]) <= points for label in usual)


def test_the_score_of_a_korean_comment_does_not_lean_with_its_label() -> None:
    rows = [row for row in _sample("held", "ko") if row.label != "neutral"]
    signs = [each > 0 for each in score([row.text for row in rows])]
    right = sum(sign == (row.label == "positive") for sign, row in zip(signs, rows, strict=True))
    assert right / len(rows) >= 0.9


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
    for sample in (_SHORT, _LONG, _BY_VIDEO):
        assert f"`{hashlib.sha256(sample.read_bytes()).hexdigest()}` | {sample.name} |" in docs


def test_what_is_shipped_is_small() -> None:
    sizes = [len(files(sentiment).joinpath(name).read_bytes()) for name in _SHIPPED]
    assert sum(sizes) <= _MOST


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_weight_of_a_decision_is_for_the_column_of_its_name(language: str) -> None:
    assert model(language).classifier.names == feature_names(language)
