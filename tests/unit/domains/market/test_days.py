"""Days, months and spans as people write them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from gotgan.domains.market.days import one_span, read_day, read_month, read_span
from gotgan.errors import UsageError


def test_days_months_and_spans_are_read() -> None:
    day = date(2025, 10, 20)
    assert read_day("2025-10-20") == day
    assert read_month("2025-10") == (2025, 10)
    assert read_span("2025-10-20..2025-10-31") == (day, date(2025, 10, 31))
    assert read_span("2025-10-20") == (day, day)
    assert read_span("2024-02") == (date(2024, 2, 1), date(2024, 2, 29))
    assert read_span("2025-09..2025-10") == (date(2025, 9, 1), date(2025, 10, 31))
    assert read_span("2025-09..2025-10-20") == (date(2025, 9, 1), day)


def test_a_span_is_given_as_a_whole_or_by_its_ends() -> None:
    first, last = read_span("2025-10")
    assert one_span((first, last), None, None) == (first, last)
    assert one_span(None, first, None) == (first, None)
    with pytest.raises(UsageError, match="not both"):
        one_span((first, last), None, last)


@pytest.mark.parametrize(
    ("read", "text", "remedy"),
    [
        (read_day, "20251020", "write it as 2025-10-20"),
        (read_day, "2025-02-30", "write it as 2025-10-20"),
        (read_day, "2025-W43-1", "write it as 2025-10-20"),
        (read_day, "\uff12\uff10\uff12\uff15-10-20", "write it as 2025-10-20"),
        (read_day, "1955-12-31", "from 1956-01-01 to 2099-12-31"),
        (read_day, "2100-01-01", "from 1956-01-01 to 2099-12-31"),
        (read_month, "2025-13", "write it as 2025-10"),
        (read_month, "2025", "write it as 2025-10"),
        (read_month, "0000-01", "write it as 2025-10"),
        (read_month, "1900-01", "from 1956-01-01 to 2099-12-31"),
        (read_span, "..2025-10-20", "Write it as 2025-10-01..2025-10-31"),
        (read_span, "2025-10-20..", "Write it as 2025-10-01..2025-10-31"),
        (read_span, "2025-13", "write it as 2025-10"),
        (read_span, "2025-10-20..soon", "write it as 2025-10-20"),
    ],
)
def test_what_cannot_be_read_is_answered_with_what_to_write(
    read: Callable[[str], Any], text: str, remedy: str
) -> None:
    with pytest.raises(UsageError, match=remedy.replace(".", r"\.")):
        read(text)
