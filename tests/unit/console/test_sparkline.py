"""Sparklines: which way they point, where they break, and what they keep from screen readers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from gotgan.console.sparkline import HEIGHT, WIDTH, sparkline


def _path(values: Sequence[float | None]) -> str:
    found = re.search(r' d="([^"]*)"', sparkline(values))
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("values", "trend"),
    [([1, 3, 2], "up"), ([3, 1, 2], "down"), ([1, 2, 1], "flat"), ([5], "flat")],
)
def test_it_is_up_or_down_as_its_ends_are(values: list[float], trend: str) -> None:
    drawn = sparkline(values)
    assert f'class="sparkline {trend}"' in drawn
    assert 'aria-hidden="true"' in drawn


def test_the_least_value_is_at_the_bottom_and_the_greatest_at_the_top() -> None:
    assert _path([0, 10, 5]) == f"M2.0 {HEIGHT - 2}.0L{WIDTH / 2} 2.0L{WIDTH - 2}.0 {HEIGHT / 2}"


def test_a_line_breaks_where_there_is_no_value() -> None:
    assert _path([1, 2, None, 2, None]).count("M") == 2
    assert _path([1, None, 2]).count("h1") == 2


def test_values_that_do_not_differ_are_in_the_middle() -> None:
    assert _path([7, 7]) == f"M2.0 {HEIGHT / 2}L{WIDTH - 2}.0 {HEIGHT / 2}"


@pytest.mark.parametrize("values", [[], [None, None]])
def test_nothing_is_drawn_of_no_value(values: list[float | None]) -> None:
    assert sparkline(values) == ""
