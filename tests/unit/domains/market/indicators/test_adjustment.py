from __future__ import annotations

import numpy as np

from gotgan.domains.market.indicators.formulas import COLUMNS, adjust_prices, calculate_series
from tests.unit.domains.market.indicators.shares import DAYS, assert_alike, walk


def test_closes_before_a_split_are_divided_and_those_from_it_on_are_not() -> None:
    closes = np.array([2_650_000.0, 2_600_000.0, 53_000.0, 51_900.0])
    found = adjust_prices(DAYS[:4], closes, {DAYS[2]: 0.02})
    assert found.tolist() == [53_000, 52_000, 53_000, 51_900]


def test_the_factors_of_all_later_days_are_multiplied() -> None:
    closes = np.full(5, 1_000.0)
    found = adjust_prices(DAYS[:5], closes, {DAYS[3]: 0.5, DAYS[1]: 10.0})
    assert found.tolist() == [5_000, 500, 500, 1_000, 1_000]


def test_a_factor_counts_on_a_day_on_which_the_share_was_halted() -> None:
    days = [DAYS[0], DAYS[3]]
    assert adjust_prices(days, np.array([900.0, 300.0]), {DAYS[1]: 1 / 3}).tolist() == [300, 300]


def test_a_factor_after_the_last_close_moves_all_of_them() -> None:
    assert adjust_prices(DAYS[:2], np.array([10.0, 20.0]), {DAYS[7]: 0.5}).tolist() == [5, 10]


def test_a_split_moves_no_strength_and_scales_all_else() -> None:
    closes = walk(3, 300) * 5
    split = np.concatenate((closes[:200], closes[200:] / 5))
    found = calculate_series(adjust_prices(DAYS[:300], split, {DAYS[200]: 0.2}))
    whole = calculate_series(closes)
    assert_alike(found["rsi_14"], whole["rsi_14"])
    for name in COLUMNS[1:]:
        assert_alike(found[name], whole[name] / 5)


def test_a_share_that_stood_still_through_a_split_has_not_moved() -> None:
    for before, after in ((2_031, 65_037), (4_956, 15_945), (564, 51_193)):
        closes = np.array([float(before)] * 20 + [float(after)] * 20)
        found = adjust_prices(DAYS[:40], closes, {DAYS[20]: after / before})
        assert set(found.tolist()) == {float(after)}
        assert np.isnan(calculate_series(found)["rsi_14"]).all()
