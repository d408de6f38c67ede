"""Nouns by a morphological analyser, which is an extra."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from gotgan.domains.videos.metrics import morphemes
from gotgan.domains.videos.metrics.sentiment import SCORE_VERSION
from tests.house.repository import ROOT
from tests.programs import Unavailable, python_package

_PARSED = [
    ("배터리", "NNG", 0),
    ("수명", "NNG", 3),
    ("이", "JKS", 5),
    ("정말", "MAG", 7),
    ("최고", "NNG", 10),
    ("개", "NNB", 13),
    ("맛", "NNG", 15),
]
"""배터리수명이 정말 최고 개 맛, in the way of kiwipiepy."""


def test_nouns_are_kept_but_no_units_and_no_words_below_any_video() -> None:
    assert [form for form, _, _ in morphemes.nouns_among(iter(_PARSED))] == ["배터리", "수명", "맛"]


def test_nouns_side_by_side_are_a_pair() -> None:
    nouns = list(morphemes.nouns_among(iter(_PARSED)))
    assert morphemes.noun_pairs(nouns) == {("배터리", "수명")}


def test_figures_by_an_analyser_have_a_version_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(morphemes, "is_installed", lambda: True)
    assert morphemes.score_version() == f"{SCORE_VERSION}k"
    monkeypatch.setattr(morphemes, "is_installed", lambda: False)
    assert morphemes.score_version() == SCORE_VERSION


_PROGRAM = """
import sys
sys.path.append(sys.argv[1])
from gotgan.domains.videos.metrics import keywords
from tests.unit.domains.videos.metrics.comments import said
places = keywords.locate_keywords(said(*sys.argv[2:]))
print(sorted(places["배우"]))
"""


def test_the_analyser_tells_a_noun_from_a_verb() -> None:
    """In a process of its own: all figures of a process that has the analyser are by it."""
    try:
        home = python_package("kiwipiepy==0.24.1", "tqdm").parents[1]  # it asks for tqdm
    except Unavailable as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))
    (packages,) = home.glob("lib/python*/site-packages")
    comments = (
        *("배우가 연기를 잘해요", "연기를 배우고 싶어요"),
        *("배우 연기력", "그 배우의 연기", "배우"),
    )
    command = [sys.executable, "-c", _PROGRAM, str(packages), *comments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("[0, 2, 3, 4]\n", 0), done.stderr
