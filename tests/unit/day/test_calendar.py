"""Which days have a page."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from gotgan.clock import Zone
from gotgan.day.calendar import FIRST_DAY, check_day, day_after, day_before, parse_day, today_in
from gotgan.errors import UsageError
from tests.unit.day.made import DAY

ONE = timedelta(days=1)


def test_a_day_is_read_as_it_is_written() -> None:
    assert parse_day("2025-11-06") == DAY


@pytest.mark.parametrize(
    "text", ["", "today", "2025-11-6", "20251106", "2025-02-30", "2025-11-06T00:00"]
)
def test_what_is_no_day_is_told_how_to_be_written(text: str) -> None:
    with pytest.raises(UsageError, match="Use a date such as 2025-11-06"):
        parse_day(text)


@pytest.mark.parametrize(
    ("zone", "day"), [("utc", DAY), ("ny", DAY - ONE), ("kst", DAY)], ids=["utc", "ny", "kst"]
)
def test_today_is_the_date_in_the_zone(zone: Zone, day: date) -> None:
    assert today_in(zone, datetime(2025, 11, 6, 4, 59, tzinfo=UTC)) == day


def test_a_day_that_has_not_come_is_refused_by_the_date_of_the_zone() -> None:
    assert check_day(DAY, DAY, "ny") == DAY
    with pytest.raises(UsageError, match=r"-07 is in the future\. Today is 2025-11-06 in New"):
        check_day(DAY + ONE, DAY, "ny")


def test_a_day_of_another_age_is_refused() -> None:
    assert check_day(FIRST_DAY, DAY, "utc") == FIRST_DAY
    with pytest.raises(UsageError, match="Use a day from 2000-01-01 on"):
        check_day(FIRST_DAY - ONE, DAY, "utc")


def test_days_lead_to_their_neighbours_as_far_as_those_have_a_page() -> None:
    assert (day_before(DAY), day_before(FIRST_DAY)) == (DAY - ONE, None)
    assert (day_after(DAY - ONE, DAY), day_after(DAY, DAY)) == (DAY, None)
