"""Days, months and spans as people write them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from gotgan.domains.market.days import DaySpan, parse_day, parse_month
from gotgan.errors import UsageError


def test_days_months_and_spans_are_read() -> None:
    day = date(2025, 10, 20)
    assert parse_day("2025-10-20") == day
    assert parse_month("2025-10") == (date(2025, 10, 1), date(2025, 10, 31))
    assert DaySpan.of("2025-10-20..2025-10-31") == DaySpan(day, date(2025, 10, 31))
    assert DaySpan.of("2025-10-20") == DaySpan(day, day)
    assert DaySpan.of("2024-02") == DaySpan(date(2024, 2, 1), date(2024, 2, 29))
    assert DaySpan.of("2025-09..2025-10") == DaySpan(date(2025, 9, 1), date(2025, 10, 31))
    assert DaySpan.of("2025-09..2025-10-20") == DaySpan(date(2025, 9, 1), day)


def test_a_span_begins_with_its_first_day() -> None:
    with pytest.raises(UsageError, match="Give the earlier day first"):
        DaySpan.of("2025-10-20..2025-10-01")


@pytest.mark.parametrize(
    ("read", "text", "remedy"),
    [
        (parse_day, "20251020", "Write it as 2025-10-20"),
        (parse_day, "2025-02-30", "Write it as 2025-10-20"),
        (parse_day, "2025-W43-1", "Write it as 2025-10-20"),
        (parse_day, "\uff12\uff10\uff12\uff15-10-20", "Write it as 2025-10-20"),
        (parse_day, "1955-12-31", "from 1956-01-01 to 2099-12-31"),
        (parse_day, "2100-01-01", "from 1956-01-01 to 2099-12-31"),
        (parse_month, "2025-13", "Write it as 2025-10"),
        (parse_month, "2025", "Write it as 2025-10"),
        (parse_month, "0000-01", "Write it as 2025-10"),
        (parse_month, "1900-01", "from 1956-01-01 to 2099-12-31"),
        (DaySpan.of, "..2025-10-20", "Write it as 2025-10-01..2025-10-31"),
        (DaySpan.of, "2025-10-20..", "Write it as 2025-10-01..2025-10-31"),
        (DaySpan.of, "2025-13", "Write it as 2025-10"),
        (DaySpan.of, "2025-10-20..soon", "Write it as 2025-10-20"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_to_write(
    read: Callable[[str], Any], text: str, remedy: str
) -> None:
    with pytest.raises(UsageError, match=remedy.replace(".", r"\.")):
        read(text)
