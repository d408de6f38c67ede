from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.market.indicators.formulas import (
    COLUMNS,
    Floats,
    Indicators,
    SeriesStates,
    advance,
    calculate_series,
    calculate_states,
    pack,
    unpack,
)
from tests.unit.domains.market.indicators.shares import assert_alike, walk

few = settings(deadline=None, max_examples=40)


@st.composite
def series(draw: st.DrawFn) -> Floats:
    """Closes of a share: falling, resting, jumping, with fractions where they were adjusted."""
    length = draw(st.integers(1, 320))
    made = np.random.default_rng(draw(st.integers(0, 2**32)))
    swing = draw(st.sampled_from([0.0, 0.001, 0.02, 0.3]))
    rest = draw(st.sampled_from([0.0, 0.5, 0.97]))
    start = draw(st.sampled_from([1.0, 97.0, 5_000.0, 1_234_000.0]))
    steps = np.clip(made.normal(0, swing, length), -0.3, 0.3) * (made.random(length) >= rest)
    walked = np.maximum(start * np.exp(np.cumsum(steps) - steps.sum() * 0.5), 1e-3)
    closes: Floats = np.rint(walked) if draw(st.booleans()) else walked
    return closes


def _day_by_day(closes: Floats, states: SeriesStates) -> Indicators:
    days = []
    for close in closes:
        found, states = advance(states, np.array([close]))
        days.append(found)
    return {name: np.array([day[name][0] for day in days], dtype=float) for name in COLUMNS}


def _scale(name: str, closes: Floats) -> float:
    """The strength has its own; all others are as large as what they are made from."""
    return 1.0 if name == "rsi_14" else max(1.0, float(closes.max()))


@few
@given(series())
def test_day_by_day_is_what_the_whole_series_gives(closes: Floats) -> None:
    found, full = _day_by_day(closes, SeriesStates.new(1)), calculate_series(closes)
    for name in COLUMNS:
        assert_alike(found[name], full[name], _scale(name, closes))


@few
@given(series(), st.data())
def test_it_does_not_matter_where_the_whole_ends_and_the_days_begin(
    closes: Floats, data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(closes)))
    states = unpack(pack(calculate_states([closes[:cut]])))
    found, full = _day_by_day(closes[cut:], states), calculate_series(closes)
    for name in COLUMNS:
        assert_alike(found[name], full[name][cut:], _scale(name, closes))


def test_many_series_of_all_lengths_go_on_together() -> None:
    lengths = [0, 300, 3, 13, 14, 15, 25, 26, 33, 34, 119, 120, 121, 200]
    given_series = [walk(seed, length + 1) for seed, length in enumerate(lengths)]
    states = calculate_states([closes[:-1] for closes in given_series])
    found, after = advance(states, np.array([closes[-1] for closes in given_series]))
    for at, closes in enumerate(given_series):
        full = calculate_series(closes)
        for name in COLUMNS:
            assert_alike(found[name][at : at + 1], full[name][-1:])
    assert after.count.tolist() == [length + 1 for length in lengths]


def test_hundreds_of_days_do_not_drift() -> None:
    closes = np.column_stack([walk(seed, 900) for seed in range(20)])
    states = calculate_states(list(closes[:100].T))
    full = [calculate_series(np.ascontiguousarray(each)) for each in closes.T]
    for day in range(100, 899):
        _, states = advance(states, closes[day])
    found, _ = advance(states, closes[899])
    for name in COLUMNS:
        assert_alike(found[name], np.array([each[name][-1] for each in full]))


def test_what_never_moved_has_no_strength_the_next_day_either() -> None:
    states = calculate_states([np.full(60, 1_000.0), np.full(60, 1_000.0)])
    found, _ = advance(states, np.array([1_000.0, 999.0]))
    assert np.isnan(found["rsi_14"][0])
    assert found["rsi_14"][1] == 0


def test_a_state_that_went_on_is_still_what_it_was() -> None:
    before = calculate_states([walk(1, 50)])
    packed = pack(before)
    advance(before, np.array([1_000.0]))
    assert pack(before) == packed


def test_no_series_are_no_states() -> None:
    assert pack(calculate_states([])) == []
    assert advance(unpack([]), np.array([]))[0]["macd"].tolist() == []
