"""Days as people write them."""

from __future__ import annotations

from datetime import date

import pytest

from gotgan.day.written import written_day

TODAY = date(2026, 11, 19)  # a Thursday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", date(2026, 11, 19)),
        ("오늘", date(2026, 11, 19)),
        (" Yesterday ", date(2026, 11, 18)),
        ("어제", date(2026, 11, 18)),
        ("그저께", date(2026, 11, 17)),
        ("2026-11-17", date(2026, 11, 17)),
        ("2026. 11. 17.", date(2026, 11, 17)),
        ("20261117", date(2026, 11, 17)),
        ("11/17", date(2026, 11, 17)),
        ("17/11", date(2026, 11, 17)),
        ("12/24", date(2025, 12, 24)),
        ("17 Nov", date(2026, 11, 17)),
        ("Nov 17", date(2026, 11, 17)),
        ("november 17th, 2025", date(2025, 11, 17)),
        ("17 November 2025", date(2025, 11, 17)),
        ("11월 17일", date(2026, 11, 17)),
        ("2025년 11월 17일", date(2025, 11, 17)),
        ("29 Feb", None),
        ("Monday", date(2026, 11, 16)),
        ("thu", date(2026, 11, 19)),
        ("last fri", date(2026, 11, 13)),
        ("월요일", date(2026, 11, 16)),
        ("지난 금요일", date(2026, 11, 13)),
        ("2026-11-20", date(2026, 11, 20)),
        ("2026-02-30", None),
        ("13/32", None),
        ("0/0", None),
        ("t", None),
        ("월", None),
        ("005930", None),
        ("", None),
    ],
)
def test_a_day_is_understood(text: str, day: date | None) -> None:
    assert written_day(text, TODAY) == day
