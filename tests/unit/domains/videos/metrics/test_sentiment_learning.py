"""How the weights of the sentiment are learnt, on data small enough to see through."""

from __future__ import annotations

from typing import Final

import numpy as np

from gotgan.domains.videos.metrics.sentiment.model import extract_grams, fold_texts
from scripts.learning import Bags, Pairs, classes, minimised, odds

_FEW: Final = 1009
"""Buckets enough for the words of an example."""


def _bags(texts: list[str]) -> Bags:
    grams = extract_grams(fold_texts(texts))
    return Bags(grams.rows, grams.buckets.astype(np.int64) % _FEW, grams.size, _FEW)


def test_the_lowest_point_of_a_bowl_is_found() -> None:
    centre = np.array([3.0, -2.0, 0.5])
    steep = np.array([1.0, 40.0, 0.1])
    found = minimised(
        lambda at: (float((steep * (at - centre) ** 2).sum()), 2 * steep * (at - centre)),
        np.zeros(3),
        50,
    )
    assert np.allclose(found, centre, atol=1e-4)


def test_what_stands_in_good_texts_alone_weighs_for_them() -> None:
    texts = ["좋아요 영상", "좋아요 노래", "싫어요 영상", "싫어요 노래"]
    weights, bias = odds(_bags(texts), np.array([1.0, 1.0, 0.0, 0.0]), np.ones(4), 0.1, 20)
    said = _bags(["좋아요", "싫어요"]).sums(weights) + bias
    assert said[0] > 0.5
    assert said[1] < -0.5


def test_the_same_data_teaches_the_same_numbers() -> None:
    texts = ["좋아요 영상", "싫어요 노래", "그냥 봤어요"]
    aims = np.array([1.0, 0.0, 0.5])
    first, second = (odds(_bags(texts), aims, np.ones(3), 1.0, 10) for _ in range(2))
    assert first[0].tobytes() == second[0].tobytes()
    assert first[1] == second[1]


def test_pairs_tell_the_first_class_from_the_last_and_nothing_of_the_middle() -> None:
    known = np.array([[1.0, 1.0], [0.0, 1.0], [-1.0, 1.0]])
    pairs = Pairs(np.array([[5.0, 1.0], [-5.0, 1.0]]), np.array([True, False]), np.ones(2))
    weights = classes(known, np.eye(3), np.ones(3), 1.0, pairs)
    alone = classes(known, np.eye(3), np.ones(3), 1.0, None)
    assert weights[0, 0] - weights[0, 2] > alone[0, 0] - alone[0, 2]
    assert abs(weights[0, 1]) < 1e-3


def test_no_run_of_characters_reaches_into_the_next_comment() -> None:
    together = extract_grams(fold_texts(["가나다", "라마바"]))
    apart = [extract_grams(fold_texts([text])) for text in ("가나다", "라마바")]
    assert sorted(together.buckets) == sorted([*apart[0].buckets, *apart[1].buckets])
    assert np.bincount(together.rows).tolist() == [len(each.rows) for each in apart]
