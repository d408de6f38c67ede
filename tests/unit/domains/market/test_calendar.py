"""The trading days of 2025 and 2026, and what was learned beside them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from gotgan.domains.market.calendar import Calendar, Override

PLAIN = Calendar()
CLOSED_2025 = (
    "01-01 01-27 01-28 01-29 01-30 03-03 05-01 05-05 05-06 06-03 06-06 08-15 "
    "10-03 10-06 10-07 10-08 10-09 12-25 12-31"
)
CLOSED_2026 = (
    "01-01 02-16 02-17 02-18 03-02 05-01 05-05 05-25 06-03 07-17 08-17 "
    "09-24 09-25 10-05 10-09 12-25 12-31"
)


def _day(text: str) -> date:
    return date.fromisoformat(text)


@pytest.mark.parametrize(("year", "closed"), [(2025, CLOSED_2025), (2026, CLOSED_2026)])
def test_the_weekdays_without_trading_are_known(year: int, closed: str) -> None:
    days = (date(year, 1, 1) + timedelta(days=number) for number in range(365))
    found = [f"{day:%m-%d}" for day in days if day.weekday() < 5 and not PLAIN.is_session(day)]
    assert found == closed.split()


@pytest.mark.parametrize("year", [2025, 2026])
def test_nobody_trades_on_a_weekend(year: int) -> None:
    days = (date(year, 1, 1) + timedelta(days=number) for number in range(365))
    assert {PLAIN.why(day) for day in days if day.weekday() >= 5} == {"a weekend"}


def test_saturdays_were_sessions_until_december_1998() -> None:
    saturdays = ["1985-06-01", "1998-11-28", "1998-12-05"]
    assert all(PLAIN.is_session(_day(day)) for day in saturdays)
    assert PLAIN.previous_session(_day("1998-12-07")) == _day("1998-12-05")
    assert {PLAIN.why(_day(day)) for day in ("1998-12-06", "1998-12-12")} == {"a weekend"}


def test_a_day_without_trading_says_why() -> None:
    assert PLAIN.why(_day("2025-10-20")) is None
    assert PLAIN.why(_day("2025-10-06")) == "Chuseok"
    assert PLAIN.why(_day("2026-01-01")) == "New Year's Day"
    assert PLAIN.why(_day("2025-10-18")) == "a weekend"


def test_what_was_learned_counts_more_than_the_calendar() -> None:
    learned = Calendar(
        {
            _day("2025-10-20"): Override(is_open=False, reason="the answer was empty"),
            _day("2025-10-06"): Override(is_open=True, reason="traded after all"),
            _day("2025-10-18"): Override(is_open=True, reason="a Saturday of trading"),
        }
    )
    assert learned.why(_day("2025-10-20")) == "the answer was empty"
    assert learned.is_session(_day("2025-10-06"))
    assert learned.is_session(_day("2025-10-18"))
    assert not learned.is_session(_day("2025-10-19"))
    assert learned.next_session(_day("2025-10-17")) == _day("2025-10-18")
    assert learned.next_session(_day("2025-10-18")) == _day("2025-10-21")


@pytest.mark.parametrize(
    ("day", "previous", "following"),
    [
        ("2025-10-20", "2025-10-17", "2025-10-21"),  # a Monday
        ("2025-10-17", "2025-10-16", "2025-10-20"),  # a Friday
        ("2025-10-02", "2025-10-01", "2025-10-10"),  # before the foundation day and Chuseok
        ("2025-10-10", "2025-10-02", "2025-10-13"),
        ("2025-10-06", "2025-10-02", "2025-10-10"),  # within them
        ("2025-12-30", "2025-12-29", "2026-01-02"),  # the last day of a year
        ("2026-01-02", "2025-12-30", "2026-01-05"),
        ("2026-01-01", "2025-12-30", "2026-01-02"),
    ],
)
def test_the_sessions_beside_a_day_skip_what_is_closed(
    day: str, previous: str, following: str
) -> None:
    assert PLAIN.previous_session(_day(day)) == _day(previous)
    assert PLAIN.next_session(_day(day)) == _day(following)


def test_the_last_session_is_the_day_itself_where_it_is_one() -> None:
    assert PLAIN.last_session(_day("2025-10-20")) == _day("2025-10-20")
    assert PLAIN.last_session(_day("2025-10-19")) == _day("2025-10-17")
    assert PLAIN.last_session(_day("2026-01-01")) == _day("2025-12-30")


def test_the_sessions_of_a_span_have_both_ends() -> None:
    chuseok = [str(day) for day in PLAIN.sessions(_day("2025-10-02"), _day("2025-10-13"))]
    assert chuseok == ["2025-10-02", "2025-10-10", "2025-10-13"]
    assert list(PLAIN.sessions(_day("2025-10-20"), _day("2025-10-20"))) == [_day("2025-10-20")]
    assert list(PLAIN.sessions(_day("2025-10-20"), _day("2025-10-17"))) == []
    assert len(list(PLAIN.sessions(_day("2025-01-01"), _day("2025-12-31")))) == 242


def test_a_calendar_that_closes_for_ever_does_not_hang() -> None:
    start = _day("2025-10-20")
    closed = {start + timedelta(days=n): Override(is_open=False, reason="no") for n in range(99)}
    assert Calendar(closed).next_session(start) == start + timedelta(days=30)
