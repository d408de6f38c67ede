"""The reader on pages of real shops, which are not part of the project."""

from __future__ import annotations

import json

import pytest

from bench.shops.recorded import BESIDE, Recorded, Score, price_score, status_score
from gotgan.domains.shops.extract.page_types import type_model
from scripts.train_page_types import Sample, as_json, learnt, read_samples, rotation

pytestmark = pytest.mark.skipif(
    not (BESIDE / "products").is_dir(), reason="the recorded pages are not here"
)


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return read_samples(BESIDE)


@pytest.mark.parametrize("is_bare", [False, True], ids=["whole", "without scripts"])
def test_prices_and_availabilities_of_real_products_are_read(*, is_bare: bool) -> None:
    pages = [each.bare if is_bare else each for each in Recorded.products(BESIDE)]
    read = [(page, page.facts) for page in pages]
    assert price_score(read).f1 > 0.93
    assert status_score(read).f1 > 0.92


@pytest.mark.parametrize("is_bare", [False, True], ids=["whole", "without scripts"])
def test_real_pages_of_unseen_sites_are_told_apart(samples: list[Sample], *, is_bare: bool) -> None:
    turned = rotation(samples, is_bare=is_bare)
    floors = {"product": 0.93, "category": 0.82, "listing": 0.6, "article": 0.8, "other": 0.65}
    assert {name: each.f1 for name, each in turned.whole.items() if each.f1 < floors[name]} == {}


def test_the_weights_that_are_shipped_are_those_that_are_learnt(samples: list[Sample]) -> None:
    learnt_now = json.loads(as_json(learnt(samples)))
    shipped = type_model()
    assert learnt_now["weights"].keys() == shipped.weights.keys()
    for name, row in learnt_now["weights"].items():
        assert row == pytest.approx(shipped.weights[name], abs=0.01)


def test_a_score_is_what_it_says() -> None:
    score = Score(right=6, wrong=2, missed=4)
    assert (score.precision, score.recall) == (0.75, 0.6)
    assert score.f1 == pytest.approx(2 / 3)
