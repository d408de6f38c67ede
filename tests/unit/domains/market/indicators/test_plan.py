from __future__ import annotations

from dataclasses import replace

import pytest

from gotgan.domains.market.indicators.formulas import IndicatorState
from gotgan.domains.market.indicators.inputs import IndicatorInputs, IndicatorPlan, plan_indicators
from tests.unit.domains.market.indicators.shares import DAYS

BEFORE, PREVIOUS, TODAY, LATER = DAYS[10:14]
NOTHING = IndicatorInputs(TODAY, {}, frozenset(), frozenset(), frozenset(), {})
TRADED = replace(NOTHING, closes={"A": 100})
HALTED = replace(NOTHING, untraded=frozenset("A"))
ROW = {"with_row": frozenset("A")}
FACTOR = {"with_factor": frozenset("A")}

ADVANCED = IndicatorPlan(("A",), (), (), 0)
CARRIED = IndicatorPlan((), ("A",), (), 0)
ANEW = IndicatorPlan((), (), ("A",), 0)
SETTLED = IndicatorPlan((), (), (), 1)
AT_REST = IndicatorPlan((), (), (), 0)


def _at(board: IndicatorInputs, through: object, **more: frozenset[str]) -> IndicatorPlan:
    states = {} if through is None else {"A": IndicatorState("A", through, b"")}  # type: ignore[arg-type]
    return plan_indicators(replace(board, states=states, **more), PREVIOUS)  # type: ignore[arg-type]


def test_a_share_goes_on_from_the_session_before() -> None:
    assert _at(TRADED, PREVIOUS) == ADVANCED
    assert _at(TRADED, PREVIOUS, **ROW) == ADVANCED


def test_a_halted_share_is_carried_over() -> None:
    assert _at(HALTED, PREVIOUS) == CARRIED


@pytest.mark.parametrize("board", [TRADED, HALTED], ids=["traded", "halted"])
def test_a_share_is_worked_through_anew_without_a_state_after_a_hole_or_with_a_factor(
    board: IndicatorInputs,
) -> None:
    assert _at(board, None) == ANEW
    assert _at(board, BEFORE) == ANEW
    assert _at(board, PREVIOUS, **FACTOR) == ANEW


@pytest.mark.parametrize("through", [TODAY, LATER])
def test_what_was_taken_into_account_stays_as_it_is(through: object) -> None:
    assert _at(TRADED, through, **ROW) == SETTLED
    assert _at(TRADED, through, **ROW, **FACTOR) == SETTLED
    assert _at(HALTED, through) == AT_REST


@pytest.mark.parametrize("through", [TODAY, LATER])
def test_the_first_few_closes_of_a_share_have_no_row_and_are_settled_too(through: object) -> None:
    assert _at(TRADED, through) == AT_REST


@pytest.mark.parametrize("through", [None, BEFORE, PREVIOUS, TODAY, LATER])
@pytest.mark.parametrize("board", [HALTED, NOTHING], ids=["halted", "gone"])
def test_a_row_without_a_close_is_worked_off(board: IndicatorInputs, through: object) -> None:
    assert _at(board, through, **ROW) == ANEW


def test_a_share_that_the_day_does_not_know_is_left_alone() -> None:
    assert _at(NOTHING, PREVIOUS) == AT_REST
