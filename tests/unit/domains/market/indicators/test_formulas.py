from __future__ import annotations

import numpy as np
import pytest
import talib

from gotgan.domains.market.indicators.formulas import COLUMNS, calculate_series
from gotgan.domains.market.keys import TECHNICAL_INDICATORS
from tests.unit.domains.market.indicators.shares import walk

FIRST = {
    "rsi_14": 14,
    "macd": 33,
    "macd_signal": 33,
    "macd_histogram": 33,
    "sma_5": 4,
    "sma_20": 19,
    "sma_60": 59,
    "sma_120": 119,
    "bb_upper": 19,
    "bb_middle": 19,
    "bb_lower": 19,
}


def test_the_columns_are_those_of_the_table() -> None:
    assert [*TECHNICAL_INDICATORS.c.keys()] == ["date", "ticker", *COLUMNS]
    assert tuple(calculate_series(walk(1, 5))) == COLUMNS


@pytest.mark.parametrize("seed", range(3))
def test_every_indicator_is_that_of_ta_lib(seed: int) -> None:
    closes = walk(seed, 300)
    macd, signal, histogram = talib.MACD(closes, 12, 26, 9)
    upper, middle, lower = talib.BBANDS(closes, 20, 2, 2)
    theirs = {
        "rsi_14": talib.RSI(closes, 14),
        "macd": macd,
        "macd_signal": signal,
        "macd_histogram": histogram,
        **{f"sma_{period}": talib.SMA(closes, period) for period in (5, 20, 60, 120)},
        "bb_upper": upper,
        "bb_middle": middle,
        "bb_lower": lower,
    }
    ours = calculate_series(closes)
    for name in COLUMNS:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=0, atol=1e-9)


def test_each_indicator_begins_on_its_day() -> None:
    found = calculate_series(walk(1, 130))
    assert {name: int(np.isfinite(found[name]).argmax()) for name in COLUMNS} == FIRST
    assert all(np.isfinite(found[name][FIRST[name] :]).all() for name in COLUMNS)


@pytest.mark.parametrize("length", [0, 1, 2, 4, 14, 15, 19, 20, 25, 26, 33, 34, 59, 119])
def test_a_short_series_has_what_it_is_long_enough_for(length: int) -> None:
    found = calculate_series(walk(1, length))
    counts = {name: int(np.isfinite(found[name]).sum()) for name in COLUMNS}
    assert counts == {name: max(0, length - first) for name, first in FIRST.items()}


def test_what_never_moved_has_no_strength() -> None:
    found = calculate_series(np.full(60, 1_000.0))
    assert np.isnan(found["rsi_14"]).all()
    assert found["bb_upper"][-1] == found["bb_lower"][-1] == found["sma_5"][-1] == 1_000


def test_what_only_fell_has_a_strength_of_nothing() -> None:
    assert calculate_series(np.arange(1_060.0, 1_000.0, -1))["rsi_14"][-1] == 0


def test_strength_begins_when_something_moves_and_stays_while_it_rests() -> None:
    closes = np.concatenate((np.full(30, 1_000.0), [990.0], np.full(30, 990.0)))
    strength = calculate_series(closes)["rsi_14"]
    assert np.isnan(strength[:30]).all()
    assert (strength[30:] == 0).all()


def test_the_closes_given_stay_as_they_are() -> None:
    closes = np.full(60, 1_000.0)
    calculate_series(closes)
    assert (closes == 1_000).all()
