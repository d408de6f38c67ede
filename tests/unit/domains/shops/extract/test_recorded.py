"""The reader on pages of real shops, which are not part of the project."""

from __future__ import annotations

import pytest

from bench.shops.recorded import BESIDE, Recorded, Score, price_score, status_score, type_scores

pytestmark = pytest.mark.skipif(
    not (BESIDE / "products").is_dir(), reason="the recorded pages are not here"
)


def test_prices_and_availabilities_of_real_products_are_read() -> None:
    read = [(page, page.facts) for page in Recorded.products(BESIDE, held_out=False)]
    assert price_score(read).f1 > 0.9
    assert status_score(read).f1 > 0.9


def test_real_pages_are_told_apart() -> None:
    scores = type_scores([(page, page.facts) for page in Recorded.pages(BESIDE, held_out=False)])
    floors = {"product": 0.93, "category": 0.8, "listing": 0.55, "article": 0.85, "other": 0.75}
    assert {name: score.f1 for name, score in scores.items() if score.f1 < floors[name]} == {}


def test_a_score_is_what_it_says() -> None:
    score = Score(right=6, wrong=2, missed=4)
    assert (score.precision, score.recall) == (0.75, 0.6)
    assert score.f1 == pytest.approx(2 / 3)
