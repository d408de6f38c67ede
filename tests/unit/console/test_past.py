from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest

from gotgan.console.past_days import PastDays

TODAY = date(2025, 11, 6)
WEEK = [TODAY - timedelta(days=number) for number in reversed(range(7))]


class Counting:
    """Something that is counted, and how often that was done for each day."""

    def __init__(self) -> None:
        self.asked: list[date] = []

    def __call__(self, days: Sequence[date]) -> dict[date, int]:
        self.asked += days
        return {day: self.asked.count(day) for day in days}


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.mark.parametrize("open_days", [1, 2, 7])
def test_only_days_that_are_open_are_counted_again(counting: Counting, open_days: int) -> None:
    past = PastDays()
    past.of("a", WEEK, TODAY, counting, open_days=open_days)
    again = past.of("a", WEEK, TODAY, counting, open_days=open_days)
    assert list(again) == WEEK
    assert list(again.values()) == [1] * (7 - open_days) + [2] * open_days


def test_days_to_come_are_left_out(counting: Counting) -> None:
    assert list(PastDays().of("a", WEEK, WEEK[2], counting)) == WEEK[:3]


def test_another_date_counts_anew(counting: Counting) -> None:
    past = PastDays()
    past.of("a", WEEK, TODAY, counting)
    assert past.of("a", WEEK, TODAY + timedelta(days=1), counting)[WEEK[0]] == 2


def test_each_name_is_kept_for_itself(counting: Counting) -> None:
    past, other = PastDays(), Counting()
    past.of("a", WEEK, TODAY, counting)
    past.of("b", WEEK, TODAY, other)
    assert (len(counting.asked), len(other.asked)) == (7, 7)
